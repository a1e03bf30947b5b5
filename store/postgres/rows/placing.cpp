#include "store/postgres/rows/placing.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include <xxhash.h>

namespace chirp::postgres {

std::uint32_t bucket_of_bytes(std::string_view bytes, std::uint32_t buckets) {
  return static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()) % buckets);
}

std::uint32_t bucket_of(SourceId source, std::uint32_t buckets) {
  std::string bytes;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    bytes.push_back(static_cast<char>(source.value >> shift));
  }
  return bucket_of_bytes(bytes, buckets);
}

Placing::Placing(std::vector<Group> groups_by_bucket)
    : by_bucket_(std::move(groups_by_bucket)), groups_(std::ranges::max(by_bucket_)) {}

std::uint64_t Placing::buckets_of(Group group) const {
  return static_cast<std::uint64_t>(std::ranges::count(by_bucket_, group));
}

std::vector<Group> Placing::all() const {
  if (is_one()) return {kHome};
  std::vector<Group> groups(groups_);
  std::iota(groups.begin(), groups.end(), Group{1});
  return groups;
}

}  // namespace chirp::postgres
