// What an ActivityStreams collection lists in its `orderedItems`, one after the other, so that a
// file of any size needs little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/byte_stream.h"
#include "cli/input/json_values.h"
#include "cli/input/lines.h"

namespace chirp::cli::archive {

class Collection {
 public:
  // `buffer` is room to work in; it and the stream outlive this.
  Collection(input::ByteStream& stream, input::TextBuffer& buffer);

  // An object, a text with its quotes or any other value, unchecked inside; or what is wrong with
  // the file, once.
  std::optional<input::JsonPiece> next();

 private:
  // The next character that is no white space, which stays; 0 at the end.
  char peek();
  void pass(std::size_t size);
  // The size of the value that is next; 0 if the text ends in it, or it is too long.
  std::size_t measure();
  // Goes on behind the `[` of the items; what is wrong otherwise.
  std::string find_items();
  input::JsonPiece broken(std::string problem);

  input::TextBuffer& buffer_;
  std::uint64_t line_ = 1;
  std::uint64_t ordinal_ = 0;
  std::size_t returned_ = 0;
  bool found_ = false;
  bool over_ = false;
};

}  // namespace chirp::cli::archive
