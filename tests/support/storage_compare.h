// Compares two stores of different kinds after the same calls.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "core/ports/storage.h"

namespace chirp::test {

// Compares everything readable, one line for each difference. Ignores what the ports leave open:
// how much of a long timeline below the cap is kept, the order of load.batch and tier.changed
// within a commit, and what is kept of removed users. `random` chooses bounds of ranges.
[[nodiscard]] std::vector<std::string> differences(const Storage& model, const Storage& other,
                                                   std::mt19937_64& random);

// A log in a canonical order: within one commit the store may order load.batch and tier.changed as
// it likes.
[[nodiscard]] std::vector<events::Event> settled(std::vector<events::Event> log);

}  // namespace chirp::test
