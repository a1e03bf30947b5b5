// The effects and outcomes of users' changes in a world of plain sets.
#pragma once

#include <stdexcept>

#include "core/ports/changes.h"
#include "tests/support/naive_feed.h"

namespace chirp::test {

// The engine's answer differs from the definition.
class Mismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] Result expected(const World& world, const Change& change);

// Makes the change. Throws Mismatch if the store's outcome differs from the expected one.
void live(World& world, const Change& change, const Outcome& outcome);

}  // namespace chirp::test
