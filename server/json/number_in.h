// Parses whole numbers in clients' requests.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace chirp::api {

// Returns the number if the whole text is one; otherwise empty.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text, int base = 10) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace chirp::api
