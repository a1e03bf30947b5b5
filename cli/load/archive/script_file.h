// A JavaScript file of Twitter's archives: a variable, and the JSON that it is set to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/byte_stream.h"
#include "cli/input/json_values.h"
#include "cli/input/lines.h"

namespace chirp::cli::archive {

class ScriptFile {
 public:
  // `buffer` is room to work in; it and the stream outlive this.
  ScriptFile(input::ByteStream& stream, input::TextBuffer& buffer);

  // As `window.YTD.tweets.part0`; empty if the file sets none.
  [[nodiscard]] const std::string& variable() const { return variable_; }
  // What the archives of 2019 and later call their data: `tweets` of the above; else empty.
  [[nodiscard]] std::string_view kind() const;

  // The objects of its array, one after the other.
  std::optional<input::JsonPiece> next() { return values_.next(); }
  // How many members of this name the rest has, without reading what they hold.
  std::uint64_t count_members(std::string_view name);

 private:
  input::TextBuffer& buffer_;
  std::string variable_;
  input::JsonValues values_;
};

// The variable's value in a text that was read as a whole; empty if it is missing.
[[nodiscard]] std::string_view script_value(std::string_view text);

}  // namespace chirp::cli::archive
