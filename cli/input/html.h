// Plain text of the HTML that other programs keep posts and profiles in, as Mastodon does.
//
// Paragraphs are parted by an empty line, `<br>` ends a line; items of lists begin with `- ` or
// their number, lines that are quoted with `> `. Of a link stands its whole address, also where
// only a part of it is shown; behind other words it stands in brackets. Marks such as bold are left
// out, with scripts and styles. libxml2 reads it, and is opened by the first call.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace chirp::cli::input {

// More bytes, and elements nested deeper, are refused.
inline constexpr std::size_t kHtmlBytesMax = std::size_t{64} << 10;
inline constexpr std::size_t kHtmlDepthMax = 100;
// Further ones that are said beside a text are not looked at.
inline constexpr std::size_t kHtmlMentionsMax = 1000;

// Somebody whom a text mentions, as it is said beside the text.
struct HtmlMention {
  std::string href;
  std::string name;  // `@user@domain`, or `@user` of the author's own server
};

struct HtmlContext {
  std::span<const HtmlMention> mentions{};
  std::string_view home{};  // the author's server: `@user` is somebody there
};

struct HtmlText {
  std::string text;
  std::string problem{};  // what is wrong instead, as a sentence; or empty
};

// `html` is valid UTF-8. A mention is `@user@domain`, or `@user` where the domain is `home`: as is
// said beside the text, or else by the host that the link leads to. Throws Error{kUnavailable}
// where libxml2 is missing.
[[nodiscard]] HtmlText text_of_html(std::string_view html, const HtmlContext& context = {});

}  // namespace chirp::cli::input
