// Finds the end record of a zip's directory, without which members may be missing.
//
// For a zip whose directory is cut off, libarchive reads member by member and takes the cut for the
// end. So this looks for the end record itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace chirp::cli::input {

// The last bytes of a zip that always contain the end record, with the longest comment.
inline constexpr std::size_t kZipTail = 22 + 65'535 + 20;

// Whether `tail`, the last bytes of a zip of `size` bytes (kZipTail of them, or all), contains the
// end record, and the directory is where it says.
[[nodiscard]] bool has_zip_end(std::string_view tail, std::uint64_t size);

}  // namespace chirp::cli::input
