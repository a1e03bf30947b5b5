#include "cli/packaging/roff.h"

#include <fmt/format.h>

#include "core/model/utf8.h"

namespace chirp::cli {
namespace {

// Escapes characters that roff would change, or read as the start of an escape.
std::string_view escape_of(char c) {
  switch (c) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    case '"':
      return "\\(dq";
    default:
      return {};
  }
}

}  // namespace

std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  while (!text.empty()) {
    const char c = text.front();
    const auto [code_point, bytes] = utf8::decode(text);
    text.remove_prefix(bytes);
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (const std::string_view escape = escape_of(c); !escape.empty()) {
      out += escape;
    } else if (bytes == 1) {
      out += c;
    } else {
      out += fmt::format("\\[u{:04X}]", code_point);
    }
  }
  return out;
}

std::string roff_argument(std::string_view text) {
  std::string out = "\"";
  for (const char c : roff(text)) {
    out += c;
    if (c == '|') out += "\\:";
  }
  return out + "\"";
}

}  // namespace chirp::cli
