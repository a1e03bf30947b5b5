// The end of a zip's directory, without which nobody knows whether members are missing.
//
// Libarchive reads a zip whose directory is cut off member by member, and takes the place where the
// cut is for the end. So the end is looked for here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace chirp::cli::input {

// So many bytes at the end of a zip hold the end of its directory, whatever comment follows.
inline constexpr std::size_t kZipTail = 22 + 65'535 + 20;

// Whether `tail`, the last bytes of a zip of `size` bytes (kZipTail of them, or all), holds the end
// of the directory, which lies where that says.
[[nodiscard]] bool has_zip_end(std::string_view tail, std::uint64_t size);

}  // namespace chirp::cli::input
