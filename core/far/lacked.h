// What a run of a rule asked for and was not there yet: the questions of one round to a store that
// is far away, by table and by type.
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

// A range of rows as a rule asks for it, but for how many: the bytes of its ends, both included.
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

// An edge as one side has it: whose list it is in, and the neighbour.
using EdgeEnds = std::pair<UserNumber, UserNumber>;
// One value for each side, indexed by EdgeSide.
template <class T>
using OfSides = std::array<T, 2>;

struct Lacked {
  AnyRows keys;  // without rows
  // Edges that a load adds, ascending, each once: which of them are there. A load has so many that
  // they are kept in few bytes.
  OfSides<std::vector<EdgeEnds>> edges;
  std::map<Stretch, AnyRange> ranges;
  // The comments with these ids, and those above them as long as they are removed, each with its
  // replies: two of them at least, if there are so many.
  std::set<CommentId> chains;
  std::set<UserNumber> timelines;                         // their heads
  std::set<RequestKey> requests;                          // whether they came before
  std::map<StaleRequests, std::uint32_t> stale_requests;  // how many, up to a limit

  [[nodiscard]] bool empty() const;
  // Whether it asks the same.
  [[nodiscard]] bool operator==(const Lacked& other) const;
};

}  // namespace chirp::far
