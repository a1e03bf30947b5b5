// Which rows lie where: in one database all of them, or at home what is of the whole and at others
// the rest, by the bucket of what a key begins with.
//
// A bucket never changes: users' numbers go round, ids by their time and their last digits, so that
// the posts of one moment lie apart; names of other programs by a hash of all of it. An example, of
// two servers beside home that have four buckets in turns:
//
//   const Placing placing({1, 2, 1, 2});
//   placing.group_of(UserNumber{6});  // bucket 2, so group 1
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/ports/tables.h"

namespace chirp::postgres {

// What is asked together: a server, or where buckets move by themselves one bucket.
using Group = std::uint32_t;
// Has the commits, the log, the users and what else is of the whole; in one database all.
inline constexpr Group kHome = 0;

// A power of two in these bounds.
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

template <class T, class... Some>
constexpr bool kIsOneOf = (std::is_same_v<T, Some> || ...);
// Tables whose rows are few, or whose order is that of the whole.
template <class T>
constexpr bool kIsAtHome = kIsOneOf<T, tables::Events, tables::FanOutQueue, tables::Removals,
                                    tables::PostRemovals, tables::PlainSettings, tables::Marks,
                                    tables::UserIds, tables::UserSources, tables::UserWords>;

class Placing {
 public:
  // One database.
  Placing() = default;
  // Of each bucket its group, from 1 on.
  explicit Placing(std::vector<Group> groups_by_bucket);

  // Besides home.
  [[nodiscard]] std::uint32_t groups() const { return groups_; }
  [[nodiscard]] bool is_one() const { return groups_ == 0; }
  template <class Field>
  [[nodiscard]] Group group_of(const Field& field) const {
    if (is_one()) return kHome;
    return by_bucket_[bucket_of(field, static_cast<std::uint32_t>(by_bucket_.size()))];
  }
  // Where a row lies.
  template <class T>
  [[nodiscard]] Group group_of_row(const typename T::Key& key) const {
    if constexpr (kIsAtHome<T>) {
      return kHome;
    } else {
      const auto& first = first_field(key);
      return group_of(first);
    }
  }
  // Whether all rows from one key to another lie where the first one does.
  template <class T>
  [[nodiscard]] bool is_of_one_group(const typename T::Key& first,
                                     const typename T::Key& last) const {
    return is_one() || kIsAtHome<T> || first_field(first) == first_field(last);
  }
  // One that has the table.
  template <class T>
  [[nodiscard]] Group any_of() const {
    return is_one() || kIsAtHome<T> ? kHome : 1;
  }
  [[nodiscard]] std::uint64_t buckets_of(Group group) const;
  // All that hold rows of users and contents.
  [[nodiscard]] std::vector<Group> all() const;
  [[nodiscard]] Group any() const { return is_one() ? kHome : 1; }

 private:
  template <class TableKey>
  static const auto& first_field(const TableKey& key);

  std::vector<Group> by_bucket_;
  std::uint32_t groups_ = 0;
};

// ---- fields of keys

// Calls `take` with the fields of a key.
struct AnyField {
  template <class Field>
  operator Field() const;
};
template <class TableKey, class Take>
void with_fields(TableKey& fields, Take take) {
  using Plain = std::remove_const_t<TableKey>;
  if constexpr (requires { Plain{AnyField(), AnyField(), AnyField()}; }) {
    auto& [first, second, third] = fields;
    take(first, second, third);
  } else if constexpr (requires { Plain{AnyField(), AnyField()}; }) {
    auto& [first, second] = fields;
    take(first, second);
  } else {
    auto& [first] = fields;
    take(first);
  }
}
template <class TableKey>
const auto& Placing::first_field(const TableKey& key) {
  if constexpr (requires { TableKey{AnyField(), AnyField(), AnyField()}; }) {
    const auto& [first, second, third] = key;
    return first;
  } else if constexpr (requires { TableKey{AnyField(), AnyField()}; }) {
    const auto& [first, second] = key;
    return first;
  } else {
    const auto& [first] = key;
    return first;
  }
}

}  // namespace chirp::postgres
