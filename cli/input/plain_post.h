// Converts post texts to plain text.
#pragma once

#include <string>
#include <string_view>

#include <simdjson.h>

#include "cli/input/fields.h"

namespace chirp::cli::input {

struct PostText {
  std::string text;
  std::string problem{};  // the reason if there is no text, or empty
};

// Puts a title or content warning above the text. Either may be empty.
[[nodiscard]] std::string below_heading(std::string_view heading, std::string text);
// Converts the text first, as `escapes` says. A heading has no markup.
[[nodiscard]] PostText plain_text(Escapes escapes, std::string_view heading, std::string_view text);
// Converts the HTML of a status of Mastodon's API, which lists its mentions.
[[nodiscard]] PostText text_of_status(const simdjson::dom::object& status, std::string_view html);

}  // namespace chirp::cli::input
