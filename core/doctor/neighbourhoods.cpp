// Edges, counters and tiers of each user.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/doctor/edge_sums.h"
#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/settings.h"

namespace chirp::doctor {
namespace {

EdgePage page_of(const Snapshot& snapshot, EdgeSide side, UserNumber user, UserNumber after) {
  return side == EdgeSide::kFollowing ? reads::following(snapshot, user, after, kBlock)
                                      : reads::followers(snapshot, user, after, kBlock);
}

template <class Visit>
void for_each_edge(const Snapshot& snapshot, EdgeSide side, UserNumber user, Visit visit) {
  UserNumber after = kNobody;
  for (;;) {
    const EdgePage page = page_of(snapshot, side, user, after);
    for (const Edge& edge : page.edges) visit(edge);
    if (!page.more || page.edges.empty()) return;
    after = page.edges.back().other;
  }
}

// Counts the user's posts that are not private.
std::int64_t count_posts(const Snapshot& snapshot, UserNumber user) {
  std::int64_t count = 0;
  IdRange rest;
  for (;;) {
    const auto entries =
        snapshot.author_entries({{&user, 1}, kSharedLevels}, rest, Direction::kDown, kBlock);
    count += static_cast<std::int64_t>(entries.size());
    if (entries.size() < kBlock) return count;
    rest.below = entries.back().id;
  }
}

// Runs `look`. Reports damaged data of this user and returns false.
template <class Look>
bool readable(Examination& exam, UserNumber user, Look look) {
  try {
    look();
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt) throw;
    exam.find(FindingKind::kCounter, error.what(), user);
    return false;
  }
}

// Walks one side of a user's edges, perhaps through several states. `visit` gets each page with the
// state that it was read from.
template <class Visit>
void walk_edges(Walk& walk, EdgeSide side, UserNumber user, Visit visit) {
  UserNumber after = kNobody;
  for (;;) {
    const EdgePage page = page_of(walk.snapshot(), side, user, after);
    if (!page.edges.empty()) visit(std::span(page.edges));
    if (!page.more || page.edges.empty()) return;
    after = page.edges.back().other;
    walk.rest(page.edges.size());
  }
}

// The user numbers that have a card.
class KnownNumbers {
 public:
  explicit KnownNumbers(Walk& walk) {
    for_each_card(walk, [&](const AuthorCard& card) {
      if (cards_.size() <= card.number.value) cards_.resize(card.number.value + 1);
      cards_[card.number.value] = true;
    });
  }
  // One above the highest number.
  [[nodiscard]] std::size_t end() const { return cards_.size(); }
  [[nodiscard]] bool has(UserNumber user) const {
    return user.value < cards_.size() && cards_[user.value];
  }

 private:
  std::vector<bool> cards_;
};

// Edges, counters and tiers of a range of users.
class Neighbourhoods {
 public:
  Neighbourhoods(const CheckInput& stores, Examination& exam, const KnownNumbers& known,
                 UserNumber first)
      : stores_(stores),
        walk_(stores.walk),
        exam_(exam),
        known_(known),
        sums_(first, std::min<std::size_t>(stores.users_at_once, known.end() - first.value)) {}

  void check() {
    for_each_card(walk_, [&](const AuthorCard& card) {
      if (card.presence != Presence::kRemoved) add_edges(card);
    });
    count_logs<tables::AuthorLogs>();
    count_logs<tables::FollowersLogs>();
    compare_all();
    look_closer();
  }
  [[nodiscard]] std::uint64_t users() const { return users_; }
  [[nodiscard]] std::uint64_t follows() const { return follows_; }

 private:
  void add_edges(const AuthorCard& card) {
    const UserNumber user = card.number;
    const bool is_own = sums_.has(user);
    const bool is_read = readable(exam_, user, [&] {
      walk_edges(walk_, EdgeSide::kFollowing, user, [&](std::span<const Edge> edges) {
        for (const Edge& edge : edges) sums_.add_followee(user, edge.other, edge.since);
        if (is_own) check_ends(card, EdgeSide::kFollowing, edges);
      });
      if (!is_own) return;
      walk_edges(walk_, EdgeSide::kFollowers, user, [&](std::span<const Edge> edges) {
        for (const Edge& edge : edges) sums_.add_follower(edge.other, user, edge.since);
        check_ends(card, EdgeSide::kFollowers, edges);
      });
    });
    if (!is_read) sums_.set_broken(user);
    if (is_own && is_read) follows_ += sums_.following(user);
  }

  void check_ends(const AuthorCard& card, EdgeSide side, std::span<const Edge> edges) {
    for (const Edge& edge : edges) {
      if (side == EdgeSide::kFollowing && edge.other == card.number) {
        exam_.find(FindingKind::kEdge, fmt::format("{} follows themselves", who(card)),
                   card.number);
      }
      if (known_.has(edge.other) || stores_.snapshot.find(tables::Cards::Key{edge.other})) continue;
      exam_.find(FindingKind::kEdge,
                 fmt::format("an edge of {} leads to user number {}, who does not exist", who(card),
                             edge.other.value),
                 card.number);
    }
  }

  template <class Log>
  void count_logs() {
    typename Log::Key after{};
    for (;;) {
      const auto rows = reads::above<Log>(walk_.snapshot(), after, kBlock);
      if (rows.empty()) return;
      for (const auto& [key, nothing] : rows) sums_.add_post(key.author);
      after = rows.back().first;
      walk_.rest(rows.size());
    }
  }

  // Compares tiers, and counters with the sums, within one state. The sums may come from other
  // states.
  void compare_all() {
    for_each_cards(walk_, [&](std::span<const AuthorCard> cards) {
      std::vector<AuthorCard> there;
      for (const AuthorCard& card : cards) {
        const bool is_own = sums_.has(card.number) && card.presence != Presence::kRemoved;
        if (is_own) there.push_back(card);
      }
      users_ += there.size();
      try {
        compare(there);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kCorrupt) throw;
        for (const AuthorCard& card : there) {
          readable(exam_, card.number, [&] { compare({&card, 1}); });
        }
      }
    });
  }

  void compare(std::span<const AuthorCard> cards) {
    std::vector<UserNumber> numbers;
    std::vector<tables::UserCounts::Key> keys;
    std::vector<tables::Marks::Key> mark_keys;
    for (const AuthorCard& card : cards) {
      numbers.push_back(card.number);
      keys.push_back({card.number});
      mark_keys.push_back({card.number});
    }
    const auto counters = stores_.snapshot.counters(numbers);
    const auto stored = stores_.snapshot.find_all(keys);
    const auto marks = stores_.snapshot.find_all(mark_keys);
    const auto due = rules::tiers_due(stores_.snapshot);
    const feed::FeedSettings settings = stores_.state().settings;
    for (std::size_t i = 0; i < cards.size(); ++i) {
      const UserNumber user = numbers[i];
      if (!sums_.is_zero(user)) suspected_edges_.push_back(user);
      if (sums_.is_broken(user)) continue;
      const bool is_equal = counters[i].followers == sums_.followers(user) &&
                            counters[i].following == sums_.following(user) &&
                            counters[i].posts == sums_.posts(user);
      if (!is_equal) suspected_counters_.push_back(user);
      if (due && user >= *due) continue;
      check_tier(cards[i], stored[i].value_or(UserCounters{}), marks[i], settings);
    }
  }

  void check_tier(const AuthorCard& card, const UserCounters& stored,
                  const std::optional<feed::AuthorMark>& mark, const feed::FeedSettings& settings) {
    const feed::Tier tier = mark ? mark->tier : feed::Tier::kRegular;
    const feed::Tier due = feed::next_tier(tier, stored.followers, settings);
    if (tier == due) return;
    exam_.find(FindingKind::kTier,
               fmt::format("{} with {} followers has the tier {}, not {}", who(card),
                           stored.followers, feed::name(tier), feed::name(due)),
               card.number);
  }

  [[nodiscard]] std::optional<AuthorCard> card_of(UserNumber user) const {
    auto card = stores_.snapshot.find(tables::Cards::Key{user});
    if (card && card->presence == Presence::kRemoved) card.reset();
    return card;
  }

  // Checks the suspected users again, each edge and all counters of a user in one state.
  // These findings are certain.
  void look_closer() {
    for (const UserNumber user : suspected_counters_) {
      readable(exam_, user, [&] { compare_counters(user); });
      walk_.rest();
    }
    if (suspected_edges_.empty()) return;
    for (const UserNumber user : suspected_edges_) {
      readable(exam_, user, [&] { check_followers(user); });
    }
    for_each_card(walk_, [&](const AuthorCard& card) {
      if (card.presence == Presence::kRemoved) return;
      try {
        check_followees(card);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kCorrupt) throw;  // reported before
      }
    });
  }

  void compare_counters(UserNumber user) {
    const auto card = card_of(user);
    if (!card) return;
    const UserCounters actual = counted(stores_.snapshot, user);
    const UserCounters counters = stores_.snapshot.counters({&user, 1}).front();
    compare_one(*card, "followers", counters.followers, actual.followers);
    compare_one(*card, "followees", counters.following, actual.following);
    compare_one(*card, "posts", counters.posts, actual.posts);
  }
  void compare_one(const AuthorCard& card, std::string_view what, std::int64_t stored,
                   std::int64_t actual) {
    if (stored == actual) return;
    exam_.find(FindingKind::kCounter,
               fmt::format("{} has {} {}, the counter says {}", who(card), actual, what, stored),
               card.number);
  }

  void check_followers(UserNumber user) {
    walk_edges(walk_, EdgeSide::kFollowers, user, [&](std::span<const Edge> edges) {
      const auto card = card_of(user);
      if (!card) return;
      std::vector<tables::Following::Key> keys;
      for (const Edge& edge : edges) keys.push_back({edge.other, user});
      const auto since = stores_.snapshot.find_all(keys);
      for (std::size_t i = 0; i < edges.size(); ++i) {
        if (since[i] == edges[i].since) continue;
        exam_.find(FindingKind::kEdge,
                   fmt::format("user number {} is a follower of {} but does not follow them",
                               edges[i].other.value, who(*card)),
                   user);
      }
    });
    walk_.rest();
  }

  void check_followees(const AuthorCard& card) {
    walk_edges(walk_, EdgeSide::kFollowing, card.number, [&](std::span<const Edge> edges) {
      std::vector<tables::Followers::Key> keys;
      std::vector<Time> since;
      for (const Edge& edge : edges) {
        if (!std::ranges::binary_search(suspected_edges_, edge.other)) continue;
        keys.push_back({edge.other, card.number});
        since.push_back(edge.since);
      }
      if (keys.empty()) return;
      const auto known = stores_.snapshot.find_all(keys);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (known[i] == since[i]) continue;
        exam_.find(FindingKind::kEdge,
                   fmt::format("{} follows user number {} but is not among their followers",
                               who(card), keys[i].followee.value),
                   keys[i].followee);
      }
    });
  }

  const CheckInput& stores_;
  Walk& walk_;
  Examination& exam_;
  const KnownNumbers& known_;
  EdgeSums sums_;
  std::vector<UserNumber> suspected_edges_;     // ascending
  std::vector<UserNumber> suspected_counters_;  // ascending
  std::uint64_t users_ = 0;
  std::uint64_t follows_ = 0;
};

// A block forbids follows in both directions.
void check_blocks(const CheckInput& stores, Examination& exam) {
  const tables::Relations::Key last{UserNumber{~std::uint32_t{0}}, Relation::kBlock, kNobody};
  tables::Relations::Key first{};
  for (;;) {
    const auto rows = stores.snapshot.range(first, last, Direction::kUp, kBlock);
    std::vector<tables::Relations::Key> blocks;
    std::vector<tables::Following::Key> follows;
    for (const auto& [key, since] : rows) {
      if (key.relation != Relation::kBlock) continue;
      blocks.push_back(key);
      follows.push_back({key.user, key.other});
      follows.push_back({key.other, key.user});
    }
    const auto there = stores.snapshot.find_all(follows);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (!there[2 * i] && !there[2 * i + 1]) continue;
      const auto card = stores.snapshot.find(tables::Cards::Key{blocks[i].user});
      if (!card || card->presence == Presence::kRemoved) continue;
      exam.find(FindingKind::kEdge,
                fmt::format("{} has blocked user number {}, but one of them follows the other",
                            who(*card), blocks[i].other.value));
    }
    if (rows.size() < kBlock) return;
    first = rows.back().first;
    ++first.other.value;
    stores.walk.rest(rows.size());
  }
}

}  // namespace

UserCounters counted(const Snapshot& snapshot, UserNumber user) {
  UserCounters counters;
  for_each_edge(snapshot, EdgeSide::kFollowing, user, [&](const Edge&) { ++counters.following; });
  for_each_edge(snapshot, EdgeSide::kFollowers, user, [&](const Edge&) { ++counters.followers; });
  counters.posts = count_posts(snapshot, user);
  return counters;
}

void check_neighbourhoods(const CheckInput& stores, Examination& exam) {
  std::uint64_t follows = 0;
  std::uint64_t users = 0;
  const KnownNumbers known(stores.walk);
  for (std::size_t first = 1; first < known.end(); first += stores.users_at_once) {
    Neighbourhoods range(stores, exam, known, UserNumber{static_cast<std::uint32_t>(first)});
    range.check();
    follows += range.follows();
    users += range.users();
  }
  check_blocks(stores, exam);
  exam.checked("follows", follows);
  exam.checked("counters", users * 3);
}

}  // namespace chirp::doctor
