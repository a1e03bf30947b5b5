// The grammar of entities read a second time: each question is asked of a place alone, from the
// beginning of the text.
#pragma once

#include <string_view>
#include <vector>

#include "core/model/entities.h"

namespace chirp::test {

[[nodiscard]] std::vector<Entity> read_naively(std::string_view source);

}  // namespace chirp::test
