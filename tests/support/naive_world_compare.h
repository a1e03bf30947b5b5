// A store that was given the same calls as the oracle of writing must hold what the oracle holds.
#pragma once

#include <string>
#include <vector>

#include "tests/support/naive_world.h"

namespace chirp::test {

// Everything readable but timelines, one line for each difference. Left free, as the ports leave
// it: what is counted of users who are marked as removed.
[[nodiscard]] std::vector<std::string> differences(const NaiveWorld& world, const Storage& store);

}  // namespace chirp::test
