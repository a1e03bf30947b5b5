// Ids of posts whose table has none.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "core/model/ids.h"
#include "core/model/time.h"

namespace chirp::cli::input {

// Makes the id of a row from its author, time and text, and from the number of equal rows before
// it, so that a file gives the same posts under any file name.
class MadeUpIds {
 public:
  [[nodiscard]] SourceId id(std::string_view author, Time when, std::string_view text);

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> equal_rows_;  // counts, by made-up id
};

}  // namespace chirp::cli::input
