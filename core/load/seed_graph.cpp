#include "core/load/seed_graph.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/error.h"

namespace chirp::load {
namespace {

// Streams of random numbers.
constexpr std::uint64_t kDegrees = 1;
constexpr std::uint64_t kCommunities = 2;
constexpr std::uint64_t kFollowees = 3;

// Percentages: the share of a user's follows that go to mutual friends nearby, and the share of the
// others that stay within the community.
constexpr std::uint32_t kFriends = 40;
constexpr std::uint64_t kNearby = 60;
constexpr int kTries = 16;  // attempts to find an unfollowed user, before a plain search

// One in 256 users follows some 35 times as many as most do.
constexpr std::uint64_t degree_weight(std::uint64_t random) {
  return 24 + 1024 / (1 + (random & 255));
}
// From 56 to 2,072 members, some 175 on average.
constexpr std::uint32_t community_size(std::uint64_t random) {
  return static_cast<std::uint32_t>(24 + 2048 / (1 + (random & 63)));
}

}  // namespace

SeedGraph::SeedGraph(std::uint32_t users, std::uint64_t follows, std::uint64_t seed)
    : seed_(seed), degrees_(users, 0) {
  check(follows <= std::uint64_t{users} * (users > 0 ? users - 1 : 0),
        "nobody follows anybody twice");
  share_out(follows);
  draw_communities();
  // Any stride without a common divisor visits every user once.
  for (stride_ = 2'654'435'761u; users > 0 && std::gcd<std::uint64_t>(stride_, users) != 1;)
    ++stride_;
}

// Divides the follows by weight, exactly: the rest of each division goes to the next user.
void SeedGraph::share_out(std::uint64_t follows) {
  std::uint64_t total = 0;
  const auto weight = [this](std::uint64_t user) {
    return degree_weight(SeedRandom(seed_, kDegrees, user).next());
  };
  for (std::uint64_t user = 0; user < users(); ++user) total += weight(user);
  std::uint64_t rest = 0;
  std::uint64_t unplaced = 0;
  const std::uint32_t most = users() == 0 ? 0 : users() - 1;
  for (std::uint32_t user = 0; user < users(); ++user) {
    rest += follows * weight(user);
    const std::uint64_t share = rest / total + unplaced;
    rest %= total;
    degrees_[user] = static_cast<std::uint32_t>(std::min<std::uint64_t>(share, most));
    unplaced = share - degrees_[user];
  }
  for (std::uint32_t& degree : degrees_) {
    const auto more = static_cast<std::uint32_t>(std::min<std::uint64_t>(unplaced, most - degree));
    degree += more;
    unplaced -= more;
  }
}

void SeedGraph::draw_communities() {
  SeedRandom random(seed_, kCommunities, 0);
  for (std::uint64_t first = 0; first < users(); first += community_size(random.next())) {
    firsts_.push_back(static_cast<std::uint32_t>(first));
  }
}

SeedGraph::Community SeedGraph::community(std::uint32_t user) const {
  const auto next = std::ranges::upper_bound(firsts_, user);
  const auto ordinal = static_cast<std::uint32_t>(next - firsts_.begin() - 1);
  const std::uint32_t first = firsts_[ordinal];
  const std::uint32_t end = next == firsts_.end() ? users() : *next;
  return {.ordinal = ordinal, .first = first, .size = end - first};
}

std::uint32_t SeedGraph::famous(std::uint64_t rank) const {
  return static_cast<std::uint32_t>((rank * stride_ + seed_ % users()) % users());
}

// Friends are neighbours on the ring of the community, if both want that many. So each friendship
// is mutual without reading the other's list.
std::uint32_t SeedGraph::friends_wanted(std::uint32_t user) const {
  return degrees_[user] / 100 * kFriends + degrees_[user] % 100 * kFriends / 100;
}

void SeedGraph::take_friends(std::uint32_t user, const Community& home) {
  const std::uint32_t place = user - home.first;
  const std::uint32_t reach = std::min(friends_wanted(user) / 2, (home.size - 1) / 2);
  for (std::uint32_t distance = 1; distance <= reach; ++distance) {
    for (const std::uint32_t at :
         {(place + distance) % home.size, (place + home.size - distance) % home.size}) {
      const std::uint32_t other = home.first + at;
      if (distance <= friends_wanted(other) / 2) take(user, other);
    }
  }
}

bool SeedGraph::take(std::uint32_t user, std::uint32_t followee) {
  if (followee == user) return false;
  const std::size_t mask = buckets_.size() - 1;
  std::size_t at = static_cast<std::size_t>(mixed(followee)) & mask;
  while (buckets_[at] != 0) {
    if (buckets_[at] == followee + 1) return false;
    at = (at + 1) & mask;
  }
  buckets_[at] = followee + 1;
  taken_.push_back(followee);
  return true;
}

std::span<const std::uint32_t> SeedGraph::followees(std::uint32_t user) {
  const std::uint32_t degree = degrees_[user];
  const Community home = community(user);
  taken_.clear();
  buckets_.assign(std::bit_ceil(std::size_t{degree} * 2 + 2), 0);
  take_friends(user, home);
  SeedRandom random(seed_, kFollowees, user);
  while (taken_.size() < degree) {
    bool found = false;
    for (int tries = 0; tries < kTries && !found; ++tries) {
      const bool nearby = random.percent(kNearby);
      const auto followee = nearby
                                ? home.first + static_cast<std::uint32_t>(random.skewed(home.size))
                                : famous(random.very_skewed(users()));
      found = take(user, followee);
    }
    for (auto next = static_cast<std::uint32_t>(random.below(users())); !found;
         next = (next + 1) % users()) {
      found = take(user, next);
    }
  }
  return taken_;
}

}  // namespace chirp::load
