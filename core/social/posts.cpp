#include "core/social/posts.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/names.h"
#include "core/social/mentions.h"

namespace chirp::social {
namespace {

Error no_such_post(PostId id) {
  return {ErrorCode::kNotFound, fmt::format("There is no post {}.", id.value)};
}

Error gone(const User& user) {
  return {ErrorCode::kNotFound, fmt::format("user {} was removed meanwhile", user.username),
          "name"};
}

std::string checked_key(std::string_view key) {
  const bool printable_ascii =
      std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (key.empty() || key.size() > limits::kIdempotencyKeyMax || !printable_ascii) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("An idempotency key takes 1 to {} characters of printable ASCII "
                            "without blanks, not \"{}\".",
                            limits::kIdempotencyKeyMax, printable(key)),
                "idempotencyKey");
  }
  return std::string(key);
}

Error key_taken(std::string_view key) {
  return {ErrorCode::kConflict,
          fmt::format("The idempotency key \"{}\" came with another post before, or with one that "
                      "has been removed since. Take a new key.",
                      printable(key)),
          "idempotencyKey"};
}

}  // namespace

Posts::Posts(Storage& storage, Accounts& accounts, const Clock& clock)
    : storage_(storage), accounts_(accounts), clock_(clock) {}

Published Posts::publish(std::string_view author_name, const NewPost& wanted) {
  const User author = accounts_.resolve(author_name);
  const bool bare = wanted.text.empty() && !wanted.media.empty();
  Publish change{author.number, bare ? std::string() : checked_post_text(wanted.text),
                 wanted.privacy, wanted.media};
  if (wanted.idempotency_key) change.idempotency_key = checked_key(*wanted.idempotency_key);
  change.mentions = mentioned_in(change.text, author.number, accounts_);
  accounts_.ensure_card(author);
  const std::array changes{Change{change}};
  const Outcome outcome = storage_.write(changes, clock_.now()).front();
  if (outcome.result == Result::kConflict) throw key_taken(*wanted.idempotency_key);
  if (outcome.result == Result::kMissing) throw gone(author);
  Post post;
  post.id = outcome.post;
  post.author = author.number;
  post.text = std::move(change.text);
  post.created_at = outcome.time;
  post.privacy = change.privacy;
  post.media = wanted.media;
  return {{std::move(post), card_of(author), std::nullopt, std::nullopt, {}},
          outcome.result == Result::kAlready ? Publication::kRepeated : Publication::kNew};
}

PostView Posts::show(const Viewer& viewer, PostId id) const {
  const auto snapshot = storage_.snapshot();
  auto found = Sight(*snapshot, viewer).post(id);
  if (!found) throw no_such_post(id);
  fill_stats(*snapshot, viewer, {&*found, 1});
  return std::move(*found);
}

PostView Posts::repost(std::string_view name, PostId id) {
  const User user = accounts_.resolve(name);
  accounts_.ensure_card(user);
  const std::array changes{Change{Repost{user.number, id}}};
  const Outcome outcome = storage_.write(changes, clock_.now()).front();
  if (outcome.result == Result::kMissing) throw no_such_post(id);
  if (outcome.result == Result::kRefused) {
    throw Error(ErrorCode::kForbidden,
                fmt::format("Post {} is not public; only public posts can be reposted.", id.value));
  }
  return show(Viewer::user(user.number), outcome.post);
}

void Posts::unrepost(std::string_view name, PostId id) {
  const User user = accounts_.resolve(name);
  const std::array changes{Change{Unrepost{user.number, id}}};
  const Outcome outcome = storage_.write(changes, clock_.now()).front();
  if (outcome.result == Result::kMissing) throw no_such_post(id);
}

void Posts::remove(PostId id) {
  if (const auto post = storage_.snapshot()->post(id)) accounts_.release(post->media);
  const std::array changes{Change{RemovePost{id}}};
  const Outcome outcome = storage_.write(changes, clock_.now()).front();
  if (outcome.result != Result::kDone) throw no_such_post(id);
}

PostPage Posts::list(const Viewer& viewer, std::string_view author_name, PostId before,
                     std::uint32_t limit) const {
  if (limit < 1 || limit > limits::kPostPageMax) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("a page holds 1 to {} posts, not {}", limits::kPostPageMax, limit),
                "limit");
  }
  const User author = accounts_.resolve(author_name);
  const auto snapshot = storage_.snapshot();
  Sight sight(*snapshot, viewer);
  PostPage page;
  // What may not be seen is passed over, and the page filled up from below it. One more than it
  // holds tells whether there is more.
  for (bool more = true; more && page.posts.size() <= limit;) {
    const auto entries = snapshot->author_entries({&author.number, 1}, {kBelowAllPosts, before},
                                                  Direction::kDown, limit + 1);
    std::vector<PostId> ids;
    for (const Entry& entry : entries) ids.push_back(entry.id);
    for (auto& seen : sight.posts(ids)) {
      if (seen) page.posts.push_back(std::move(*seen));
    }
    more = entries.size() > limit;
    if (more) before = entries.back().id;
  }
  if (page.posts.size() > limit) {
    page.posts.resize(limit);
    page.next_cursor = page.posts.back().post.id;
  }
  fill_stats(*snapshot, viewer, page.posts);
  return page;
}

}  // namespace chirp::social
