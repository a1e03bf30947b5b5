// Compares a store with the oracle of writing after the same calls.
#pragma once

#include <string>
#include <vector>

#include "tests/support/naive_world.h"

namespace chirp::test {

// Compares everything readable except timelines, one line for each difference. Ignores what the
// ports leave open: the counters of users who are marked as removed.
[[nodiscard]] std::vector<std::string> differences(const NaiveWorld& world, const Storage& store);

}  // namespace chirp::test
