#include "core/events/delivery_set.h"

#include <algorithm>
#include <utility>

#include "core/radix_sort.h"

namespace chirp::events {
namespace {

constexpr unsigned kViewerShift = 32;
// Fewer than these are sorted by comparison, which is faster.
constexpr std::size_t kRadixFrom = 4096;

}  // namespace

std::size_t DeliverySet::add_audience(std::vector<UserNumber> viewers) {
  audiences_.push_back(std::move(viewers));
  return audiences_.size() - 1;
}

void DeliverySet::deliver(PostId post, UserNumber author, std::size_t audience) {
  items_.push_back({post, author, audience});
  size_ += audiences_[audience].size();
}

void DeliverySet::sort() {
  std::sort(items_.begin(), items_.end(),
            [](const Item& a, const Item& b) { return a.post > b.post; });
  keys_.clear();
  keys_.reserve(size_);
  for (std::size_t rank = 0; rank < items_.size(); ++rank) {
    for (const UserNumber viewer : audiences_[items_[rank].audience]) {
      keys_.push_back((std::uint64_t{viewer.value} << kViewerShift) | rank);
    }
  }
  if (keys_.size() < kRadixFrom) {
    std::sort(keys_.begin(), keys_.end());
  } else {
    std::vector<std::uint64_t> scratch;
    radix_sort(keys_, scratch);
  }
}

std::size_t DeliverySet::part_end(std::size_t begin, std::size_t count) const {
  std::size_t end = keys_.size() - begin > count ? begin + count : keys_.size();
  while (end > begin && end < keys_.size() && viewer(end) == viewer(end - 1)) ++end;
  return end;
}

std::vector<Delivery> DeliverySet::part(std::size_t begin, std::size_t end) const {
  std::vector<Delivery> deliveries;
  deliveries.reserve(end - begin);
  for (std::size_t at = begin; at < end; ++at) {
    const Item& item = items_[keys_[at] & 0xffff'ffff];
    deliveries.push_back({viewer(at), item.post, item.author});
  }
  return deliveries;
}

}  // namespace chirp::events
