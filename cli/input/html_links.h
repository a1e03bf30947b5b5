// Converts a link in an HTML text to plain text.
#pragma once

#include <string>
#include <string_view>

#include "cli/input/html.h"

namespace chirp::cli::input {

struct HtmlLink {
  std::string href;
  std::string shown;       // its text, including hidden parts
  bool mention = false;    // marked as a mention; the text's first character tells the kind
  bool shortened = false;  // a part of it is hidden
};

[[nodiscard]] std::string text_of_link(const HtmlLink& link, const HtmlContext& context);

// `example.org` for `https://example.org:443/@mira`, in lower case; empty for other texts.
[[nodiscard]] std::string host_of(std::string_view address);

}  // namespace chirp::cli::input
