// What a link of an HTML text is in plain text.
#pragma once

#include <string>
#include <string_view>

#include "cli/input/html.h"

namespace chirp::cli::input {

struct HtmlLink {
  std::string href;
  std::string shown;       // what stands in it, hidden parts included
  bool mention = false;    // it is said to be a mention; then a sign tells of whom or what
  bool shortened = false;  // a part of it is hidden
};

[[nodiscard]] std::string text_of_link(const HtmlLink& link, const HtmlContext& context);

// `example.org` of `https://example.org:443/@mira`, in small letters; empty of other texts.
[[nodiscard]] std::string host_of(std::string_view address);

}  // namespace chirp::cli::input
