#include "core/social/reactions.h"

#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/social/read_back.h"
#include "core/social/visibility.h"

namespace chirp::social {
namespace {

std::int64_t total_of(const Storage& storage, PostId post) {
  const ContentId content = content_of(post);
  return storage.snapshot()->content_counters({&content, 1}).front().reactions_in_all();
}

// Appends the present users.
void append_present(Visibility& visibility, std::span<const Reaction> reactions, LikerPage& page) {
  for (const Reaction& reaction : reactions) {
    if (const AuthorCard* card = visibility.card(reaction.user)) {
      page.likers.push_back({*card, reaction.type, reaction.since});
    }
  }
}

std::int64_t counted(const ContentCounters& counters, std::optional<ReactionType> type) {
  return type ? counters.reactions[index_of(*type)] : counters.reactions_in_all();
}

}  // namespace

Reactions::Reactions(Storage& storage, Accounts& accounts, const Clock& clock)
    : storage_(storage), accounts_(accounts), clock_(clock) {}

ReactionState Reactions::react(const User& user, PostId post, ReactionType type) {
  accounts_.ensure_card(user);
  const Outcome outcome = storage_.write_one(React{user.number, post, type}, clock_.now());
  if (outcome.result == Result::kMissing) throw no_such_post(post);
  return {outcome.post,
          user.id,
          type,
          outcome.time,
          read_back([&] { return total_of(storage_, outcome.post); }),
          outcome.before ? Novelty::kThereBefore : Novelty::kNew};
}

std::int64_t Reactions::unreact(const User& user, PostId post) {
  const Outcome outcome = storage_.write_one(Unreact{user.number, post}, clock_.now());
  if (outcome.result == Result::kMissing) throw no_such_post(post);
  return read_back([&] { return total_of(storage_, outcome.post); });
}

LikerPage Reactions::list(const Viewer& viewer, const LikersRequest& request) const {
  check_page_limit(request.limit, limits::kUserPageMax, "users");
  const auto snapshot = storage_.snapshot();
  Visibility visibility(*snapshot, viewer);
  const auto seen = visibility.post(request.post);
  if (!seen) throw no_such_post(request.post);
  const ContentId content = content_of(seen->original ? seen->original->id : seen->post.id);
  LikerPage page;
  page.privacy = seen->post.privacy;
  UserNumber after = request.after;
  while (page.likers.size() <= request.limit) {
    const auto missing = request.limit + 1 - static_cast<std::uint32_t>(page.likers.size());
    const auto found = reads::reactions(*snapshot, content, after, request.type, missing);
    append_present(visibility, found, page);
    if (found.size() < missing) break;
    after = found.back().user;
  }
  if (page.likers.size() > request.limit) {
    page.likers.resize(request.limit);
    page.next_cursor = page.likers.back().user.number;
  }
  page.total = counted(snapshot->content_counters({&content, 1}).front(), request.type);
  return page;
}

}  // namespace chirp::social
