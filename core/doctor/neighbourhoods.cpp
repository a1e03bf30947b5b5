// Edges, counters and tiers: all that belongs to one user.
#include <algorithm>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/settings.h"
#include "core/rules/writing.h"

namespace chirp::doctor {
namespace {

enum class Side : std::uint8_t { kFollowing, kFollowers };

EdgePage page_of(const Snapshot& snapshot, Side side, UserNumber user, UserNumber after) {
  return side == Side::kFollowing ? reads::following(snapshot, user, after, kBlock)
                                  : reads::followers(snapshot, user, after, kBlock);
}

template <class Visit>
void for_each_edge(const Snapshot& snapshot, Side side, UserNumber user, Visit visit) {
  UserNumber after = kNobody;
  for (;;) {
    const EdgePage page = page_of(snapshot, side, user, after);
    for (const Edge& edge : page.edges) visit(edge);
    if (!page.more || page.edges.empty()) return;
    after = page.edges.back().other;
  }
}

// Since when `follower` is among the followers of `followee`, as that direction has it.
std::optional<Time> follower_since(const Snapshot& snapshot, UserNumber followee,
                                   UserNumber follower) {
  const EdgePage page = reads::followers(snapshot, followee, UserNumber{follower.value - 1}, 1);
  if (page.edges.empty() || page.edges.front().other != follower) return std::nullopt;
  return page.edges.front().since;
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

// Walks one user's edges, and returns how many the user follows and is followed by.
UserCounters check_edges(const Stores& stores, const AuthorCard& card, Examination& exam) {
  const Snapshot& snapshot = stores.snapshot;
  UserCounters found;
  std::vector<UserNumber> others;
  for_each_edge(snapshot, Side::kFollowing, card.number, [&](const Edge& edge) {
    ++found.following;
    others.push_back(edge.other);
    if (edge.other == card.number) {
      exam.find(Kind::kEdge, fmt::format("{} follows themselves", who(card)), card.number);
    }
    if (follower_since(snapshot, edge.other, card.number) != edge.since) {
      exam.find(Kind::kEdge,
                fmt::format("{} follows user number {}, who does not know it", who(card),
                            edge.other.value),
                edge.other);
    }
  });
  for_each_edge(snapshot, Side::kFollowers, card.number, [&](const Edge& edge) {
    ++found.followers;
    others.push_back(edge.other);
    if (reads::follows(snapshot, edge.other, card.number) != edge.since) {
      exam.find(Kind::kEdge,
                fmt::format("user number {} is a follower of {} without following",
                            edge.other.value, who(card)),
                card.number);
    }
  });
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  const auto cards = reads::cards(snapshot, others);
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (cards[i]) continue;
    exam.find(Kind::kEdge,
              fmt::format("an edge of {} leads to user number {}, who is nobody", who(card),
                          others[i].value),
              card.number);
  }
  return found;
}

// A block forbids follows in both directions.
void check_blocks(const Stores& stores, const AuthorCard& card, Examination& exam) {
  const Snapshot& snapshot = stores.snapshot;
  UserNumber after = kNobody;
  for (bool more = stores.state.relations > 0; more;) {
    const EdgePage page = reads::related(snapshot, card.number, Relation::kBlock, after, kBlock);
    std::vector<tables::Following::Key> follows;
    for (const Edge& edge : page.edges) {
      follows.push_back({card.number, edge.other});
      follows.push_back({edge.other, card.number});
    }
    const auto there = snapshot.find_all(std::span<const tables::Following::Key>(follows));
    for (std::size_t i = 0; i < page.edges.size(); ++i) {
      if (!there[2 * i] && !there[2 * i + 1]) continue;
      exam.find(Kind::kEdge, fmt::format("{} has blocked user number {}, but one of both follows "
                                         "the other",
                                         who(card), page.edges[i].other.value));
    }
    more = page.more && !page.edges.empty();
    if (more) after = page.edges.back().other;
  }
}

void compare(const AuthorCard& card, std::string_view what, std::int64_t stored,
             std::int64_t actual, Examination& exam) {
  if (stored == actual) return;
  exam.find(Kind::kCounter,
            fmt::format("{} has {} {}, the counter says {}", who(card), actual, what, stored),
            card.number);
}

// The stored counters, read along with the cards in the same order.
class StoredCounters {
 public:
  explicit StoredCounters(const Snapshot& snapshot) : snapshot_(snapshot) {}

  // `number` must rise from call to call. Empty for all numbers once a record could not be read.
  std::optional<UserCounters> of(UserNumber number) {
    try {
      if (readable_) return find(number);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCorrupt) throw;
      readable_ = false;  // who it belongs to is found when their counters are compared
    }
    return std::nullopt;
  }

 private:
  UserCounters find(UserNumber number) {
    while (at_ == block_.size() || block_[at_].first < number) {
      if (at_ < block_.size()) {
        ++at_;
        continue;
      }
      block_ = reads::counters_above(snapshot_, after_, kBlock);
      at_ = 0;
      if (block_.empty()) return {};
      after_ = block_.back().first;
    }
    return block_[at_].first == number ? block_[at_].second : UserCounters{};
  }

  const Snapshot& snapshot_;
  bool readable_ = true;
  UserNumber after_ = kNobody;
  std::vector<std::pair<UserNumber, UserCounters>> block_;
  std::size_t at_ = 0;
};

void check_tier(const Stores& stores, const AuthorCard& card, const UserCounters& stored,
                Examination& exam) {
  const auto mark = stores.snapshot.find(tables::Marks::Key{card.number});
  const feed::Tier tier = mark ? mark->tier : feed::Tier::kRegular;
  const feed::Tier due = feed::next_tier(tier, stored.followers, stores.state.settings);
  if (tier == due) return;
  exam.find(Kind::kTier,
            fmt::format("{} with {} followers is {}, not {}", who(card), stored.followers,
                        feed::name(tier), feed::name(due)),
            card.number);
}

// Checks edges and counters of one user, and returns how many others the user follows.
std::uint64_t check_user(const Stores& stores, const AuthorCard& card, Examination& exam) {
  UserCounters actual = check_edges(stores, card, exam);
  check_blocks(stores, card, exam);
  actual.posts = count_posts(stores.snapshot, card.number);
  const UserCounters counters = stores.snapshot.counters({&card.number, 1}).front();
  compare(card, "followers", counters.followers, actual.followers, exam);
  compare(card, "followees", counters.following, actual.following, exam);
  compare(card, "posts", counters.posts, actual.posts, exam);
  return static_cast<std::uint64_t>(actual.following);
}

// Adds the authors of private posts in events that the counters' consumer has not processed yet.
// Their counters may include private posts, like those of authors who have some now.
void add_pending(const Snapshot& snapshot, std::set<UserNumber>& authors) {
  for (Sequence from = snapshot.state().counters;;) {
    const auto events = reads::events(snapshot, from, kBlock);
    if (events.empty()) return;
    for (const events::Event& event : events) {
      if (!counts_for_author(event.privacy)) authors.insert(event.actor);
    }
    from = Sequence{events.back().sequence.value + 1};
  }
}

}  // namespace

UserCounters counted(const Snapshot& snapshot, UserNumber user) {
  UserCounters counters;
  for_each_edge(snapshot, Side::kFollowing, user, [&](const Edge&) { ++counters.following; });
  for_each_edge(snapshot, Side::kFollowers, user, [&](const Edge&) { ++counters.followers; });
  counters.posts = count_posts(snapshot, user);
  return counters;
}

void check_neighbourhoods(const Stores& stores, Examination& exam) {
  std::uint64_t follows = 0;
  std::uint64_t users = 0;
  StoredCounters stored_counters(stores.snapshot);
  const auto tiers_due = rules::tiers_due(stores.snapshot);
  for_each_card(stores.snapshot, [&](const AuthorCard& card) {
    if (card.presence == Presence::kRemoved) return;
    ++users;
    const auto stored = stored_counters.of(card.number);
    try {
      follows += check_user(stores, card, exam);
      const bool waits = tiers_due && card.number >= *tiers_due;
      if (stored && !waits) check_tier(stores, card, *stored, exam);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCorrupt) throw;
      exam.find(Kind::kCounter, error.what(), card.number);
    }
  });
  exam.checked("follows", follows);
  exam.checked("counters", users * 3);
}

void separate_levels(Storage& storage, Time now, const Walked& walked) {
  std::set<UserNumber> miscounted;
  add_pending(*storage.snapshot(), miscounted);
  std::vector<Post> hidden;
  const auto flush = [&](std::size_t from) {
    if (hidden.size() < from) return;
    rules::repair_logs(storage, hidden, now);
    hidden.clear();
  };
  // Each block is read from a new state, because an old state that is kept open prevents its pages
  // from being reused.
  for (PostId after = kBelowAllPosts;;) {
    const auto posts = reads::rows_above<tables::Posts>(*storage.snapshot(), {after}, kBlock);
    if (posts.empty()) break;
    after = posts.back().id;
    for (const Post& post : posts) {
      if (post.privacy == Privacy::kPublic) continue;
      if (!counts_for_author(post.privacy)) miscounted.insert(post.author);
      hidden.push_back(post);
      flush(kRepairedAtOnce);
    }
    if (walked) walked(posts.size());
  }
  flush(1);
  for (const UserNumber user : miscounted) {
    rules::repair_counters(storage, user, counted(*storage.snapshot(), user), now);
  }
}

}  // namespace chirp::doctor
