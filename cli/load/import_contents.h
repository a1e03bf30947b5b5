// Whether an export is complete.
#pragma once

#include <cstdint>
#include <filesystem>

namespace chirp::cli {

// The file that lists what belongs to an export, and the version of its format.
inline constexpr const char* kExportContents = "export.json";
inline constexpr std::uint64_t kExportFormat = 1;

// Compares the files of an export with its `export.json`: bytes, and rows if the bytes differ.
// Returns false without an `export.json`, as in exports of older versions. Throws Error{kBadInput}
// if a file is missing or has another number of rows, or if media are missing or truncated.
[[nodiscard]] bool is_known_complete(const std::filesystem::path& from);

}  // namespace chirp::cli
