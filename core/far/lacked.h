// The rows that a run of a rule needed and that were not fetched yet: the queries of one round trip
// to a remote store, by table and type.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/rows.h"

namespace chirp::far {

// A range of rows without a limit: the bytes of its ends, both inclusive.
struct Stretch {
  std::string first;
  std::string last;
  Direction direction = Direction::kUp;
  auto operator<=>(const Stretch&) const = default;
};
template <class T>
[[nodiscard]] Stretch stretch_of(const typename T::Key& first, const typename T::Key& last,
                                 Direction direction = Direction::kUp) {
  return {bytes_of<T>(first), bytes_of<T>(last), direction};
}

struct RequestKey {
  UserNumber user;
  std::string key;
  std::string canonical;
  auto operator<=>(const RequestKey&) const = default;
};

// An edge from one side: the owner of the list, and the neighbour.
using EdgeEnds = std::pair<UserNumber, UserNumber>;
// One value for each side, indexed by EdgeSide.
template <class T>
using OfSides = std::array<T, 2>;

struct MissingRows {
  AnyRows keys;  // without rows
  // Edges that a load adds, ascending and unique, to check which exist. Stored compactly, because a
  // load has many.
  OfSides<std::vector<EdgeEnds>> edges;
  std::map<Stretch, AnyRange> ranges;
  // These comments and their ancestors as long as those are removed, each with up to two of its
  // replies.
  std::set<CommentId> chains;
  std::set<UserNumber> timelines;                         // heads only
  std::set<RequestKey> requests;                          // whether each was seen before
  std::map<StaleRequests, std::uint32_t> stale_requests;  // how many exist, up to a limit

  [[nodiscard]] bool empty() const;
  // Whether both make the same queries.
  [[nodiscard]] bool operator==(const MissingRows& other) const;
};

}  // namespace chirp::far
