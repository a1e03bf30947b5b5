// Long work in short write transactions.
#pragma once

#include <cstdint>

#include "core/load/pace.h"
#include "core/ports/clock.h"

namespace chirp::load {

// Calls `step(rows)`, a transaction that takes up to so many rows, until it says that it was the
// last one. Each takes about limits::kLoadTransactionMs, so that other writers hardly wait; what
// that is in rows depends on where they lie, which differs from step to step.
template <class Step>
void in_steps(const Clock& clock, Step step) {
  Pace pace(1'000, 250, 4'000);
  for (;;) {
    const std::size_t rows = pace.rows();
    const std::int64_t started = clock.steady_ns();
    if (step(static_cast<std::uint32_t>(rows))) return;
    pace.note(rows, clock.steady_ns() - started);
  }
}

}  // namespace chirp::load
