// The target of a request: `/v1/posts?limit=3`, or the same after `http://host`. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/http/exchange.h"
#include "server/http/head.h"

namespace chirp::http {

struct Target {
  std::optional<std::string> host;  // of an absolute form, in lower case
  std::string path;                 // as in Head; `*` of OPTIONS alone
  std::vector<std::string> segments;
  std::vector<Pair> query;
};

// Refused with 400: what is not printable ASCII, other forms, bad escapes, %00, escapes that are no
// UTF-8.
[[nodiscard]] std::variant<Target, Fault> parse_target(std::string_view text, Method method);

}  // namespace chirp::http
