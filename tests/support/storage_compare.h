// Two stores of different kinds that were given the same calls must answer alike.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "core/ports/storage.h"

namespace chirp::test {

// Everything readable, one line for each difference. Left free, as the ports leave it: how much of
// a long timeline below the cap is kept, in which order one commit logs load.batch and
// tier.changed, and what is kept of removed users. `random` picks bounds of ranges.
[[nodiscard]] std::vector<std::string> differences(const Storage& model, const Storage& other,
                                                   std::mt19937_64& random);

// A log without the places that the store chooses: within one commit the order of load.batch and
// tier.changed is its own.
[[nodiscard]] std::vector<events::Event> settled(std::vector<events::Event> log);

}  // namespace chirp::test
