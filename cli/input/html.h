// Converts the HTML of posts and profiles, such as Mastodon's, to plain text.
//
// An empty line separates paragraphs, and `<br>` ends a line. List items begin with `- ` or their
// number, quoted lines with `> `. A link becomes its whole address, even if only part of it is
// shown; after other words it is put in brackets. Marks such as bold are dropped, and so are
// scripts and styles. Uses libxml2, which the first call loads.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace chirp::cli::input {

// Larger texts, and elements nested deeper, are refused.
inline constexpr std::size_t kHtmlBytesMax = std::size_t{64} << 10;
inline constexpr std::size_t kHtmlDepthMax = 100;
// The number of listed mentions that are considered.
inline constexpr std::size_t kHtmlMentionsMax = 1000;

// A user mentioned in the text, as listed beside it.
struct HtmlMention {
  std::string href;
  std::string name;  // `@user@domain`, or `@user` of the author's own server
};

struct HtmlContext {
  std::span<const HtmlMention> mentions{};
  std::string_view home{};  // the author's server: `@user` is a user there
};

struct HtmlText {
  std::string text;
  std::string problem{};  // the reason if there is no text, as a sentence; or empty
};

// `html` must be valid UTF-8. A mention becomes `@user@domain`, or `@user` if the domain is `home`.
// The domain comes from the list of mentions, or else from the host in the link. Throws
// Error{kUnavailable} if libxml2 is missing.
[[nodiscard]] HtmlText text_of_html(std::string_view html, const HtmlContext& context = {});

}  // namespace chirp::cli::input
