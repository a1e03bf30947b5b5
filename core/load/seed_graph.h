// A believable follow graph out of nothing: most follows stay inside communities, a good part of
// them are mutual, some accounts are followed by very many and some follow very many.
//
// Users are 0, 1, 2, …; a community is a run of them. Each user's followees can be computed alone,
// in any order: nothing is kept but a degree for each user.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/load/seed_random.h"

namespace chirp::load {

class SeedGraph {
 public:
  // `follows` in all; at most users * (users - 1).
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
  std::vector<std::uint32_t> degrees_;  // how many each user follows
  std::vector<std::uint32_t> firsts_;   // of the communities, ascending
  std::uint64_t stride_ = 1;            // scatters the famous over all communities
  std::vector<std::uint32_t> taken_;
  std::vector<std::uint32_t> buckets_;  // of a hash table of what is taken: user + 1, or 0
};

}  // namespace chirp::load
