#include "core/load/edge_window.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/radix_sort.h"

namespace chirp::load {
namespace {

// Fewer keys than these are sorted by comparison, which is as fast and needs no scratch memory.
constexpr std::size_t kRadixFrom = 4096;
constexpr std::size_t kSampleEvery = 64;

constexpr UserNumber follower_of(std::uint64_t key) {
  return {static_cast<std::uint32_t>(key >> 32)};
}
constexpr UserNumber followee_of(std::uint64_t key) { return {static_cast<std::uint32_t>(key)}; }

// The values that divide `values` into `parts` of about equal size.
std::vector<UserNumber> quantiles(std::vector<UserNumber> values, std::size_t parts) {
  std::ranges::sort(values);
  std::vector<UserNumber> bounds;
  for (std::size_t i = 1; i < parts && !values.empty(); ++i) {
    bounds.push_back(values[i * values.size() / parts]);
  }
  return bounds;
}

// Orders the edges of a slice (a range of followers): column by column (a range of followees), and
// each such tile in 4 by 4 cells along a Z, so that a part of a tile is a part of both ranges too.
class Tiling {
 public:
  static constexpr std::size_t kParts = 4;

  // `bounds` divide the followees into kParts times the number of columns.
  explicit Tiling(std::vector<UserNumber> bounds) : bounds_(std::move(bounds)) {}

  // `keys` are sorted. Valid until the next call.
  std::span<const LoadedEdge> ordered(std::span<const std::uint64_t> keys) {
    std::vector<std::size_t> places((bounds_.size() / kParts + 1) * kParts * kParts + 1, 0);
    for (std::size_t i = 0; i < keys.size(); ++i) ++places[cell(i, keys) + 1];
    for (std::size_t i = 1; i < places.size(); ++i) places[i] += places[i - 1];
    edges_.resize(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      edges_[places[cell(i, keys)]++] = {.follower = follower_of(keys[i]),
                                         .followee = followee_of(keys[i])};
    }
    return edges_;
  }

 private:
  [[nodiscard]] std::size_t cell(std::size_t i, std::span<const std::uint64_t> keys) const {
    const auto part = static_cast<std::size_t>(
        std::ranges::upper_bound(bounds_, followee_of(keys[i])) - bounds_.begin());
    const std::size_t row = i * kParts / keys.size();
    const std::size_t column = part % kParts;
    const std::size_t along_z = (row & 2) << 2 | (column & 2) << 1 | (row & 1) << 1 | (column & 1);
    return part / kParts * kParts * kParts + along_z;
  }

  std::vector<UserNumber> bounds_;
  std::vector<LoadedEdge> edges_;
};

}  // namespace

void sort_edges(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch) {
  if (keys.size() < kRadixFrom) {
    std::ranges::sort(keys);
  } else {
    radix_sort(keys, scratch);
  }
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

void EdgeWindow::add_run(std::span<const std::uint64_t> keys) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i % kSampleEvery == 0) samples_.push_back(keys[i]);
    followers_.add(follower_of(keys[i]));
    followees_.add(followee_of(keys[i]));
  }
  edges_ += keys.size();
  bytes_ += runs_.emplace_back(keys).bytes();
}

// r ranges of followers by c of followees touch r * followees + c * followers rows. This is least
// if the sides have the same ratio as the two numbers.
EdgeWindow::Grid EdgeWindow::grid() const {
  if (tiles() < 2) return {};
  const double ratio =
      static_cast<double>(followees_.count()) / static_cast<double>(followers_.count());
  const auto wanted = std::lround(std::sqrt(static_cast<double>(tiles()) * ratio));
  const std::size_t columns = std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, tiles());
  return {.rows = (tiles() + columns - 1) / columns, .columns = columns};
}

std::uint64_t EdgeWindow::each_slice(
    const std::function<void(std::span<const LoadedEdge>)>& take) const {
  return slices([&](std::span<const LoadedEdge> slice) {
    take(slice);
    return true;
  });
}

void EdgeWindow::first_slice(const std::function<void(std::span<const LoadedEdge>)>& take) const {
  slices([&](std::span<const LoadedEdge> slice) {
    take(slice);
    return false;
  });
}

void EdgeWindow::each_run(const std::function<void(std::span<const std::uint64_t>)>& take) const {
  std::vector<std::uint64_t> keys;
  for (const PackedEdges& run : runs_) {
    keys.clear();
    for (PackedEdges::Cursor cursor(run); !cursor.done(); cursor.next()) {
      keys.push_back(cursor.key());
    }
    take(keys);
  }
}

std::uint64_t EdgeWindow::slices(
    const std::function<bool(std::span<const LoadedEdge>)>& take) const {
  std::vector<UserNumber> followers;
  std::vector<UserNumber> followees;
  for (const std::uint64_t key : samples_) {
    followers.push_back(follower_of(key));
    followees.push_back(followee_of(key));
  }
  const Grid shape = grid();
  std::vector<UserNumber> ends = quantiles(std::move(followers), shape.rows);
  ends.push_back({std::numeric_limits<std::uint32_t>::max()});
  Tiling tiling(quantiles(std::move(followees), shape.columns * Tiling::kParts));

  std::vector<PackedEdges::Cursor> cursors(runs_.begin(), runs_.end());
  std::vector<std::uint64_t> slice;
  std::vector<std::uint64_t> scratch;
  std::uint64_t repeated = 0;
  for (const UserNumber end : ends) {
    slice.clear();
    for (PackedEdges::Cursor& cursor : cursors) {
      for (; !cursor.done() && follower_of(cursor.key()) < end; cursor.next()) {
        slice.push_back(cursor.key());
      }
    }
    const std::size_t before = slice.size();
    if (cursors.size() > 1) sort_edges(slice, scratch);
    repeated += before - slice.size();
    if (!slice.empty() && !take(tiling.ordered(slice))) break;
  }
  return repeated;
}

}  // namespace chirp::load
