// Posts and names that are read from a text, as words to compare.
#pragma once

#include "cli/input/posts.h"
#include "tests/fuzz/texts.h"

namespace chirp::fuzz {

// Reads `text` as posts of this format, whole and in pieces.
Said posts_said(Bytes text, cli::input::PostFormat format);
// The words of one of them.
[[nodiscard]] std::string words_of(const load::SourcePost& post);
[[nodiscard]] std::string words_of(const load::SourceUser& user);

}  // namespace chirp::fuzz
