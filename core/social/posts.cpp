#include "core/social/posts.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/names.h"
#include "core/social/accounts.h"
#include "core/social/read_back.h"

namespace chirp::social {
namespace {

Error gone(const User& user) {
  return {ErrorCode::kNotFound, fmt::format("user {} was removed meanwhile", user.username),
          "name"};
}

std::vector<Medium> checked_media(std::vector<Medium> media) {
  for (std::size_t i = 0; i < media.size(); ++i) {
    try {
      media[i].alt_text = checked_alt_text(media[i].alt_text);
    } catch (const Error& error) {
      throw Error(error.code(), error.what(), fmt::format("{}[{}]", error.field(), i));
    }
  }
  return media;
}

}  // namespace

bool is_idempotency_key(std::string_view key) {
  return !key.empty() && key.size() <= limits::kIdempotencyKeyMax &&
         std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

std::string checked_idempotency_key(std::string_view key) {
  if (!is_idempotency_key(key)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("An idempotency key takes 1 to {} characters of printable ASCII "
                            "without blanks, not \"{}\".",
                            limits::kIdempotencyKeyMax, printable(key)),
                "idempotencyKey");
  }
  return std::string(key);
}

Error idempotency_key_taken(std::string_view key) {
  return {ErrorCode::kConflict,
          fmt::format("The idempotency key \"{}\" was used with other values, or its post was "
                      "removed. Use a new key.",
                      printable(key)),
          "idempotencyKey"};
}

Posts::Posts(Storage& storage, Accounts& accounts, const Clock& clock)
    : storage_(storage), accounts_(accounts), clock_(clock) {}

Published Posts::publish(const User& author, const NewPost& wanted) {
  const bool bare = wanted.text.empty() && !wanted.media.empty();
  Publish change{author.number, bare ? std::string() : checked_post_text(wanted.text),
                 wanted.privacy, checked_media(wanted.media)};
  if (wanted.idempotency_key)
    change.idempotency_key = checked_idempotency_key(*wanted.idempotency_key);
  change.mentions = mentioned_in(change.text, author.number, accounts_);
  accounts_.ensure_card(author);
  const Outcome outcome = storage_.write_one(std::move(change), clock_.now());
  if (outcome.result == Result::kConflict) throw idempotency_key_taken(*wanted.idempotency_key);
  if (outcome.result == Result::kMissing) throw gone(author);
  const bool repeated = outcome.result == Result::kAlready;
  const Viewer viewer = Viewer::user(author.number);
  auto seen = read_back([&] {
    const auto snapshot = storage_.snapshot();
    auto found = Visibility(*snapshot, viewer).post(outcome.post);
    if (found && repeated) fill_stats(*snapshot, viewer, {&*found, 1});
    return found;
  });
  // If the post of an earlier request is removed at this moment, it counts as removed before.
  if (!seen) throw repeated ? idempotency_key_taken(*wanted.idempotency_key) : gone(author);
  if (repeated) return {std::move(*seen), Publication::kRepeated};
  // A new post has no reactions yet. Reading them would cost each writer a walk over all pending
  // events.
  seen->stats.knows_viewer = true;
  return {std::move(*seen), Publication::kNew};
}

PostView Posts::show(const Viewer& viewer, PostId id) const {
  const auto snapshot = storage_.snapshot();
  auto found = Visibility(*snapshot, viewer).post(id);
  if (!found) throw no_such_post(id);
  fill_stats(*snapshot, viewer, {&*found, 1});
  return std::move(*found);
}

FoundPosts Posts::find(const Viewer& viewer, std::span<const PostId> ids) const {
  std::vector<PostId> wanted;
  std::set<PostId> known;
  for (const PostId id : ids) {
    if (known.insert(id).second) wanted.push_back(id);
  }
  const auto snapshot = storage_.snapshot();
  auto seen = Visibility(*snapshot, viewer).posts(wanted);
  FoundPosts found;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (seen[i]) {
      found.posts.push_back(std::move(*seen[i]));
    } else {
      found.missing.push_back(wanted[i]);
    }
  }
  fill_stats(*snapshot, viewer, found.posts);
  return found;
}

Published Posts::repost(const User& user, PostId id) {
  accounts_.ensure_card(user);
  const Outcome outcome = storage_.write_one(Repost{user.number, id}, clock_.now());
  if (outcome.result == Result::kMissing) throw no_such_post(id);
  if (outcome.result == Result::kRefused) {
    throw Error(ErrorCode::kForbidden,
                fmt::format("Post {} is not public; only public posts can be reposted.", id.value));
  }
  return {read_back([&] { return show(Viewer::user(user.number), outcome.post); }),
          outcome.result == Result::kAlready ? Publication::kRepeated : Publication::kNew};
}

void Posts::unrepost(const User& user, PostId id) {
  const Outcome outcome = storage_.write_one(Unrepost{user.number, id}, clock_.now());
  if (outcome.result == Result::kMissing) throw no_such_post(id);
}

void Posts::remove(const Viewer& viewer, PostId id) {
  const auto snapshot = storage_.snapshot();
  const auto post = snapshot->post(id);
  if (!post) throw no_such_post(id);
  // Authors may remove everything they posted, even a repost whose original they can no longer see.
  if (viewer.kind() != Viewer::Kind::kOperator && !viewer.is(post->author)) {
    if (!Visibility(*snapshot, viewer).post(id)) throw no_such_post(id);
    throw Error(ErrorCode::kForbidden,
                fmt::format("Only the author of post {} can remove it.", id.value));
  }
  accounts_.release(post->media);
  const Outcome outcome = storage_.write_one(RemovePost{id}, clock_.now());
  if (outcome.result != Result::kDone) throw no_such_post(id);
}

PostPage Posts::list(const Viewer& viewer, const User& author, PostId before, std::uint32_t limit,
                     std::optional<Privacy> level) const {
  check_page_limit(limit, limits::kPostPageMax, "posts");
  const auto snapshot = storage_.snapshot();
  Visibility visibility(*snapshot, viewer);
  PostPage page;
  // Posts of other levels are not read, so the time of a page does not reveal how many there are.
  Levels levels;
  for (const Privacy each : {Privacy::kPublic, Privacy::kFollowers, Privacy::kPrivate}) {
    if ((!level || *level == each) && visibility.sees(author.number, each)) levels |= Levels(each);
  }
  if (levels.empty()) return page;
  // Reposts of hidden posts are skipped, and the page is filled with later entries. One entry more
  // than the page holds shows whether there is more.
  constexpr std::uint32_t kRecords = 3;  // the log entry, the repost, and the original
  HiddenRecords hidden(visibility, kRecords);
  bool more = true;
  while (more && page.posts.size() <= limit) {
    const std::size_t shown = page.posts.size();
    const std::uint32_t batch = hidden.fitting(limit + 1 - static_cast<std::uint32_t>(shown));
    if (batch == 0) break;
    const auto entries = snapshot->author_entries(
        {{&author.number, 1}, levels}, {kBelowAllPosts, before}, Direction::kDown, batch);
    for (auto& seen : visibility.posts(entries)) {
      if (seen) page.posts.push_back(std::move(*seen));
    }
    more = entries.size() == batch;
    if (more) before = entries.back().id;
    hidden.add(entries.size() - (page.posts.size() - shown), page.posts.size() - shown);
  }
  if (page.posts.size() > limit) {
    page.posts.resize(limit);
    page.next_cursor = page.posts.back().post.id;
  } else if (more) {
    page.next_cursor = before;
  }
  fill_stats(*snapshot, viewer, page.posts);
  return page;
}

}  // namespace chirp::social
