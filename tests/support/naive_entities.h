// A second, naive parser for the entity grammar: it decides each position separately, from the
// start of the text.
#pragma once

#include <string_view>
#include <vector>

#include "core/model/entities.h"

namespace chirp::test {

[[nodiscard]] std::vector<Entity> read_naively(std::string_view source);

}  // namespace chirp::test
