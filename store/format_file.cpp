#include "store/format_file.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <string_view>
#include <sys/random.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/ids.h"
#include "store/files.h"
#include "store/own_files.h"

namespace chirp::store {
namespace {

constexpr std::string_view kMagic = "chirp-data-directory ";
constexpr std::size_t kFormatFileMax = 256;
constexpr std::uint64_t kFirstVersion = 1;

std::string new_uuid() {
  std::array<unsigned char, 16> bytes{};
  check(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
        "the kernel has random bytes");
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3F) | 0x80);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

// Returns the lines, each of which must end in a newline; empty if the last one does not.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool digit = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
    if (dash ? text[i] != '-' : !digit) return false;
  }
  return true;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Identity new_identity(std::uint32_t machine) { return {kFormatVersion, new_uuid(), machine}; }

namespace {

std::string text_of(const Identity& identity) {
  return fmt::format("{}{}\n{}\n{}\n", kMagic, identity.format_version, identity.uuid,
                     identity.machine);
}

}  // namespace

void write_format_file(const std::filesystem::path& directory, const Identity& identity) {
  write_new_file(directory / kFormatFile, text_of(identity));
}

void replace_format_file(const std::filesystem::path& directory, const Identity& identity) {
  const auto next = directory / (std::string(kFormatFile) + ".tmp");
  ::unlink(next.c_str());  // left by a dead process
  write_new_file(next, text_of(identity));
  take_place(next, directory / kFormatFile);
  try {
    sync_folder(directory);
  } catch (const Error& error) {
    throw Error(error.code(),
                fmt::format("{} is of format {}, but that may be lost with the power: {}",
                            directory.string(), identity.format_version, error.what()));
  }
}

void check_format_version(std::uint64_t version, const std::filesystem::path& of) {
  if (version > kFormatVersion) {
    throw Error(ErrorCode::kVersion,
                fmt::format("{} has format {}, newer than the format {} that this chirp reads. "
                            "Run a newer chirp. Nothing was changed.",
                            of.string(), version, kFormatVersion));
  }
  if (version < kFormatVersion) {
    throw Error(ErrorCode::kVersion,
                fmt::format("{} has format {}, older than the format {} that this chirp reads. "
                            "Keep a copy of it and run `chirp migrate`. Nothing was changed.",
                            of.string(), version, kFormatVersion));
  }
}

void check_known_version(std::uint64_t version, const std::filesystem::path& of) {
  if (version < kFirstVersion || version > kFormatVersion) check_format_version(version, of);
}

std::optional<Identity> read_format_file(const std::filesystem::path& directory) {
  auto identity = read_any_format_file(directory);
  if (identity) check_format_version(identity->format_version, directory);
  return identity;
}

std::optional<Identity> read_any_format_file(const std::filesystem::path& directory) {
  const auto path = directory / kFormatFile;
  if (!File::try_open(path, O_RDONLY) && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  const std::string text = read_small_file(path, kFormatFileMax);
  const auto lines = lines_of(text);
  if (!lines.empty() && lines[0].starts_with(kMagic)) {
    // A newer format may have more after its first line.
    const auto version = parse_number(lines[0].substr(kMagic.size()));
    if (version) check_known_version(*version, directory);
    const auto machine = lines.size() == 3 ? parse_number(lines[2]) : std::nullopt;
    if (version && machine && is_uuid(lines[1]) && *machine >= snowflake::kMachineMin &&
        *machine <= snowflake::kMachineMax) {
      return Identity{static_cast<std::uint32_t>(*version), std::string(lines[1]),
                      static_cast<std::uint32_t>(*machine)};
    }
  }
  throw Error(
      ErrorCode::kCorrupt,
      fmt::format("{} is damaged: it does not say which format the directory has. Restore a "
                  "backup with `chirp restore`.",
                  path.string()));
}

}  // namespace chirp::store
