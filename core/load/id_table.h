// Maps source ids to small dense slots, which a window of edges or a batch of posts refers to.
//
// Bounded: the owner asks has_room() before it continues, and clears the table between windows. 20
// bytes per source id, without an allocation for each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/ids.h"

namespace chirp::load {

// The place of a source id in the table: 0, 1, 2, … in the order of appearance.
using Slot = std::uint32_t;

class IdTable {
 public:
  explicit IdTable(std::size_t most) : most_(most) { rehash(kFirstBuckets); }

  // Finds the id or adds it.
  Slot slot_of(SourceId id) {
    std::size_t at = bucket(id.value);
    for (;;) {
      const std::uint32_t taken = buckets_[at];
      if (taken == 0) return add(id, at);
      if (ids_[taken - 1] == id) return taken - 1;
      at = (at + 1) & (buckets_.size() - 1);
    }
  }
  // Adds nothing.
  [[nodiscard]] std::optional<Slot> find(SourceId id) const {
    for (std::size_t at = bucket(id.value);; at = (at + 1) & (buckets_.size() - 1)) {
      const std::uint32_t taken = buckets_[at];
      if (taken == 0) return std::nullopt;
      if (ids_[taken - 1] == id) return taken - 1;
    }
  }
  // Prefetches the bucket of an id that slot_of is about to need.
  void prefetch(SourceId id) const { __builtin_prefetch(&buckets_[bucket(id.value)]); }

  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  // Whether at least `spare` more ids fit.
  [[nodiscard]] bool has_room(std::size_t spare) const { return ids_.size() + spare <= most_; }
  [[nodiscard]] SourceId id(Slot slot) const { return ids_[slot]; }
  // kNobody until set.
  [[nodiscard]] UserNumber number(Slot slot) const { return numbers_[slot]; }
  void set_number(Slot slot, UserNumber number) { numbers_[slot] = number; }

  // A large table releases its memory.
  void clear();

 private:
  static constexpr std::size_t kFirstBuckets = 1024;
  // A table with so many ids reserves room for the maximum, and releases its memory when it is
  // cleared.
  static constexpr std::size_t kReservedFrom = std::size_t{1} << 21;

  [[nodiscard]] std::size_t bucket(std::uint64_t id) const {
    return static_cast<std::size_t>((id * 0x9E37'79B9'7F4A'7C15u) >> shift_);
  }
  Slot add(SourceId id, std::size_t at);
  void rehash(std::size_t buckets);

  std::size_t most_;
  unsigned shift_ = 0;
  std::vector<std::uint32_t> buckets_;  // slot + 1, or 0 for none; a power of two
  std::vector<SourceId> ids_;
  std::vector<UserNumber> numbers_;
};

inline Slot IdTable::add(SourceId id, std::size_t at) {
  if (ids_.size() == kReservedFrom) {  // a large table must not be copied while it grows
    ids_.reserve(most_);
    numbers_.reserve(most_);
  }
  ids_.push_back(id);
  numbers_.push_back(kNobody);
  const auto slot = static_cast<Slot>(ids_.size() - 1);
  buckets_[at] = slot + 1;
  if (ids_.size() * 2 > buckets_.size() && buckets_.size() * 3 < most_ * 4) {
    rehash(buckets_.size() * 2);
  }
  return slot;
}

inline void IdTable::rehash(std::size_t buckets) {
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(buckets));
  buckets_.assign(buckets, 0);
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    std::size_t at = bucket(ids_[i].value);
    while (buckets_[at] != 0) at = (at + 1) & (buckets - 1);
    buckets_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

inline void IdTable::clear() {
  if (ids_.capacity() > kReservedFrom) {
    *this = IdTable(most_);
    return;
  }
  ids_.clear();
  numbers_.clear();
  buckets_.assign(buckets_.size(), 0);
}

}  // namespace chirp::load
