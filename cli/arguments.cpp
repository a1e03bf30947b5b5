#include "cli/arguments.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/byte_count.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// The bytes of a byte order mark and a line end.
constexpr std::size_t kMarkBytes = kByteOrderMark.size() + 2;

constexpr std::uint64_t kIdMax = (std::uint64_t{1} << 63) - 1;
constexpr std::size_t kTextBytesMax = std::size_t{64} << 10;

std::optional<std::uint64_t> digits(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<Time> time_of(std::string_view text, Time now) {
  if (const auto time = parse_iso8601(text)) return time;
  if (const auto ago = parse_duration(text)) return Time{now.ms - *ago};
  return std::nullopt;
}

[[noreturn]] void refuse(std::string_view option, std::string_view takes, std::string_view text) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} takes {}, not \"{}\".", option, takes, printable(text)),
              std::string(option));
}

}  // namespace

std::uint64_t parse_number(std::string_view option, std::string_view text, std::uint64_t min,
                           std::uint64_t max) {
  const auto value = digits(text);
  if (!value || *value < min || *value > max) {
    refuse(option, fmt::format("a number from {} to {}", min, max), text);
  }
  return *value;
}

std::uint64_t parse_size(std::string_view option, std::string_view text) {
  const std::size_t unit = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string_view name = text.substr(unit);
  for (const std::string_view end : {"iB", "B"}) {
    if (name.size() > 1 && name.ends_with(end)) name.remove_suffix(end.size());
  }
  const auto number = digits(text.substr(0, unit));
  constexpr std::uint64_t kMost = 2048;  // MiB
  const std::uint64_t mib = name == "M" || name == "m" ? 1 : name == "G" || name == "g" ? 1024 : 0;
  if (!number || mib == 0 || *number == 0 || *number > kMost || *number * mib > kMost ||
      !std::has_single_bit(*number)) {
    refuse(option, "a size such as 256M, 512M, 1G or 2G, a power of two", text);
  }
  return *number * mib << 20;
}

std::uint64_t parse_bytes(std::string_view option, std::string_view text) {
  const auto bytes = parse_byte_count(text);
  if (!bytes) refuse(option, "a size such as 0, 512M, 1G or 2GiB", text);
  return *bytes;
}

void add_limit(Command& verb, std::optional<std::string>& target, PageSize size) {
  verb.page();
  add_text(verb, "--limit", target, "N",
           fmt::format("1 to {} (default: {})", size.most, size.otherwise));
}

std::uint32_t parse_limit(const std::optional<std::string>& text, PageSize size) {
  if (!text) return size.otherwise;
  return static_cast<std::uint32_t>(parse_number("--limit", *text, 1, size.most));
}

Time parse_time(std::string_view option, std::string_view text, Time now) {
  const auto time = time_of(text, now);
  if (!time) {
    refuse(option, "a time such as 2026-01-31, 2026-01-31T10:00:00Z or 2h (that long ago)", text);
  }
  return *time;
}

PostId parse_post_cursor(std::string_view option, std::string_view text, Time now) {
  if (all_digits(text)) {
    // 0 is below every post: a page above the beginning of time returns this cursor.
    const auto id = digits(text);
    if (id && *id <= kIdMax) return PostId{*id};
  } else if (const auto time = time_of(text, now)) {
    return PostId{snowflake::floor_of(*time)};
  }
  refuse(option,
         "a cursor: the nextCursor of a page, a post id, or a time such as 2026-01-31 or 2h", text);
}

PostId parse_post_id(std::string_view text) {
  if (all_digits(text)) {
    if (const auto id = digits(text); id && *id >= 1 && *id <= kIdMax) return PostId{*id};
  }
  throw Error(
      ErrorCode::kNotFound,
      fmt::format("There is no post \"{}\": the id of a post is a number, as `chirp post list` "
                  "shows it.",
                  printable(text)));
}

CommentId parse_comment_id(std::string_view text) {
  if (all_digits(text)) {
    if (const auto id = digits(text); id && *id >= 1 && *id <= kIdMax) return CommentId{*id};
  }
  throw Error(ErrorCode::kNotFound,
              fmt::format("There is no comment \"{}\": the id of a comment is a number, as `chirp "
                          "comment list` shows it.",
                          printable(text)));
}

std::string read_stdin(std::size_t max) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t n = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("Standard input can't be read: {}.", std::strerror(errno)));
    }
    if (n == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(n));
    if (text.size() > max + kMarkBytes) break;
  }
  // Some systems end lines with a carriage return, and begin a text with a byte order mark.
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  if (text.size() <= max) return text;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("Standard input holds more than {} bytes. Send less.", max));
}

const std::string& directory_argument(std::string_view argument, const std::string& path) {
  if (!path.empty()) return path;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} is empty. It takes the path of a directory.", argument));
}

std::string text_argument(const std::string& argument) {
  return argument == "-" ? read_stdin(kTextBytesMax) : argument;
}

void read_texts(const std::vector<std::string*>& texts) {
  const auto is_input = [](const std::string* text) { return text != nullptr && *text == "-"; };
  if (std::ranges::count_if(texts, is_input) > 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "Standard input is one text. Give - for one argument only.");
  }
  for (std::string* const text : texts) {
    if (text != nullptr) *text = text_argument(*text);
  }
}

}  // namespace chirp::cli
