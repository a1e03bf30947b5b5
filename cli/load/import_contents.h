// Whether an export is complete.
#pragma once

#include <cstdint>
#include <filesystem>

namespace chirp::cli {

// The file of an export that says what belongs to it, and the format of that.
inline constexpr const char* kExportContents = "export.json";
inline constexpr std::uint64_t kExportFormat = 1;

// Compares the files of an export with its `export.json`: bytes, and rows where the bytes differ.
// Returns false if it has none, as those of older versions. Throws Error{kBadInput} if a file is
// missing, has another number of rows, or media are missing or cut.
[[nodiscard]] bool is_known_complete(const std::filesystem::path& from);

}  // namespace chirp::cli
