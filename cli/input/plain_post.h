// The text of a post as plain text, whichever way its source writes it.
#pragma once

#include <string>
#include <string_view>

#include <simdjson.h>

#include "cli/input/fields.h"

namespace chirp::cli::input {

struct PostText {
  std::string text;
  std::string problem{};  // what is wrong instead, or empty
};

// A text with a title or content warning above it; either may be empty.
[[nodiscard]] std::string below_heading(std::string_view heading, std::string text);
// The same of texts as their source writes them; a heading has no markup.
[[nodiscard]] PostText plain_text(Escapes escapes, std::string_view heading, std::string_view text);
// The HTML of a status of Mastodon's API, which says whom it mentions.
[[nodiscard]] PostText text_of_status(const simdjson::dom::object& status, std::string_view html);

}  // namespace chirp::cli::input
