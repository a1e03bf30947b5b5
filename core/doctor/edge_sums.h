// Sums over the two directions of follows, by user: both are read once, in order, without a look-up
// for each edge.
//
// Walking the following lists adds a hash of (follower, followee, since) to the followee; walking
// the followers subtracts it. If all edges match and nobody has written meanwhile, each user's sum
// is zero. So a sum only tells which users need a closer check.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/ids.h"
#include "core/model/time.h"

namespace chirp::doctor {

class EdgeSums {
 public:
  // Covers `users` users from `first` on, 20 bytes of memory each.
  EdgeSums(UserNumber first, std::size_t users)
      : first_(first), sums_(users), counts_(users), broken_(users) {}

  [[nodiscard]] bool has(UserNumber user) const {
    return user >= first_ && user.value - first_.value < sums_.size();
  }

  void add_followee(UserNumber follower, UserNumber followee, Time since) {
    if (has(followee)) sums_[place(followee)] += hash(follower, followee, since);
    if (has(follower)) ++counts_[place(follower)].following;
  }
  // The followee must be covered.
  void add_follower(UserNumber follower, UserNumber followee, Time since) {
    sums_[place(followee)] -= hash(follower, followee, since);
    ++counts_[place(followee)].followers;
  }
  void add_post(UserNumber author) {
    if (has(author)) ++counts_[place(author)].posts;
  }
  // Marks a user whose edges can't be read.
  void set_broken(UserNumber user) {
    if (has(user)) broken_[place(user)] = true;
  }

  [[nodiscard]] bool is_zero(UserNumber user) const { return sums_[place(user)] == 0; }
  [[nodiscard]] bool is_broken(UserNumber user) const { return broken_[place(user)]; }
  [[nodiscard]] std::uint32_t following(UserNumber user) const {
    return counts_[place(user)].following;
  }
  [[nodiscard]] std::uint32_t followers(UserNumber user) const {
    return counts_[place(user)].followers;
  }
  [[nodiscard]] std::uint32_t posts(UserNumber user) const { return counts_[place(user)].posts; }

 private:
  struct Counts {
    std::uint32_t following = 0;
    std::uint32_t followers = 0;
    std::uint32_t posts = 0;
  };

  static std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xBF58'476D'1CE4'E5B9u;
    x ^= x >> 27;
    x *= 0x94D0'49BB'1331'11EBu;
    return x ^ (x >> 31);
  }
  static std::uint64_t hash(UserNumber follower, UserNumber followee, Time since) {
    const std::uint64_t edge = std::uint64_t{follower.value} << 32 | followee.value;
    return mixed(mixed(edge + 0x9E37'79B9'7F4A'7C15u) + static_cast<std::uint64_t>(since.ms));
  }
  [[nodiscard]] std::size_t place(UserNumber user) const { return user.value - first_.value; }

  UserNumber first_;
  std::vector<std::uint64_t> sums_;
  std::vector<Counts> counts_;
  std::vector<bool> broken_;
};

}  // namespace chirp::doctor
