#include "server/http/exchange.h"

#include <algorithm>
#include <array>

namespace chirp::http {
namespace {

// In the order of Method.
constexpr std::array<std::string_view, 8> kNames{"GET",   "HEAD",   "POST",    "PUT",
                                                 "PATCH", "DELETE", "OPTIONS", "OTHER"};

}  // namespace

std::string_view name(Method method) { return kNames.at(static_cast<std::size_t>(method)); }

Method method_named(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  return found == kNames.end() ? Method::kOther : static_cast<Method>(found - kNames.begin());
}

std::optional<std::string_view> Head::header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const Pair& header) { return header.name == name; });
  if (found == headers.end()) return std::nullopt;
  return found->value;
}

}  // namespace chirp::http
