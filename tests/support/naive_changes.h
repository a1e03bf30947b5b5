// What people's changes do to a world of plain sets, and how each must come out.
#pragma once

#include <stdexcept>

#include "core/ports/changes.h"
#include "tests/support/naive_feed.h"

namespace chirp::test {

// What the engine said was not what the definition says.
class Mismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] Result expected(const World& world, const Change& change);

// Makes the change. Throws Mismatch if the store's outcome is not what it must be.
void live(World& world, const Change& change, const Outcome& outcome);

}  // namespace chirp::test
