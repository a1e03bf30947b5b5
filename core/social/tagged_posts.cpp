#include "core/social/tagged_posts.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/model/page_limit.h"
#include "core/model/trend.h"
#include "core/ports/reads.h"
#include "core/social/visibility.h"

namespace chirp::social {
namespace {

constexpr std::size_t kBlock = 500;

bool carries(const TaggedPost& post, const std::string& tag) {
  return std::find(post.tags.begin(), post.tags.end(), tag) != post.tags.end();
}

// The post, unless the viewer may not see it or has muted its author.
std::optional<SeenPost> shown(const Snapshot& snapshot, const Viewer& viewer,
                              Visibility& visibility, const TaggedPost& post) {
  if (viewer.kind() == Viewer::Kind::kUser &&
      snapshot.bonds(viewer.number(), {&post.author, 1}).front().mutes) {
    return std::nullopt;
  }
  return visibility.post(post.post);
}

}  // namespace

PostPage tagged_posts_in(const Snapshot& snapshot, const Viewer& viewer, const TaggedQuery& query) {
  check_page_limit(query.limit, limits::kPostPageMax, "posts");
  PostPage page;
  Visibility visibility(snapshot, viewer);
  PostId last = query.before;  // that was looked at and is not left for the next page
  std::size_t looked = 0;
  for (bool more = true; more;) {
    const std::size_t block = std::min(kBlock, query.looks - looked);
    const auto posts = reads::tagged_posts(snapshot, last, static_cast<std::uint32_t>(block));
    for (const TaggedPost& post : posts) {
      if (carries(post, query.tag)) {
        auto found = shown(snapshot, viewer, visibility, post);
        if (found && page.posts.size() == query.limit) {
          page.next_cursor = last;
          more = false;
          break;
        }
        if (found) page.posts.push_back(*std::move(found));
      }
      last = post.post;
    }
    looked += posts.size();
    if (posts.size() < block) break;
    if (more && looked == query.looks) {
      page.next_cursor = last;
      break;
    }
  }
  fill_stats(snapshot, viewer, page.posts);
  return page;
}

}  // namespace chirp::social
