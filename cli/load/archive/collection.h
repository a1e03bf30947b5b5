// Reads the entries in `orderedItems` of an ActivityStreams collection, one at a time, so that a
// file of any size needs little memory. If the key occurs several times, the last one counts, as in
// other JSON readers: Mastodon's archives may have an empty list before the list of posts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/input/byte_stream.h"
#include "cli/input/json_values.h"
#include "cli/input/lines.h"

namespace chirp::cli::archive {

class Collection {
 public:
  // `buffer` is working memory; it and the stream must outlive this. `list` is the list to read,
  // counted from 1.
  Collection(input::ByteStream& stream, input::TextBuffer& buffer, std::size_t list = 1)
      : members_((buffer.open(stream), buffer)), list_(list) {}

  // Facts about a whole file.
  struct Facts {
    std::size_t lists = 0;
    std::optional<std::uint64_t> total;  // the value of `totalItems`
  };
  static Facts facts_of(input::ByteStream& stream, input::TextBuffer& buffer);

  // Returns an entry, or, once, what is wrong with the file.
  std::optional<input::JsonPiece> next();

 private:
  input::JsonPiece broken(input::JsonPiece piece, std::string problem);

  input::JsonMembers members_;
  std::size_t list_;  // the list being read
  Facts facts_;       // so far
  bool over_ = false;
};

}  // namespace chirp::cli::archive
