// What loads have in common in the in-memory store.
#pragma once

#include <cstdint>
#include <set>

#include "store/memory/state.h"

namespace chirp::memory {

// What every batch that makes entries ends with. `touched` are the users whose followers have
// changed.
void finish_batch(State& state, std::uint64_t rows, const std::set<UserNumber>& touched, Time now);
// What every other one ends with.
void log_load(State& state, std::uint64_t rows, Time now);

// A post that others may hang on: there, its author too, and no repost.
[[nodiscard]] const Post* loaded_original(const State& state, PostId id);

// `wished`, unless it is 0 or taken; else the next free id of machine 1 at `time`, not above the
// present millisecond of live ids. One that spills past that takes the live ids along.
[[nodiscard]] std::uint64_t loaded_id(State& state, Time time, std::uint64_t wished);

}  // namespace chirp::memory
