// Reads the entries in `orderedItems` of an ActivityStreams collection, one at a time, so that a
// file of any size needs little memory. If the key occurs several times, the last one counts, as in
// other JSON readers: Mastodon's archives may have an empty list before the list of posts.
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
  // `buffer` is working memory; it and the stream must outlive this. `list` is the list to read,
  // counted from 1.
  Collection(input::ByteStream& stream, input::TextBuffer& buffer, std::size_t list = 1);

  // Facts about a whole file.
  struct Facts {
    std::size_t lists = 0;
    std::optional<std::uint64_t> total;  // the value of `totalItems`
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
  // Moves past the `[` of the next list, or to the end. Returns what is wrong, or empty.
  std::string find_items();
  input::JsonPiece broken(std::string problem);

  input::TextBuffer& buffer_;
  std::size_t list_;  // the list being read
  Facts facts_;       // so far
  std::uint64_t line_ = 1;
  std::uint64_t ordinal_ = 0;
  std::size_t returned_ = 0;
  bool in_list_ = false;
  bool over_ = false;
};

}  // namespace chirp::cli::archive
