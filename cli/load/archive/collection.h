// What an ActivityStreams collection lists in its `orderedItems`, one after the other, so that a
// file of any size needs little memory. Of a key that stands there more than once the last counts,
// as readers of JSON have it: archives of Mastodon may have an empty list before the one of posts.
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
  // `list` says which of its lists is read, counted from 1.
  Collection(input::ByteStream& stream, input::TextBuffer& buffer, std::size_t list = 1);

  // What a whole file says of itself.
  struct Facts {
    std::size_t lists = 0;
    std::optional<std::uint64_t> total;  // as `totalItems` has it
  };
  static Facts facts_of(input::ByteStream& stream, input::TextBuffer& buffer);

  // An object, a text with its quotes or any other value, unchecked inside; or what is wrong with
  // the file, once.
  std::optional<input::JsonPiece> next();

 private:
  // The next character that is no white space, which stays; 0 at the end.
  char peek();
  void pass(std::size_t size);
  // The size of the value that is next; 0 if the text ends in it, or it is too long.
  std::size_t measure();
  // Goes on behind the `[` of the next list, or to the end; what is wrong otherwise.
  std::string find_items();
  input::JsonPiece broken(std::string problem);

  input::TextBuffer& buffer_;
  std::size_t list_;  // the one that is read
  Facts facts_;       // so far
  std::uint64_t line_ = 1;
  std::uint64_t ordinal_ = 0;
  std::size_t returned_ = 0;
  bool in_list_ = false;
  bool over_ = false;
};

}  // namespace chirp::cli::archive
