// Reading values off the command line. Each throws Error{kInvalidArgument} that names the option
// and says what it takes.
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

// A whole number from `min` to `max`, both included.
[[nodiscard]] std::uint64_t parse_number(std::string_view option, std::string_view text,
                                         std::uint64_t min, std::uint64_t max);
// A power of two of bytes from 1 MiB to 2 GiB, as people write it: `512M`, `512MB`, `2GiB`.
[[nodiscard]] std::uint64_t parse_size(std::string_view option, std::string_view text);
// Any number of bytes, 0 included: `4096`, `64K`, `512MB`, `2GiB`.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view option, std::string_view text);
// How many items a page holds: `otherwise` when `--limit` was not given, and `most` at most.
struct PageSize {
  std::uint32_t otherwise;
  std::uint32_t most;
};
inline constexpr PageSize kPostPage{limits::kPostPageDefault, limits::kPostPageMax};
inline constexpr PageSize kUserPage{limits::kUserPageDefault, limits::kUserPageMax};
// Declares `--limit` of a list, whose text lands in `target`, and reads it.
void add_limit(Command& verb, std::optional<std::string>& target, PageSize size);
[[nodiscard]] std::uint32_t parse_limit(const std::optional<std::string>& text, PageSize size);
// A point in time: ISO 8601, or a length such as `2h` for that long ago.
[[nodiscard]] Time parse_time(std::string_view option, std::string_view text, Time now);
// A place in a list of posts: a `nextCursor`, a post id, or a time, which stands below every post
// of its millisecond.
inline constexpr const char* kPostCursorHelp =
    "Below this: a page's nextCursor, a post id, a time, or 2h ago";
[[nodiscard]] PostId parse_post_cursor(std::string_view option, std::string_view text, Time now);
// The id of a post to look up. Throws Error{kNotFound} for what can't be one.
[[nodiscard]] PostId parse_post_id(std::string_view text);
// The same for a comment.
[[nodiscard]] CommentId parse_comment_id(std::string_view text);
// The path of a directory, as it is; none is empty.
[[nodiscard]] const std::string& directory_argument(std::string_view argument,
                                                    const std::string& path);

// What a person means by TEXT: `-` is standard input, less one final newline.
[[nodiscard]] std::string text_argument(const std::string& argument);
// The same for the texts of one command, of which one at most is `-`; null stands for none.
void read_texts(const std::vector<std::string*>& texts);
// All of standard input, less one final newline. Throws Error{kInvalidArgument} beyond `max` bytes,
// {kBadInput} if it can't be read.
[[nodiscard]] std::string read_stdin(std::size_t max);

}  // namespace chirp::cli
