// Parsing of option values. Each function throws Error{kInvalidArgument} with a message that names
// the option and the values it accepts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "core/limits.h"
#include "core/model/ids.h"
#include "core/model/time.h"

namespace chirp::cli {

// A whole number from `min` to `max`, inclusive.
[[nodiscard]] std::uint64_t parse_number(std::string_view option, std::string_view text,
                                         std::uint64_t min, std::uint64_t max);
// A size in bytes that is a power of two from 1 MiB to 2 GiB: `512M`, `512MB`, `2GiB`.
[[nodiscard]] std::uint64_t parse_size(std::string_view option, std::string_view text);
// Any number of bytes, 0 included: `4096`, `64K`, `512MB`, `2GiB`.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view option, std::string_view text);
// The number of items on a page: `otherwise` without `--limit`, and `most` at most.
struct PageSize {
  std::uint32_t otherwise;
  std::uint32_t most;
};
inline constexpr PageSize kPostPage{limits::kPostPageDefault, limits::kPostPageMax};
inline constexpr PageSize kUserPage{limits::kUserPageDefault, limits::kUserPageMax};
// Declares `--limit` of a list. The parser writes its text to `target`.
void add_limit(Command& verb, std::optional<std::string>& target, PageSize size);
[[nodiscard]] std::uint32_t parse_limit(const std::optional<std::string>& text, PageSize size);
// A point in time: ISO 8601, or a duration such as `2h` for that long ago.
[[nodiscard]] Time parse_time(std::string_view option, std::string_view text, Time now);
// A position in a list of posts: a `nextCursor`, a post id, or a time. A time is a position below
// every post of its millisecond.
inline constexpr const char* kPostCursorHelp =
    "Show entries below this: a page's nextCursor, a post id, a time, or 2h for 2 hours ago";
[[nodiscard]] PostId parse_post_cursor(std::string_view option, std::string_view text, Time now);
// The id of a post to look up. Throws Error{kNotFound} for a text that can't be an id.
[[nodiscard]] PostId parse_post_id(std::string_view text);
// The same for a comment.
[[nodiscard]] CommentId parse_comment_id(std::string_view text);
// The path of a directory, unchanged. An empty path is an error.
[[nodiscard]] const std::string& directory_argument(std::string_view argument,
                                                    const std::string& path);

// The text of a TEXT argument. `-` reads standard input, less one final newline.
[[nodiscard]] std::string text_argument(const std::string& argument);
// The same for all texts of one command. At most one of them may be `-`; null pointers are skipped.
void read_texts(const std::vector<std::string*>& texts);
// All of standard input, less one final newline. Throws Error{kInvalidArgument} beyond `max` bytes,
// {kBadInput} if it can't be read.
[[nodiscard]] std::string read_stdin(std::size_t max);

}  // namespace chirp::cli
