// The names of an enum's values, in both directions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace chirp {

template <class Value, std::size_t N>
using ValueNames = std::array<std::pair<Value, std::string_view>, N>;

// Empty for a value without a name.
template <class Value, std::size_t N>
[[nodiscard]] constexpr std::string_view name_in(const ValueNames<Value, N>& names, Value value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  return {};
}

// Empty for an unknown name.
template <class Value, std::size_t N>
[[nodiscard]] constexpr std::optional<Value> value_in(const ValueNames<Value, N>& names,
                                                      std::string_view name) {
  for (const auto& [value, known] : names) {
    if (known == name) return value;
  }
  return std::nullopt;
}

}  // namespace chirp
