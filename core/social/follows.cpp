#include "core/social/follows.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/ports/reads.h"
#include "core/settings.h"
#include "core/social/limit_exceeded.h"

namespace chirp::social {
namespace {

FollowChange changes_made(const User& follower, std::span<const User> followees,
                          std::span<const Outcome> outcomes) {
  FollowChange change;
  for (std::size_t i = 0; i < followees.size(); ++i) {
    if (outcomes[i].result == Result::kDone) ++change.changed;
    change.follows.push_back({follower.id, followees[i].id, std::nullopt});
  }
  return change;
}

Error blocked(const User& who, const User& whom) {
  return {ErrorCode::kForbidden, fmt::format("{} cannot follow {}: one has blocked the other.",
                                             who.username, whom.username)};
}

// The store also refuses; checking first makes sure that no follow of the call is stored.
void check_blocks(const ContentReader& snapshot, const User& who, std::span<const User> whom) {
  std::vector<UserNumber> numbers;
  for (const User& user : whom) numbers.push_back(user.number);
  const auto bonds = snapshot.bonds(who.number, numbers);
  for (std::size_t i = 0; i < whom.size(); ++i) {
    if (bonds[i].severed() && !reads::follows(snapshot, who.number, whom[i].number)) {
      throw blocked(who, whom[i]);
    }
  }
}

void check_bound(const Storage& storage, const User& who, std::span<const User> whom) {
  const auto most = settings::follow_max(storage);
  if (!most) return;
  const auto snapshot = storage.snapshot();
  const std::int64_t now = snapshot->counters({&who.number, 1}).front().following;
  const auto fresh = std::count_if(whom.begin(), whom.end(), [&](const User& user) {
    return !reads::follows(*snapshot, who.number, user.number);
  });
  if (fresh == 0 || now + fresh <= static_cast<std::int64_t>(*most)) return;
  throw LimitExceeded(fmt::format("{} follows {} accounts, and would follow more than the {} that "
                                  "are allowed. Unfollow another account first.",
                                  who.username, now, *most),
                      "follow.max");
}

EdgePage edges(const ContentReader& snapshot, EdgeSide side, UserNumber user, UserNumber after,
               std::uint32_t limit) {
  return side == EdgeSide::kFollowing ? reads::following(snapshot, user, after, limit)
                                      : reads::followers(snapshot, user, after, limit);
}

void append_present(const ContentReader& snapshot, std::span<const Edge> edges, FollowPage& page) {
  std::vector<UserNumber> numbers;
  numbers.reserve(edges.size());
  for (const Edge& edge : edges) numbers.push_back(edge.other);
  auto cards = reads::cards(snapshot, numbers);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!cards[i] || cards[i]->presence != Presence::kPresent) continue;
    page.follows.push_back({std::move(*cards[i]), edges[i].since});
  }
}

// Skips removed and suspended users, and fills the page with later ones. One more than the page
// holds shows whether there are more.
FollowPage page_of(const ContentReader& snapshot, EdgeSide side, UserNumber user, UserNumber after,
                   std::uint32_t limit) {
  check_page_limit(limit, limits::kUserPageMax, "users");
  FollowPage page;
  for (bool more = true; more && page.follows.size() <= limit;) {
    const auto missing = limit + 1 - static_cast<std::uint32_t>(page.follows.size());
    const EdgePage found = edges(snapshot, side, user, after, missing);
    append_present(snapshot, found.edges, page);
    more = found.more && !found.edges.empty();
    if (more) after = found.edges.back().other;
  }
  if (page.follows.size() > limit) {
    page.follows.resize(limit);
    page.next_cursor = page.follows.back().user.number;
  }
  const UserCounters counters = snapshot.counters({&user, 1}).front();
  page.total = side == EdgeSide::kFollowing ? counters.following : counters.followers;
  return page;
}

}  // namespace

Follows::Follows(Storage& storage, Accounts& accounts, const Clock& clock)
    : storage_(storage), accounts_(accounts), clock_(clock) {}

FollowChange Follows::add(const User& who, std::span<const User> whom,
                          std::optional<Reposts> reposts) {
  std::vector<Change> changes;
  for (const User& user : whom) {
    if (user.number == who.number) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{} cannot follow themselves. Name another user.", who.username),
                  "name");
    }
    changes.emplace_back(Follow{who.number, user.number, reposts});
  }
  check_blocks(*storage_.snapshot(), who, whom);
  check_bound(storage_, who, whom);
  accounts_.ensure_card(who);
  for (const User& user : whom) accounts_.ensure_card(user);
  const auto outcomes = storage_.write(changes, clock_.now());
  FollowChange change = changes_made(who, whom, outcomes);
  for (std::size_t i = 0; i < whom.size(); ++i) {
    if (outcomes[i].result == Result::kMissing) {
      throw Error(
          ErrorCode::kNotFound,
          fmt::format(
              "user {} or {} was removed or suspended meanwhile; the other follows were kept",
              who.username, whom[i].username),
          "name");
    }
    if (outcomes[i].result == Result::kRefused) throw blocked(who, whom[i]);
    change.follows[i].since = outcomes[i].time;
  }
  return change;
}

FollowChange Follows::remove(const User& who, std::span<const User> whom) {
  std::vector<Change> changes;
  for (const User& user : whom) changes.emplace_back(Unfollow{who.number, user.number});
  return changes_made(who, whom, storage_.write(changes, clock_.now()));
}

Relationship Follows::check(const User& user, const User& other) const {
  return check(user, std::span(&other, 1)).front();
}

std::vector<Relationship> Follows::check(const User& user, std::span<const User> others) const {
  std::vector<UserNumber> numbers;
  for (const User& other : others) numbers.push_back(other.number);
  const auto snapshot = storage_.snapshot();
  const auto bonds = snapshot->bonds(user.number, numbers);
  std::vector<Relationship> relations(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (numbers[i] == user.number) continue;
    Relationship& relation = relations[i];
    relation.following = reads::follows(*snapshot, user.number, numbers[i]).has_value();
    relation.followed_by = reads::follows(*snapshot, numbers[i], user.number).has_value();
    relation.blocking = bonds[i].blocks;
    relation.blocked_by = bonds[i].blocked_by;
    relation.muting = bonds[i].mutes;
    relation.showing_reposts = relation.following && !bonds[i].reposts_off;
  }
  return relations;
}

FollowPage Follows::following(const User& user, UserNumber after, std::uint32_t limit) const {
  return page_of(*storage_.snapshot(), EdgeSide::kFollowing, user.number, after, limit);
}

FollowPage Follows::followers(const User& user, UserNumber after, std::uint32_t limit) const {
  return page_of(*storage_.snapshot(), EdgeSide::kFollowers, user.number, after, limit);
}

}  // namespace chirp::social
