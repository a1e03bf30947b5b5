// What people do in a simulated world, and what whoever runs it does to them.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/rules/writing.h"
#include "tests/support/feed_simulation.h"

namespace chirp::test {
namespace {

constexpr std::size_t kUsersMax = 9;
constexpr std::size_t kRemovedMax = 2;
constexpr std::size_t kSuspendedMax = 3;

AuthorCard card_of(UserNumber number) {
  AuthorCard card;
  card.number = number;
  card.id = UserId{1'000'000u + number.value};
  card.username = fmt::format("u{}", number.value);
  card.display_name = card.username;
  return card;
}

Privacy privacy_of(std::uint32_t bits) {
  constexpr std::array kLevels{Privacy::kPublic, Privacy::kPublic, Privacy::kPublic,
                               Privacy::kFollowers, Privacy::kPrivate};
  return kLevels[bits % kLevels.size()];
}

// Whom a post by `user` mentions.
std::vector<UserNumber> others(UserNumber user, UserNumber other) {
  if (user == other) return {};
  return {other};
}

}  // namespace

void Simulation::apply_social(const Action& action) {
  const UserNumber a = user(action.a);
  const UserNumber b = user(action.b);
  switch (action.act) {
    case Act::kPost:
      write({Publish{a, "#text", privacy_of(action.x), {}, others(a, b)}});
      break;
    case Act::kRemovePost:
      if (const auto id = some_post(action.x)) write({RemovePost{*id}});
      break;
    case Act::kRepost:
      if (const auto id = some_post(action.x)) write({Repost{a, *id}});
      break;
    case Act::kUnrepost:
      if (const auto id = some_post(action.x)) write({Unrepost{a, *id}});
      break;
    case Act::kFollow:
      if (a != b) write({Follow{a, b}});
      break;
    case Act::kUnfollow:
      if (a != b) write({Unfollow{a, b}});
      break;
    case Act::kBatch:
      batch(action);
      break;
    case Act::kJoin:
      if (users_.size() < kUsersMax) join();
      break;
    case Act::kLeave:
      if (removed_.size() < kRemovedMax) leave(a);
      break;
    case Act::kSuspend:
      if (world_.suspended.size() < kSuspendedMax) put_presence(a, Presence::kSuspended);
      break;
    case Act::kUnsuspend:
      put_presence(a, Presence::kPresent);
      break;
    case Act::kTraces:
      if (!removed_.empty()) {
        rules::remove_traces(storage_, removed_[action.a % removed_.size()], 1 + action.x % 3,
                             clock_.now());
      }
      break;
    default:
      break;
  }
}

std::optional<PostId> Simulation::some_post(std::uint32_t pick) const {
  if (world_.posts.empty()) return std::nullopt;
  // Half the time one of the newest, so that originals gather reposts.
  const std::size_t among =
      pick % 2 == 0 ? world_.posts.size() : std::min<std::size_t>(world_.posts.size(), 4);
  return std::prev(world_.posts.end(), static_cast<std::ptrdiff_t>(1 + pick / 2 % among))->first;
}

// Reposts of what is gone are nobody's to see, and go in their own time.
void Simulation::forget_lost_reposts() {
  const auto snapshot = storage_.snapshot();
  std::erase_if(world_.posts, [&](const auto& row) {
    const auto& [id, post] = row;
    if (post.original == kBelowAllPosts || !world_.users.contains(post.author)) return false;
    const auto original = world_.posts.find(post.original);
    const bool lost =
        original == world_.posts.end() || !world_.users.contains(original->second.author);
    return lost && !snapshot->post(id);
  });
}

void Simulation::apply_relations(const Action& action) {
  const UserNumber a = user(action.a);
  const UserNumber b = user(action.b);
  if (a == b) return;
  switch (action.act) {
    case Act::kBlock:
      return write({Relate{a, b, Relation::kBlock}});
    case Act::kUnblock:
      return write({Unrelate{a, b, Relation::kBlock}});
    case Act::kMute:
      return write({Relate{a, b, Relation::kMute}});
    case Act::kUnmute:
      return write({Unrelate{a, b, Relation::kMute}});
    case Act::kSwitch:
      return write({Follow{a, b, action.x % 3 == 0 ? Reposts::kOn : Reposts::kOff}});
    default:
      break;
  }
}

void Simulation::batch(const Action& action) {
  const UserNumber a = user(action.a);
  const UserNumber b = user(action.b);
  std::vector<Change> changes;
  changes.emplace_back(Publish{a, "first", Privacy::kPublic});
  if (a != b) {
    if (action.x % 2 == 0) changes.emplace_back(Unfollow{b, a});
    changes.emplace_back(Follow{b, a});
    if (action.x % 3 == 0) changes.emplace_back(Follow{a, b});
  }
  if (const auto id = some_post(action.x)) changes.emplace_back(Repost{b, *id});
  changes.emplace_back(Publish{b, "second", privacy_of(action.k)});
  write(changes);
}

void Simulation::join() {
  const UserNumber number{static_cast<std::uint32_t>(users_.size() + 1)};
  users_.push_back(number);
  write({PutCard{card_of(number)}});
}

void Simulation::leave(UserNumber user) {
  if (world_.users.contains(user)) removed_.push_back(user);
  write({MarkRemoved{user}});
}

// The card may say more than the world knows, and keeps it.
void Simulation::put_presence(UserNumber user, Presence presence) {
  if (!world_.users.contains(user)) return;
  AuthorCard card = storage_.snapshot()->find(tables::Cards::Key{user}).value();
  card.presence = presence;
  write({PutCard{card}});
}

void Simulation::write(const std::vector<Change>& changes) {
  const auto outcomes = storage_.write(changes, clock_.now());
  if (outcomes.size() != changes.size()) throw Mismatch("a write answers every change");
  for (std::size_t i = 0; i < changes.size(); ++i) live(world_, changes[i], outcomes[i]);
}

}  // namespace chirp::test
