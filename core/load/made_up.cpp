#include "core/load/made_up.h"

#include "core/load/seed_random.h"

namespace chirp::load {

SourceId made_up_id(MadeUp what, SourceId actor, SourceId other, std::uint32_t ordinal) {
  std::uint64_t id = mixed(static_cast<std::uint64_t>(what));
  for (const std::uint64_t part : {actor.value, other.value, std::uint64_t{ordinal}}) {
    id = mixed(id ^ part);
  }
  return {kMadeUpBit | id};
}

}  // namespace chirp::load
