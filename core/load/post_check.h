// What a load asks of a post before it takes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/load/source.h"
#include "core/model/time.h"

namespace chirp::load {

// Whether the source has to say who wrote it.
enum class Author : std::uint8_t { kFromSource, kGiven };

// Makes the text ours, and adds to `removed` how many control characters that took out. What is
// wrong with the post, if something is: an author nobody could be, a time before 2000 or after
// `now`, a text that breaks the rules. A repost, and a post with
// media, may be without a text.
[[nodiscard]] std::optional<std::string> check_post(SourcePost& post, Author author, Time now,
                                                    std::uint64_t& removed);

// The post that this one is to be a repost of or a comment on, where that is there. A comment has
// no media, so a reply with some is a post of its own.
[[nodiscard]] std::optional<SourceId> linked_post(const SourcePost& post);

// The privacy of a repost that stays a post of its own. Its text has the other author's words, so
// nobody sees it who could not see the original.
[[nodiscard]] Privacy privacy_of_repost(Privacy repost, Privacy original, bool same_author);

}  // namespace chirp::load
