// Generates a believable follow graph: most follows stay inside communities, many of them are
// mutual, some accounts have very many followers and some follow very many.
//
// Users are 0, 1, 2, …; a community is a range of them. Each user's followees can be computed
// separately, in any order: only a degree is stored for each user.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/load/seed_random.h"

namespace chirp::load {

class SeedGraph {
 public:
  // `follows` is the total; at most users * (users - 1).
  SeedGraph(std::uint32_t users, std::uint64_t follows, std::uint64_t seed);

  [[nodiscard]] std::uint32_t users() const { return static_cast<std::uint32_t>(degrees_.size()); }
  // The users that `user` follows, without duplicates and without `user`. Valid until the next
  // call.
  [[nodiscard]] std::span<const std::uint32_t> followees(std::uint32_t user);

  // The community of `user`, a run of users; the first ones have the most followers.
  struct Community {
    std::uint32_t ordinal;
    std::uint32_t first;
    std::uint32_t size;
  };
  [[nodiscard]] Community community(std::uint32_t user) const;

 private:
  void share_out(std::uint64_t follows);
  void draw_communities();
  bool take(std::uint32_t user, std::uint32_t followee);
  void take_friends(std::uint32_t user, const Community& home);
  [[nodiscard]] std::uint32_t friends_wanted(std::uint32_t user) const;
  [[nodiscard]] std::uint32_t famous(std::uint64_t rank) const;

  std::uint64_t seed_;
  std::vector<std::uint32_t> degrees_;  // the number of follows of each user
  std::vector<std::uint32_t> firsts_;   // of the communities, ascending
  std::uint64_t stride_ = 1;            // scatters famous users over all communities
  std::vector<std::uint32_t> taken_;
  std::vector<std::uint32_t> buckets_;  // a hash table of the chosen followees: user + 1, or 0
};

}  // namespace chirp::load
