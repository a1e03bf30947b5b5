#include "core/social/posts.h"

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/names.h"

namespace chirp::social {
namespace {

Error no_such_post(PostId id) {
  return {ErrorCode::kNotFound, fmt::format("There is no post {}.", id.value)};
}

std::optional<AuthorCard> card(const Snapshot& snapshot, UserNumber author) {
  auto found = snapshot.cards({&author, 1});
  if (!found.front() || found.front()->presence == Presence::kRemoved) return std::nullopt;
  return std::move(found.front());
}

}  // namespace

Posts::Posts(Storage& storage, Accounts& accounts, const Clock& clock)
    : storage_(storage), accounts_(accounts), clock_(clock) {}

PostView Posts::publish(std::string_view author_name, std::string_view text) {
  const User author = accounts_.resolve(author_name);
  std::string checked = checked_post_text(text);
  accounts_.ensure_card(author);
  const std::array changes{Change{Publish{author.number, checked}}};
  const Outcome outcome = storage_.write(changes, clock_.now()).front();
  if (outcome.result != Result::kDone) {
    throw Error(ErrorCode::kNotFound, fmt::format("user {} was removed meanwhile", author.username),
                "name");
  }
  Post post;
  post.id = outcome.post;
  post.author = author.number;
  post.text = std::move(checked);
  post.created_at = outcome.time;
  return {std::move(post), card_of(author)};
}

PostView Posts::show(PostId id) const {
  const auto snapshot = storage_.snapshot();
  auto post = snapshot->post(id);
  if (!post) throw no_such_post(id);
  auto author = card(*snapshot, post->author);
  if (!author) throw no_such_post(id);
  return {std::move(*post), std::move(*author)};
}

void Posts::remove(PostId id) {
  const std::array changes{Change{RemovePost{id}}};
  const Outcome outcome = storage_.write(changes, clock_.now()).front();
  if (outcome.result != Result::kDone) throw no_such_post(id);
}

PostPage Posts::list(std::string_view author_name, PostId before, std::uint32_t limit) const {
  if (limit < 1 || limit > limits::kPostPageMax) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("a page holds 1 to {} posts, not {}", limits::kPostPageMax, limit),
                "limit");
  }
  const User author = accounts_.resolve(author_name);
  const auto snapshot = storage_.snapshot();
  PostPage page;
  const auto found_card = card(*snapshot, author.number);
  if (!found_card) return page;
  auto entries = snapshot->author_entries({&author.number, 1}, {kBelowAllPosts, before},
                                          Direction::kDown, limit + 1);
  if (entries.size() > limit) {
    entries.resize(limit);
    page.next_cursor = entries.back().id;
  }
  for (auto& post : snapshot->posts(entries)) {
    if (post) page.posts.push_back({std::move(*post), *found_card});
  }
  return page;
}

}  // namespace chirp::social
