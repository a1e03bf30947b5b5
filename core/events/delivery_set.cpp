#include "core/events/delivery_set.h"

#include <algorithm>
#include <array>
#include <utility>

namespace chirp::events {
namespace {

constexpr unsigned kViewerShift = 32;
constexpr unsigned kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
// Below this comparing is quicker than counting.
constexpr std::size_t kRadixFrom = 4096;

// By viewer, keeping the order of keys with one viewer: a counting sort a digit.
void radix_sort(std::vector<std::uint64_t>& keys) {
  std::vector<std::uint64_t> other(keys.size());
  for (unsigned shift = kViewerShift; shift < 64; shift += kDigitBits) {
    std::array<std::size_t, kDigits> starts{};
    for (const std::uint64_t key : keys) ++starts[(key >> shift) % kDigits];
    if (starts[(keys.front() >> shift) % kDigits] == keys.size()) continue;  // all alike
    std::size_t sum = 0;
    for (std::size_t& start : starts) sum += std::exchange(start, sum);
    for (const std::uint64_t key : keys) other[starts[(key >> shift) % kDigits]++] = key;
    keys.swap(other);
  }
}

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
    radix_sort(keys_);
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
