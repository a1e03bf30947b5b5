// A JavaScript file of Twitter's archives: a variable, and its JSON value.
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
  // `buffer` is working memory; it and the stream must outlive this.
  ScriptFile(input::ByteStream& stream, input::TextBuffer& buffer);

  // Such as `window.YTD.tweets.part0`; empty if the file sets no variable.
  [[nodiscard]] const std::string& variable() const { return variable_; }
  // The kind of data in archives of 2019 and later: `tweets` in the example above; else empty.
  [[nodiscard]] std::string_view kind() const;

  // The objects of its array, one after the other.
  std::optional<input::JsonPiece> next() { return values_.next(); }
  // Counts the members of this name in the rest, without reading their contents.
  std::uint64_t count_members(std::string_view name);

 private:
  input::TextBuffer& buffer_;
  std::string variable_;
  input::JsonValues values_;
};

// The variable's value in a text that was read as a whole; empty if it is missing.
[[nodiscard]] std::string_view script_value(std::string_view text);

}  // namespace chirp::cli::archive
