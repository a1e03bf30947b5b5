#include "store/manifest.h"

#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/error.h"
#include "store/own_files.h"

namespace chirp::store {
namespace {

constexpr std::string_view kTitle = "chirp-backup 1";
constexpr std::size_t kManifestMax = std::size_t{1} << 30;

std::string hash_text(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// Takes lines and words from the front of a text; returns empty if the format differs.
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool starts_with(std::string_view start) const { return rest_.starts_with(start); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  std::optional<std::string_view> until(char end) {
    const auto at = rest_.find(end);
    if (at == std::string_view::npos) return std::nullopt;
    const auto word = rest_.substr(0, at);
    rest_.remove_prefix(at + 1);
    return word;
  }
  // Returns the rest of a line that begins with `name` and a space.
  std::optional<std::string_view> line(std::string_view name) {
    if (!rest_.starts_with(name)) return std::nullopt;
    const auto whole = until('\n');
    if (!whole || whole->size() <= name.size() || (*whole)[name.size()] != ' ') return std::nullopt;
    return whole->substr(name.size() + 1);
  }

 private:
  std::string_view rest_;
};

bool is_plain(std::string_view path) {
  const std::filesystem::path plain(path);
  return !plain.empty() && plain.is_relative() && plain == plain.lexically_normal() &&
         *plain.begin() != "..";
}

std::optional<Manifest> parse(std::string_view text, const std::filesystem::path& backup) {
  const auto end = text.rfind("end ");
  if (end == std::string_view::npos ||
      text.substr(end) != "end " + hash_text(text.substr(0, end)) + "\n") {
    return std::nullopt;
  }
  Parser parser(text.substr(0, end));
  if (parser.until('\n') != kTitle) return std::nullopt;
  Manifest manifest;
  const auto format = parse_number(parser.line("format").value_or(""));
  if (!format) return std::nullopt;
  check_known_version(*format, backup);
  const auto uuid = parser.line("uuid");
  const auto machine = parse_number(parser.line("machine").value_or(""));
  const auto events = parse_number(parser.line("events").value_or(""));
  if (!uuid || !is_uuid(*uuid) || !machine || *machine > snowflake::kMachineMax || !events) {
    return std::nullopt;
  }
  manifest.identity = {static_cast<std::uint32_t>(*format), std::string(*uuid),
                       static_cast<std::uint32_t>(*machine)};
  manifest.events = {*events};
  while (!parser.rest().empty()) {
    Parser line(parser.line("file").value_or(""));
    const auto hash = line.until(' ');
    const auto bytes = parse_number(line.until(' ').value_or(""));
    if (!hash || !bytes || !is_plain(line.rest())) return std::nullopt;
    manifest.files.emplace(line.rest(), FileHash{std::string(*hash), *bytes});
  }
  return manifest;
}

}  // namespace

void write_manifest(const std::filesystem::path& backup, const Manifest& manifest) {
  std::string text = fmt::format("{}\nformat {}\nuuid {}\nmachine {}\nevents {}\n", kTitle,
                                 manifest.identity.format_version, manifest.identity.uuid,
                                 manifest.identity.machine, manifest.events.value);
  for (const auto& [path, file] : manifest.files) {
    text += fmt::format("file {} {} {}\n", file.hash, file.bytes, path);
  }
  text += fmt::format("end {}\n", hash_text(text));
  write_new_file(backup / kManifestFile, text);
}

Manifest read_manifest(const std::filesystem::path& backup) {
  std::error_code error;
  if (!std::filesystem::is_directory(backup, error)) {
    throw Error(ErrorCode::kIo, fmt::format("There is no backup at {}.", backup.string()));
  }
  const auto path = backup / kManifestFile;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw Error(ErrorCode::kCorrupt, fmt::format("{} is not a complete backup: it has no manifest. "
                                                 "Choose another one.",
                                                 backup.string()));
  }
  if (const auto manifest = parse(read_small_file(path, kManifestMax), backup)) return *manifest;
  throw Error(ErrorCode::kCorrupt,
              fmt::format("{} is damaged, so what the backup holds can't be checked. Choose "
                          "another backup.",
                          path.string()));
}

}  // namespace chirp::store
