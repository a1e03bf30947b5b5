// Which bytes of a file a `Range` asks for. Pure; safe from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace chirp::api {

struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;   // inclusive
  bool satisfiable = true;  // false: it begins past the end
};

// One range of bytes of a file of `size`, cut off where it ends; empty for anything else, which is
// to be ignored.
[[nodiscard]] std::optional<ByteRange> byte_range(std::string_view header, std::uint64_t size);

}  // namespace chirp::api
