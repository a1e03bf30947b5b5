// HTML: what becomes of it is plain text of bounded size, and what is plain stays so.
#include "cli/input/html.h"

#include <string>

#include "core/model/utf8.h"
#include "tests/fuzz/targets.h"

namespace chirp::fuzz {
namespace {

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Text that white space and the library leave as it is.
bool is_plain(std::string_view text) {
  if (text.empty()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte > 0x7e) return false;
    if (byte == ' ' && (i == 0 || i + 1 == text.size() || text[i - 1] == ' ')) return false;
  }
  return true;
}

}  // namespace

void html(Bytes input) {
  if (!utf8::is_valid(input)) return;  // refused before
  const cli::input::HtmlText read =
      cli::input::text_of_html(input, {.mentions = {}, .home = "a.b"});
  holds(read.text.empty() || read.problem.empty(), "it is read or refused");
  holds(utf8::is_valid(read.text), "texts are UTF-8");
  // A byte of HTML makes an escape of three, or an item in a nested list.
  holds(read.text.size() <= 16 * input.size() + 16, "the text is not out of proportion");
  if (is_plain(input)) {
    const auto again = cli::input::text_of_html("<p>" + html_escaped(input) + "</p>");
    holds(again.text == input, "an escaped text is that text");
  }
}

}  // namespace chirp::fuzz
