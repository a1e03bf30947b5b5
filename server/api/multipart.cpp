#include "server/api/multipart.h"

#include <algorithm>
#include <optional>

#include "core/model/names.h"
#include "server/api/problem.h"
#include "server/api/request_values.h"
#include "server/limits.h"

namespace chirp::api {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::size_t kBoundaryMax = 70;  // RFC 2046
constexpr std::size_t kPartHeadMax = 8 << 10;

[[noreturn]] void refuse(std::string_view what) {
  throw unreadable("The form can't be read: " + std::string(what) + ".");
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Takes the text before `end` off the front, and `end` itself; empty if `end` is missing.
std::optional<std::string_view> take(std::string_view& rest, std::string_view end) {
  const std::size_t at = rest.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = rest.substr(0, at);
  rest.remove_prefix(at + end.size());
  return taken;
}

// Takes a word, or a quoted string in which a backslash escapes a quote or a backslash.
std::string take_value(std::string_view& rest) {
  std::string value;
  if (!rest.starts_with('"')) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    value = trimmed(rest.substr(0, end));
    rest.remove_prefix(end);
    return value;
  }
  for (rest.remove_prefix(1);; rest.remove_prefix(1)) {
    if (rest.starts_with("\\\"") || rest.starts_with("\\\\"))
      rest.remove_prefix(1);
    else if (rest.starts_with('"'))
      break;
    if (rest.empty()) refuse("a quote is not closed");
    value += rest.front();
  }
  rest.remove_prefix(1);
  rest = trimmed(rest);
  return value;
}

// Returns the value of a parameter of `main; name=value; …`. Throws if it is repeated.
std::optional<std::string> parameter(std::string_view header, std::string_view wanted) {
  std::optional<std::string> found;
  std::string_view rest = header.substr(std::min(header.find(';'), header.size()));
  while (!(rest = trimmed(rest)).empty()) {
    if (!rest.starts_with(';')) refuse("a header has something between its parameters");
    rest.remove_prefix(1);
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) refuse("a header has a parameter without a value");
    const std::string name = folded(trimmed(rest.substr(0, equals)));
    rest = trimmed(rest.substr(equals + 1));
    std::string value = take_value(rest);
    if (name != wanted) continue;
    if (found) refuse("a header has a parameter twice");
    found = std::move(value);
  }
  return found;
}

std::string boundary_in(std::string_view content_type) {
  const auto boundary = parameter(content_type, "boundary");
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("'()+_,-./:=? ").find(c) != std::string_view::npos;
  };
  if (!boundary || boundary->empty() || boundary->size() > kBoundaryMax ||
      boundary->back() == ' ' || !std::all_of(boundary->begin(), boundary->end(), fits)) {
    refuse("its type names no boundary");
  }
  return *boundary;
}

// Reads a part's headers; `rest` is the body after its boundary.
FormFile take_head(std::string_view& rest) {
  FormFile file;
  std::optional<std::string> name;
  const std::size_t before = rest.size();
  for (;;) {
    const auto line = take(rest, kLineEnd);
    if (!line || before - rest.size() > kPartHeadMax) refuse("a part has no end of its headers");
    if (line->empty()) break;
    const std::size_t colon = line->find(':');
    if (colon == std::string_view::npos) refuse("a part has a header without a colon");
    const std::string header = folded(line->substr(0, colon));
    const std::string_view value = trimmed(line->substr(colon + 1));
    if (header == "content-type") file.type = media_type_in(value);
    if (header == "content-transfer-encoding") refuse("a part is encoded");
    if (header != "content-disposition") continue;
    if (name || media_type_in(value) != "form-data") refuse("a part is not one of a form");
    name = parameter(value, "name");
  }
  if (name != "file") refuse("it takes one part, named file");
  return file;
}

}  // namespace

FormFile form_file(std::string_view content_type, std::string_view body) {
  const std::string delimiter = "--" + boundary_in(content_type);
  std::string_view rest = body;
  if (!rest.starts_with(delimiter + "\r\n")) refuse("it does not begin with its boundary");
  rest.remove_prefix(delimiter.size() + kLineEnd.size());
  FormFile file = take_head(rest);
  const auto bytes = take(rest, "\r\n" + delimiter);
  if (!bytes) refuse("it ends inside a part");
  if (rest.starts_with(kLineEnd)) refuse("it takes one part, named file");
  if (rest != "--" && rest != "--\r\n") refuse("it has data after its end");
  file.bytes = *bytes;
  return file;
}

}  // namespace chirp::api
