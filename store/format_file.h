// DIR/chirp.format: marks a folder as a data directory, with its format and identity.
//
//   chirp-data-directory <format version>\n
//   <uuid>\n
//   <machine>\n
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace chirp::store {

inline constexpr std::uint32_t kFormatVersion = 7;  // the current version
inline constexpr const char* kFormatFile = "chirp.format";

// Must be equal in chirp.format and in both stores; otherwise they do not belong together.
struct Identity {
  std::uint32_t format_version = 0;
  std::string uuid;
  std::uint32_t machine = 0;

  bool operator==(const Identity&) const = default;
};

// Returns the identity for a new directory, with a random UUID of version 4.
[[nodiscard]] Identity new_identity(std::uint32_t machine);

// Writes the file, durable except for the folder's entry. The file must not exist.
void write_format_file(const std::filesystem::path& directory, const Identity& identity);
// Replaces the existing file by a rename; durable.
void replace_format_file(const std::filesystem::path& directory, const Identity& identity);

// Returns empty if `directory` has no such file. Throws Error{kCorrupt} if its content is not
// valid, {kVersion} with the command to run for a version that this program does not read.
[[nodiscard]] std::optional<Identity> read_format_file(const std::filesystem::path& directory);

// The same for a directory of any format up to the current one.
[[nodiscard]] std::optional<Identity> read_any_format_file(const std::filesystem::path& directory);

// Throws Error{kVersion} unless it is kFormatVersion.
void check_format_version(std::uint64_t version, const std::filesystem::path& of);
// Throws Error{kVersion} for a version that this program neither reads nor migrates.
void check_known_version(std::uint64_t version, const std::filesystem::path& of);
// Whether it is 8-4-4-4-12 hexadecimal digits in lower case.
[[nodiscard]] bool is_uuid(std::string_view text);
// Parses decimal digits without a leading zero; empty for anything else.
[[nodiscard]] std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace chirp::store
