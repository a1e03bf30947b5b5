// Which group stores which rows. One database stores all rows. With several, home stores the global
// tables, and the other servers the rest, by the bucket of the first field of the key.
//
// A bucket never changes. User numbers are distributed round robin, ids by their time and last
// digits, so posts of one moment are spread, and source ids by a hash. Two servers beside home with
// four buckets in turns:
//
//   const Placing placing({1, 2, 1, 2});
//   placing.group_of(UserNumber{6});  // bucket 2, so group 1
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/ids.h"

namespace chirp::postgres {

// Rows that are queried together: those of a server or, where buckets can move, of one bucket.
using Group = std::uint32_t;
// Stores the commits, the log, the users and other global tables; in one database, everything.
inline constexpr Group kHome = 0;

// The number of buckets: a power of two within these bounds.
inline constexpr std::uint32_t kBucketsLeast = 16;
inline constexpr std::uint32_t kBucketsUsual = 64;
inline constexpr std::uint32_t kBucketsMost = 1024;

[[nodiscard]] std::uint32_t bucket_of_bytes(std::string_view bytes, std::uint32_t buckets);
template <class Tag>
[[nodiscard]] constexpr std::uint32_t bucket_of(StrongId<Tag, std::uint32_t> user,
                                                std::uint32_t buckets) {
  return user.value % buckets;
}
template <class Tag>
[[nodiscard]] constexpr std::uint32_t bucket_of(StrongId<Tag, std::uint64_t> id,
                                                std::uint32_t buckets) {
  constexpr std::uint64_t kSpread = 40'503;
  constexpr std::uint64_t kSequences = 4'096;
  const std::uint64_t mixed = (id.value >> snowflake::kTimeShift) * kSpread + id.value % kSequences;
  return static_cast<std::uint32_t>((mixed >> 10) % buckets);
}
[[nodiscard]] std::uint32_t bucket_of(SourceId source, std::uint32_t buckets);
[[nodiscard]] inline std::uint32_t bucket_of(const std::string& word, std::uint32_t buckets) {
  return bucket_of_bytes(word, buckets);
}

class Placing {
 public:
  // One database.
  Placing() = default;
  // `groups_by_bucket` gives the group of each bucket, from 1 on.
  explicit Placing(std::vector<Group> groups_by_bucket);

  // Number of groups, without home.
  [[nodiscard]] std::uint32_t groups() const { return groups_; }
  [[nodiscard]] bool is_one() const { return groups_ == 0; }
  template <class Field>
  [[nodiscard]] Group group_of(const Field& field) const {
    if (is_one()) return kHome;
    return by_bucket_[bucket_of(field, static_cast<std::uint32_t>(by_bucket_.size()))];
  }
  [[nodiscard]] std::uint64_t buckets_of(Group group) const;
  // All groups that store rows of users and contents.
  [[nodiscard]] std::vector<Group> all() const;
  [[nodiscard]] Group any() const { return is_one() ? kHome : 1; }

 private:
  std::vector<Group> by_bucket_;
  std::uint32_t groups_ = 0;
};

}  // namespace chirp::postgres
