// Numbers of bytes as people write them: `512M`, `1 GiB`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chirp {

// Parses a whole number of bytes, or of KiB, MiB, GiB or TiB: `4096`, `64K`, `512MB`, `2GiB`. Empty
// for anything else, and for what is 2^63 or more.
[[nodiscard]] std::optional<std::uint64_t> parse_byte_count(std::string_view text);

// Returns it in the largest unit that it fills, with one digit after the point: "1 GiB",
// "1.5 GiB", "812 MiB", "1 byte".
[[nodiscard]] std::string byte_count(std::uint64_t bytes);

}  // namespace chirp
