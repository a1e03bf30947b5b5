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

}  // namespace chirp::test
