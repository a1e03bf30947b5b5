// Deliveries gathered in memory, by follower.
//
// A delivery is one 64-bit key: the viewer in the upper half, the post's rank (newest first) in the
// lower half. Sorted, the keys are in the order in which timelines are stored and merged, so a
// flush touches each timeline once. Nothing is allocated for a single delivery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ports/steps.h"

namespace chirp::events {

class DeliverySet {
 public:
  // Adds users who get the same posts. Returns the number of this audience.
  std::size_t add_audience(std::vector<UserNumber> viewers);
  [[nodiscard]] std::span<const UserNumber> audience(std::size_t number) const {
    return audiences_[number];
  }
  void deliver(PostId post, UserNumber author, std::size_t audience);

  // Drops the deliveries so far to viewers for whom `absent(viewer)` returns true.
  template <class Absent>
  void leave_out(const Absent& absent) {
    for (auto& viewers : audiences_) std::erase_if(viewers, absent);
    size_ = 0;
    for (const Item& item : items_) size_ += audiences_[item.audience].size();
  }

  // Deliveries so far.
  [[nodiscard]] std::size_t size() const { return size_; }
  // Sorts them. Deliver nothing afterwards.
  void sort();

  // ---- of a sorted set
  // The end of a part of about `count` deliveries from `begin` on. All deliveries of a viewer are
  // in one part.
  [[nodiscard]] std::size_t part_end(std::size_t begin, std::size_t count) const;
  [[nodiscard]] std::vector<Delivery> part(std::size_t begin, std::size_t end) const;

 private:
  struct Item {
    PostId post;
    UserNumber author;
    std::size_t audience = 0;
  };
  [[nodiscard]] UserNumber viewer(std::size_t at) const {
    return UserNumber{static_cast<std::uint32_t>(keys_[at] >> 32)};
  }

  std::vector<std::vector<UserNumber>> audiences_;
  std::vector<Item> items_;          // sorted: newest first
  std::vector<std::uint64_t> keys_;  // filled by sort()
  std::size_t size_ = 0;
};

}  // namespace chirp::events
