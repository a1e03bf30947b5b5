#include "server/http/grammar.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/model/utf8.h"

namespace chirp::http {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char small = lower(c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

// Calls `visit` with each item of a list, trimmed.
template <class Visit>
void each_item(std::string_view list, char separator, const Visit& visit) {
  while (true) {
    const std::size_t end = list.find(separator);
    visit(trimmed(list.substr(0, end)));
    if (end == std::string_view::npos) return;
    list.remove_prefix(end + 1);
  }
}

// `q=0`, `q=0.000` and what can't be read are no.
bool wanted(std::string_view parameters) {
  bool is_wanted = true;
  each_item(parameters, ';', [&](std::string_view parameter) {
    if (parameter.size() < 2 || lower(parameter[0]) != 'q') return;
    const std::string_view value = trimmed(parameter.substr(1));
    is_wanted = value.starts_with('=') &&
                value.find_first_of("123456789") != std::string_view::npos &&
                value.find_first_not_of("0123456789. ", 1) == std::string_view::npos;
  });
  return is_wanted;
}

bool is_port(std::string_view text) { return is_digits(text) && text.size() <= 5; }

bool is_address_v6(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return hex_value(c) >= 0 || c == ':' || c == '.';
  });
}

bool is_host_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || is_alpha(c) || c == '.' || c == '-' || c == '_';
  });
}

}  // namespace

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_alpha(c) || is_digit(c) || kMarks.find(c) != std::string_view::npos;
  });
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool equal_in_any_case(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

bool list_has(std::string_view list, std::string_view item) {
  bool found = false;
  each_item(list, ',', [&](std::string_view each) { found |= equal_in_any_case(each, item); });
  return found;
}

std::uint64_t length_of(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  (void)end;
  return error == std::errc() ? value : std::numeric_limits<std::uint64_t>::max();
}

bool accepts_gzip(std::string_view accept_encoding) {
  std::optional<bool> named;
  std::optional<bool> any;
  each_item(accept_encoding, ',', [&](std::string_view item) {
    const std::size_t end = item.find(';');
    const std::string_view coding = trimmed(item.substr(0, end));
    const bool is_wanted = end == std::string_view::npos || wanted(item.substr(end + 1));
    if (equal_in_any_case(coding, "gzip")) named = is_wanted;
    if (coding == "*") any = is_wanted;
  });
  return named.value_or(any.value_or(false));
}

std::optional<std::string> percent_decoded(std::string_view text, Plus plus) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (text.size() - i < 3) return std::nullopt;
      const int high = hex_value(text[i + 1]);
      const int low = hex_value(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus == Plus::kIsBlank) {
      c = ' ';
    }
    if (c == '\0') return std::nullopt;
    decoded += c;
  }
  if (!utf8::is_valid(decoded)) return std::nullopt;
  return decoded;
}

std::optional<std::string> host_of(std::string_view authority) {
  std::string_view host = authority;
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos || !is_address_v6(authority.substr(1, end - 1))) return {};
    host = authority.substr(0, end + 1);
    port = authority.substr(end + 1);
  } else {
    const std::size_t end = std::min(authority.find(':'), authority.size());
    host = authority.substr(0, end);
    port = authority.substr(end);
    if (!is_host_name(host)) return {};
  }
  // "host:" is as good as "host" (RFC 3986, 3.2.3).
  if (port.size() > 1 && (!port.starts_with(':') || !is_port(port.substr(1)))) return {};
  if (port.size() == 1 && port != ":") return {};
  return utf8::ascii_lower(host);
}

}  // namespace chirp::http
