#include "server/http/target.h"

#include <algorithm>

#include "server/http/grammar.h"

namespace chirp::http {
namespace {

constexpr std::string_view kBadEscape =
    "The target has an escape that is no %XX, stands for NUL, or is no UTF-8.";

// Takes what is before `separator`, and the separator, off the front of `text`.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return taken;
}

std::optional<Fault> split_path(std::string_view path, std::vector<std::string>& segments) {
  std::string_view rest = path.substr(1);
  if (rest.empty()) return std::nullopt;
  const bool ends_in_slash = rest.ends_with('/');
  while (!rest.empty()) {
    auto segment = percent_decoded(take_until(rest, '/'), Plus::kIsPlus);
    if (!segment) return bad(std::string(kBadEscape));
    segments.push_back(std::move(*segment));
  }
  if (ends_in_slash) segments.emplace_back();
  return std::nullopt;
}

std::optional<Fault> split_query(std::string_view query, std::vector<Pair>& pairs) {
  while (!query.empty()) {
    std::string_view value = take_until(query, '&');
    if (value.empty()) continue;
    auto name = percent_decoded(take_until(value, '='), Plus::kIsBlank);
    auto decoded = percent_decoded(value, Plus::kIsBlank);
    if (!name || !decoded) return bad(std::string(kBadEscape));
    pairs.push_back({std::move(*name), std::move(*decoded)});
  }
  return std::nullopt;
}

// Takes `http://host` off the front.
std::optional<std::string> take_host(std::string_view& text) {
  constexpr std::string_view kScheme = "http://";
  if (!equal_in_any_case(text.substr(0, kScheme.size()), kScheme)) return std::nullopt;
  const std::size_t end = std::min(text.find_first_of("/?", kScheme.size()), text.size());
  auto host = host_of(text.substr(kScheme.size(), end - kScheme.size()));
  if (host) text.remove_prefix(end);
  return host;
}

}  // namespace

std::variant<Target, Fault> parse_target(std::string_view text, Method method) {
  const bool printable = std::all_of(text.begin(), text.end(),
                                     [](char c) { return c > 0x20 && c < 0x7f && c != '#'; });
  if (!printable) return bad("The target has characters that must be escaped.");
  Target target;
  if (text == "*" && method == Method::kOptions) {
    target.path = "*";
    target.segments.emplace_back("*");
    return target;
  }
  if (!text.starts_with('/')) {
    target.host = take_host(text);
    if (!target.host) return bad("The target is neither a path nor begins with http://host.");
  }
  std::string_view query = text;
  const std::string_view path = take_until(query, '?');
  target.path = path.empty() ? "/" : std::string(path);
  if (auto fault = split_path(target.path, target.segments)) return *fault;
  if (auto fault = split_query(query, target.query)) return *fault;
  return target;
}

}  // namespace chirp::http
