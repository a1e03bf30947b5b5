// The checks of a load on each post.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/load/source.h"
#include "core/model/time.h"

namespace chirp::load {

// Returns what is wrong with a time of writing, if anything: it is before 2000 or after now.
[[nodiscard]] std::optional<std::string> time_problem(Time time, Time now);

// Whether the source must name the author.
enum class Author : std::uint8_t { kFromSource, kGiven };

// Normalises the text, and adds the number of removed control characters to `removed`. Returns what
// is wrong with the post, if anything: an impossible author, a time before 2000 or after `now`, a
// text that breaks the rules. A repost, and a post with media, may have no text.
[[nodiscard]] std::optional<std::string> check_post(SourcePost& post, Author author, Time now,
                                                    std::uint64_t& removed);

// The post that this one should be a repost of or a comment on, if that exists. A comment has no
// media, so a reply with media is a plain post.
[[nodiscard]] std::optional<SourceId> linked_post(const SourcePost& post);

// Returns the privacy of a repost that stays a plain post. Its text is the other author's, so it is
// shown only to users who may see the original.
[[nodiscard]] Privacy privacy_of_repost(Privacy repost, Privacy original, bool same_author);

}  // namespace chirp::load
