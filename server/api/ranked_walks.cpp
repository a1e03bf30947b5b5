#include "server/api/ranked_walks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/json/number_in.h"

namespace chirp::api {
namespace {

constexpr char kTag = 'r';
constexpr std::size_t kKeyDigits = 16;

std::size_t bytes_of(const feed::RankedSnapshot& snapshot) {
  std::size_t bytes = sizeof(snapshot) + snapshot.ranked.capacity() * sizeof(feed::RankedEntry);
  for (const feed::RankedEntry& entry : snapshot.ranked) {
    bytes += entry.entries.capacity() * sizeof(Entry);
  }
  return bytes;
}

std::uint64_t unforeseen() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

RankedWalks::RankedWalks(WalkBounds bounds) : bounds_(bounds), random_(unforeseen()) {}

RankedWalks::Key RankedWalks::keep(Snapshot snapshot, Time now) {
  const std::size_t bytes = bytes_of(*snapshot);
  const UserNumber viewer = snapshot->viewer;
  const std::lock_guard lock(mutex_);
  lapse(now);
  make_room(viewer, bytes);
  Key key = random_();
  while (by_key_.contains(key)) key = random_();
  walks_.push_front({key, std::move(snapshot), bytes, now});
  by_key_.emplace(key, walks_.begin());
  ++of_user_[viewer];
  bytes_ += bytes;
  return key;
}

RankedWalks::Snapshot RankedWalks::find(Key key, UserNumber viewer, Time now) {
  const std::lock_guard lock(mutex_);
  lapse(now);
  const auto found = by_key_.find(key);
  if (found == by_key_.end() || found->second->snapshot->viewer != viewer) return nullptr;
  found->second->used = now;
  walks_.splice(walks_.begin(), walks_, found->second);
  return found->second->snapshot;
}

std::size_t RankedWalks::walks() const {
  const std::lock_guard lock(mutex_);
  return walks_.size();
}

std::size_t RankedWalks::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void RankedWalks::lapse(Time now) {
  while (!walks_.empty() && now.ms - walks_.back().used.ms > limits::kRankedWalkMs) {
    drop(std::prev(walks_.end()));
  }
}

void RankedWalks::make_room(UserNumber viewer, std::size_t bytes) {
  const auto theirs = of_user_.find(viewer);
  if (theirs != of_user_.end() && theirs->second >= bounds_.walks_per_user) {
    const auto oldest = std::find_if(walks_.rbegin(), walks_.rend(), [&](const Walk& walk) {
      return walk.snapshot->viewer == viewer;
    });
    drop(std::prev(oldest.base()));
  }
  while (!walks_.empty() && (walks_.size() >= bounds_.walks || bytes_ + bytes > bounds_.bytes)) {
    drop(std::prev(walks_.end()));
  }
}

void RankedWalks::drop(Walks::iterator walk) {
  bytes_ -= walk->bytes;
  by_key_.erase(walk->key);
  const auto theirs = of_user_.find(walk->snapshot->viewer);
  if (--theirs->second == 0) of_user_.erase(theirs);
  walks_.erase(walk);
}

std::string ranked_cursor(const RankedPlace& place) {
  return fmt::format("{}{:016x}-{}", kTag, place.walk, place.next);
}

std::optional<RankedPlace> parse_ranked_cursor(std::string_view cursor) {
  if (cursor.size() < kKeyDigits + 3 || cursor.front() != kTag || cursor[kKeyDigits + 1] != '-') {
    return std::nullopt;
  }
  const auto walk = number_in<RankedWalks::Key>(cursor.substr(1, kKeyDigits), 16);
  const auto next = number_in<std::size_t>(cursor.substr(kKeyDigits + 2));
  if (!walk || !next) return std::nullopt;
  const RankedPlace place{*walk, *next};
  if (ranked_cursor(place) != cursor) return std::nullopt;  // another spelling of the same cursor
  return place;
}

}  // namespace chirp::api
