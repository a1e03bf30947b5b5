#include "core/hot/bonds.h"

#include <algorithm>

#include "core/hot/clock_table.h"

namespace chirp::hot {
namespace {

using tables::Related;
using tables::Relations;

constexpr std::uint32_t kKept = 256;  // of each kind
constexpr UserNumber kLastUser{~std::uint32_t{0}};

}  // namespace

Bonds::Bonds(const Snapshot& snapshot, const StoreState& state, UserNumber reader)
    : reader_(reader) {
  if (state.relations == 0) return;
  const auto set = snapshot.range(Relations::Key{reader, Relation::kBlock, kNobody},
                                  Relations::Key{reader, Relation::kRepostsOff, kLastUser},
                                  Direction::kUp, kKept + 1);
  const auto about =
      snapshot.range(Related::Key{reader, Relation::kBlock, kNobody},
                     Related::Key{reader, Relation::kBlock, kLastUser}, Direction::kUp, kKept + 1);
  complete_ = set.size() <= kKept && about.size() <= kKept;
  if (!complete_) return;
  for (const auto& [key, since] : set) set_.push_back(key);
  for (const auto& [key, nothing] : about) blocked_by_.push_back(key.user);
}

bool Bonds::has_set(Relation relation, UserNumber other) const {
  return std::ranges::binary_search(set_, Relations::Key{reader_, relation, other});
}

ViewerRelation Bonds::with(UserNumber other) const {
  return {has_set(Relation::kBlock, other), std::ranges::binary_search(blocked_by_, other),
          has_set(Relation::kMute, other), has_set(Relation::kRepostsOff, other)};
}

std::size_t Bonds::bytes() const {
  return allocated(set_.capacity() * sizeof(Relations::Key)) +
         allocated(blocked_by_.capacity() * sizeof(UserNumber));
}

}  // namespace chirp::hot
