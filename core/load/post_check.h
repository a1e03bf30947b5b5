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
// `now`, a text that breaks the rules. A repost may be without a text.
[[nodiscard]] std::optional<std::string> check_post(SourcePost& post, Author author, Time now,
                                                    std::uint64_t& removed);

}  // namespace chirp::load
