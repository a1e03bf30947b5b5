#include "core/social/tagged_posts.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/social/visibility.h"

namespace chirp::social {
namespace {

// Drops entries of authors whom the viewer may not see or has muted, before their posts are read.
void leave_out_hidden(Visibility& visibility, std::vector<Entry>& entries) {
  std::vector<UserNumber> authors;
  for (const Entry& entry : entries) authors.push_back(entry.author);
  visibility.meet(authors);
  std::erase_if(entries, [&](const Entry& entry) {
    return visibility.mutes(entry.author) || !visibility.sees(entry.author, Privacy::kPublic);
  });
}

}  // namespace

PostPage tagged_posts_in(const Snapshot& snapshot, const Viewer& viewer, const TaggedQuery& query) {
  check_page_limit(query.limit, limits::kPostPageMax, "posts");
  PostPage page;
  Visibility visibility(snapshot, viewer);
  PostId last = query.before;  // the last post read
  HiddenRecords hidden(visibility);
  while (page.posts.size() <= query.limit) {
    const auto wanted = query.limit + 1 - static_cast<std::uint32_t>(page.posts.size());
    const std::uint32_t block = hidden.fitting(wanted);
    if (block == 0) break;
    auto entries = reads::posts_with_tag(snapshot, query.tag, last, block);
    const std::size_t looked = entries.size();
    if (looked != 0) last = entries.back().id;
    leave_out_hidden(visibility, entries);
    auto seen = visibility.posts(entries);
    std::erase(seen, std::nullopt);
    for (auto& post : seen) page.posts.push_back(*std::move(post));
    if (looked < block) {
      last = kBelowAllPosts;
      break;
    }
    hidden.add(looked - seen.size(), seen.size());
  }
  if (page.posts.size() > query.limit) {
    page.posts.resize(query.limit);
    page.next_cursor = page.posts.back().post.id;
  } else if (last != kBelowAllPosts) {
    page.next_cursor = last;
  }
  fill_stats(snapshot, viewer, page.posts);
  return page;
}

}  // namespace chirp::social
