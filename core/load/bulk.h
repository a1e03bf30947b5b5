// What loads of edges have in common that take a bulk load (core/ports/bulk_edges.h).
#pragma once

#include <cstdint>

#include "core/load/turns.h"
#include "core/ports/bulk_edges.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::load {

// How edges are stored: kAuto takes a bulk load where that writes less.
enum class Bulk : std::uint8_t { kAuto, kAlways, kNever };

// Ends a bulk load, in turns with other writers.
LoadCounts finish_bulk(BulkEdges& bulk, Time now, Turns& turns);

// Gives users the tiers that a bulk load has left for later.
void give_tiers(Storage& storage, const Clock& clock, Turns& turns);

}  // namespace chirp::load
