// Loads of cards and of follow edges.
#include <algorithm>
#include <bit>
#include <map>
#include <vector>

#include "core/error.h"
#include "core/model/relation.h"
#include "core/radix_sort.h"
#include "core/rules/changes.h"
#include "core/rules/content.h"
#include "core/rules/counters.h"
#include "core/rules/loads.h"
#include "core/rules/seen.h"

namespace chirp::rules {

using namespace tables;

namespace {

// Edges as numbers: the owner of the list in the upper half, the neighbour in the lower.
constexpr std::uint64_t packed(UserNumber user, UserNumber other) {
  return (std::uint64_t{user.value} << 32) | other.value;
}
constexpr UserNumber upper(std::uint64_t pair) { return {static_cast<std::uint32_t>(pair >> 32)}; }
constexpr UserNumber lower(std::uint64_t pair) { return {static_cast<std::uint32_t>(pair)}; }

// Adds sorted pairs to one side of the edges. Calls `added(user, fresh)` for each user.
template <class Added>
void add_side(Rows& rows, EdgeSide side, std::span<const std::uint64_t> pairs, Added added) {
  std::vector<Edge> edges;
  while (!pairs.empty()) {
    const UserNumber user = upper(pairs.front());
    edges.clear();
    while (!pairs.empty() && upper(pairs.front()) == user) {
      edges.push_back({lower(pairs.front()), rows.now()});
      pairs = pairs.subspan(1);
    }
    added(user, rows.add_edges(side, user, edges));
  }
}

// Merges two lists that are sorted by user.
std::vector<CounterDelta> merged_deltas(const std::vector<CounterDelta>& a,
                                        const std::vector<CounterDelta>& b) {
  std::vector<CounterDelta> all;
  all.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all),
             [](const CounterDelta& x, const CounterDelta& y) { return x.user < y.user; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (kept > 0 && all[kept - 1].user == all[i].user) {
      all[kept - 1].followers += all[i].followers;
      all[kept - 1].following += all[i].following;
    } else {
      all[kept++] = all[i];
    }
  }
  all.resize(kept);
  return all;
}

std::vector<std::uint64_t> pairs_of(std::span<const LoadedEdge> edges) {
  std::vector<std::uint64_t> pairs;
  pairs.reserve(edges.size());
  for (const LoadedEdge& edge : edges) {
    check(edge.follower != edge.followee, "users cannot follow themselves");
    pairs.push_back(packed(edge.follower, edge.followee));
  }
  return pairs;
}

// For each user number, whether `is` holds, for users in the pairs. Asks once for each user, in
// order, because a batch names the same users often.
template <class Is>
std::vector<bool> users_that(std::span<const std::uint64_t> pairs, Is is) {
  constexpr std::uint32_t kWordBits = 64;
  UserNumber highest;
  for (const std::uint64_t pair : pairs) highest = std::max({highest, upper(pair), lower(pair)});
  std::vector<bool> users(highest.value + std::size_t{1});
  std::vector<std::uint64_t> asked(highest.value / kWordBits + std::size_t{1});
  const auto ask = [&](UserNumber user) {
    asked[user.value / kWordBits] |= std::uint64_t{1} << user.value % kWordBits;
  };
  for (const std::uint64_t pair : pairs) {
    ask(upper(pair));
    ask(lower(pair));
  }
  for (std::uint32_t at = 0; at < asked.size(); ++at) {
    for (std::uint64_t word = asked[at]; word != 0; word &= word - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(word));
      users[at * kWordBits + bit] = is(UserNumber{at * kWordBits + bit});
    }
  }
  return users;
}

// Drops pairs of users who were removed since the load looked them up. Returns how many.
std::uint64_t leave_out_absent(const Rows& rows, std::vector<std::uint64_t>& pairs) {
  const auto there = users_that(pairs, [&](UserNumber user) { return rows.kept(user); });
  return std::erase_if(pairs, [&](std::uint64_t pair) {
    return !there[upper(pair).value] || !there[lower(pair).value];
  });
}

// Drops pairs of users with a block in either direction. Checks single pairs only if one of the two
// has blocked anyone. Returns how many.
std::uint64_t leave_out_severed(const Rows& rows, std::vector<std::uint64_t>& pairs) {
  if (rows.state().relations == 0) return 0;
  const auto blocking = users_that(pairs, [&](UserNumber user) {
    return !rows.range(Relations::Key{user, Relation::kBlock, kNobody},
                       Relations::Key{user, Relation::kBlock, kLastUser}, Direction::kUp, 1)
                .empty();
  });
  return std::erase_if(pairs, [&](std::uint64_t pair) {
    const bool any = blocking[upper(pair).value] || blocking[lower(pair).value];
    return any && severed(rows, upper(pair), lower(pair));
  });
}

std::uint64_t store_edges(Rows& rows, std::vector<std::uint64_t> pairs) {
  std::vector<std::uint64_t> scratch;
  if (!std::is_sorted(pairs.begin(), pairs.end())) radix_sort(pairs, scratch);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

  std::vector<std::uint64_t> reverse;
  std::vector<CounterDelta> following;
  add_side(rows, EdgeSide::kFollowing, pairs,
           [&](UserNumber follower, std::span<const UserNumber> fresh) {
             if (fresh.empty()) return;
             following.push_back({follower, 0, static_cast<std::int64_t>(fresh.size()), 0});
             for (const UserNumber followee : fresh) reverse.push_back(packed(followee, follower));
           });
  radix_sort(reverse, scratch);
  std::vector<CounterDelta> followers;
  add_side(rows, EdgeSide::kFollowers, reverse,
           [&](UserNumber followee, std::span<const UserNumber> fresh) {
             followers.push_back({followee, static_cast<std::int64_t>(fresh.size()), 0, 0});
           });
  if (!reverse.empty()) {
    log_load(rows, reverse.size(), Entries::kMade);
    add_counters(rows, merged_deltas(following, followers));
  }
  return reverse.size();
}

}  // namespace

void log_load(Rows& rows, std::uint64_t count, Entries entries, PostId newest) {
  if (entries == Entries::kMade) ++rows.state().generation;
  rows.log({.topic = events::Topic::kLoadBatch, .post = newest, .rows = count});
}

std::uint64_t load_cards(Rows& rows, std::span<const AuthorCard> cards) {
  std::uint64_t stored = 0;
  for (const AuthorCard& card : cards) {
    // Keep an existing card: it may be newer than this one.
    if (rows.find(Cards::Key{card.number})) continue;
    put_card(rows, card);
    ++stored;
  }
  if (stored > 0) log_load(rows, stored, Entries::kMade);
  return stored;
}

EdgeResult load_edges(Rows& rows, std::span<const LoadedEdge> edges) {
  EdgeResult result;
  result.taken = rows.edges_that_fit(edges);
  std::vector<std::uint64_t> pairs = pairs_of(edges.first(result.taken));
  result.counts.missing = leave_out_absent(rows, pairs);
  result.counts.severed = leave_out_severed(rows, pairs);
  const std::uint64_t allowed = pairs.size();
  result.counts.stored = store_edges(rows, std::move(pairs));
  result.counts.duplicates = allowed - result.counts.stored;
  return result;
}

bool restore_edges(Rows& rows, std::span<const RestoredEdge> edges) {
  std::map<UserNumber, CounterDelta> counted;
  const auto count = [&](const CounterDelta& delta) {
    CounterDelta& all =
        counted.try_emplace(delta.user, CounterDelta{delta.user, 0, 0, 0}).first->second;
    all.followers += delta.followers;
    all.following += delta.following;
  };
  for (const RestoredEdge& edge : edges) {
    const Following::Key key{edge.follower, edge.followee};
    if (rows.find(key)) {
      throw Error(ErrorCode::kAlreadyExists, "A follow of the export is there already.");
    }
    rows.put(key, edge.since);
    rows.put(Followers::Key{edge.followee, edge.follower}, edge.since);
    if (edge.reposts == Reposts::kOff) {
      put_relation(rows, edge.follower, Relation::kRepostsOff, edge.followee, edge.since);
    }
    count({edge.follower, 0, 1, 0});
    count({edge.followee, 1, 0, 0});
  }
  if (edges.empty()) return false;
  log_load(rows, edges.size(), Entries::kMade);
  std::vector<CounterDelta> deltas;
  for (const auto& [user, delta] : counted) deltas.push_back(delta);
  add_counters(rows, deltas);
  return true;
}

bool restore_reposts_off(Rows& rows, std::span<const LoadedEdge> edges) {
  std::uint64_t stored = 0;
  for (const auto& [follower, followee] : edges) {
    const auto since = rows.find(Following::Key{follower, followee});
    if (!since) continue;
    if (put_relation(rows, follower, Relation::kRepostsOff, followee, *since)) ++stored;
  }
  if (stored > 0) log_load(rows, stored, Entries::kMade);
  return stored > 0;
}

bool restore_relations(Rows& rows, std::span<const RestoredRelation> relations) {
  for (const auto& [user, other, relation, since] : relations) {
    if (!put_relation(rows, user, relation, other, since)) {
      throw Error(ErrorCode::kAlreadyExists, "A block or mute of the export is there already.");
    }
  }
  if (!relations.empty()) log_load(rows, relations.size(), Entries::kNone);
  return !relations.empty();
}

}  // namespace chirp::rules
