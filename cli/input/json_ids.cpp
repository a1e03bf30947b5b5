#include "cli/input/json_ids.h"

#include <string_view>

namespace chirp::cli::input {

std::optional<std::string> json_id_text(const simdjson::dom::element& value) {
  if (std::uint64_t number = 0; value.get(number) == simdjson::SUCCESS) {
    return std::to_string(number);
  }
  if (double real = 0; value.get(real) == simdjson::SUCCESS) {
    const auto id = source_id(real);
    return id ? std::optional(std::to_string(id->value)) : std::nullopt;
  }
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return std::nullopt;
  return std::string(text);
}

}  // namespace chirp::cli::input
