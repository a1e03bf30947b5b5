#include "core/load/id_table.h"

#include <bit>

namespace chirp::load {

Slot IdTable::add(SourceId id, std::size_t at) {
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

void IdTable::rehash(std::size_t buckets) {
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(buckets));
  buckets_.assign(buckets, 0);
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    std::size_t at = bucket(ids_[i].value);
    while (buckets_[at] != 0) at = (at + 1) & (buckets - 1);
    buckets_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

void IdTable::clear() {
  if (ids_.capacity() > kReservedFrom) {
    *this = IdTable(most_);
    return;
  }
  ids_.clear();
  numbers_.clear();
  buckets_.assign(buckets_.size(), 0);
}

}  // namespace chirp::load
