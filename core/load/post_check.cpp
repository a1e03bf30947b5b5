#include "core/load/post_check.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/ids.h"
#include "core/model/names.h"

namespace chirp::load {
namespace {

std::optional<std::string> author_problem(const SourcePost& post) {
  if (post.author_id) return std::nullopt;
  if (post.username.empty()) return "no author";
  if (!is_username(post.username)) {
    return fmt::format(
        "\"{}\" can't be a username (1 to 15 of A-Z a-z 0-9 _), and there is no "
        "author id",
        printable(post.username));
  }
  return std::nullopt;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

std::optional<std::string> check_post(SourcePost& post, Author author, Time now,
                                      std::uint64_t& removed) {
  if (author == Author::kFromSource) {
    if (auto problem = author_problem(post)) return problem;
  }
  if (auto problem = time_problem(post.created_at, now)) return problem;
  try {
    LoadedText text = checked_loaded_text(post.text);
    post.text = std::move(text.text);
    removed += text.removed;
  } catch (const Error& error) {
    const bool bare = post.repost_of || !post.media.empty();
    if (!bare || !is_blank(post.text)) return error.what();
    post.text.clear();  // its text is that of the other post, or is in pictures
  }
  return std::nullopt;
}

std::optional<SourceId> linked_post(const SourcePost& post) {
  if (post.repost_of) return post.repost_of;
  return post.media.empty() ? post.reply_to : std::nullopt;
}

Privacy privacy_of_repost(Privacy repost, Privacy original, bool same_author) {
  if (original != Privacy::kPublic && !same_author) return Privacy::kPrivate;
  return std::max(repost, original);
}

std::optional<std::string> time_problem(Time time, Time now) {
  if (time.ms < snowflake::kEpochMs) {
    return fmt::format("the time {} is before 2000", iso8601(time));
  }
  if (time > now) return fmt::format("the time {} is after now", iso8601(time));
  return std::nullopt;
}

}  // namespace chirp::load
