#include "core/load/waiting_posts.h"

#include <algorithm>
#include <iterator>

namespace chirp::load {
namespace {

// A row and its places in four tables.
constexpr std::size_t kRowBytes = sizeof(PostRow) + 200;

std::size_t bytes_of(const PostRow& row) { return kRowBytes + row.text.size() + media_bytes(row); }

}  // namespace

bool WaitingPosts::put(PostRow row) {
  const Place place = next_;
  if (!by_source_.try_emplace(row.source.value, place).second) return false;
  ++next_;
  by_target_.emplace(row.target.value, place);
  if (row.id.value != 0) ids_.insert(row.id.value);
  bytes_ += bytes_of(row);
  rows_.emplace(place, std::move(row));
  return true;
}

PostRow WaitingPosts::take(Place place) {
  const auto at = rows_.find(place);
  PostRow row = std::move(at->second);
  rows_.erase(at);
  by_source_.erase(row.source.value);
  by_target_.erase({row.target.value, place});
  ids_.erase(row.id.value);
  bytes_ -= bytes_of(row);
  return row;
}

std::vector<PostRow> WaitingPosts::arrived(SourceId target) {
  std::vector<Place> places;
  for (auto at = by_target_.lower_bound({target.value, 0});
       at != by_target_.end() && at->first == target.value; ++at) {
    places.push_back(at->second);
  }
  std::vector<PostRow> rows;
  for (const Place place : places) rows.push_back(take(place));
  return rows;
}

std::vector<PostRow> WaitingPosts::give_up(std::size_t most) {
  std::vector<Place> places;
  for (const auto& [place, row] : rows_) {
    if (places.size() == most) break;
    if (!by_source_.contains(row.target.value)) places.push_back(place);
  }
  if (places.empty() && !rows_.empty()) {
    const auto oldest = std::ranges::min_element(rows_, {}, [](const auto& waiting) {
      return std::pair(waiting.second.created_at, waiting.second.source);
    });
    places.push_back(oldest->first);
  }
  std::vector<PostRow> rows;
  for (const Place place : places) rows.push_back(take(place));
  return rows;
}

std::uint64_t WaitingPosts::highest_in(std::uint64_t ticks) const {
  const auto end = ids_.lower_bound(snowflake::make(ticks, snowflake::kLoadMachine + 1, 0));
  if (end == ids_.begin()) return 0;
  const std::uint64_t id = *std::prev(end);
  return id >= snowflake::make(ticks, snowflake::kLoadMachine, 0) ? id : 0;
}

void WaitingPosts::clear() { *this = WaitingPosts(); }

}  // namespace chirp::load
