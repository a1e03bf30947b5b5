// Ids and times in JSON values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "cli/input/json_fields.h"
#include "cli/input/notations.h"
#include "cli/input/times.h"
#include "core/load/source.h"

namespace chirp::cli::input {

// The text of an id; a number is its digits. Empty for anything that is neither.
[[nodiscard]] std::optional<std::string> json_id_text(const simdjson::dom::element& value);

// What `read` makes of a value that is an id. A number is read like its digits.
template <class Read>
std::optional<SourceId> json_id(const simdjson::dom::element& value, Read read) {
  std::uint64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) {
    return number <= load::kSourceIdMax ? std::optional(SourceId{number})
                                        : read(std::string_view(std::to_string(number)));
  }
  if (double real = 0; value.get(real) == simdjson::SUCCESS) return source_id(real);
  return read(text_of(value));
}

[[nodiscard]] inline std::optional<Time> json_time(const simdjson::dom::element& value,
                                                   const Times& times) {
  if (std::int64_t number = 0; value.get(number) == simdjson::SUCCESS) return unix_time(number);
  if (double number = 0; value.get(number) == simdjson::SUCCESS) return unix_time(number);
  return times.read(text_of(value));
}

}  // namespace chirp::cli::input
