// Makes posts and users of JSON objects: our own field names and the usual others, and the objects
// of Twitter's API (v1.1: tweets with or without a whole user in them, and users).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "cli/input/ids.h"
#include "cli/input/times.h"
#include "core/load/source.h"

namespace chirp::cli::input {

// Whether texts are HTML-escaped, as Twitter's are; kByObject: those of objects that look like
// Twitter's: by `id_str` beside a user, by names such as `in_reply_to_status_id`, by their link.
enum class Escapes : std::uint8_t { kNone, kHtml, kByObject };

struct Unusable {
  std::string why;
  std::uint64_t lines = 0;  // ends of lines before what is wrong
};
// A post that only the users it names may see, such as a direct message.
struct NotForReaders {};
// An object that is neither a post nor a user.
struct Unrelated {};

using JsonObject =
    std::variant<load::SourcePost, load::SourceUser, NotForReaders, Unrelated, Unusable>;

class JsonObjects {
 public:
  explicit JsonObjects(Escapes escapes, Times times = {});
  ~JsonObjects();

  // `text` is one JSON value, followed by TextBuffer::kPadding readable bytes. Strict UTF-8;
  // nesting is limited. `column` is the number of bytes before it in its line.
  [[nodiscard]] JsonObject read(std::string_view text, IdCells& ids, std::size_t column = 0);

 private:
  struct Parser;

  Escapes escapes_;
  Times times_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace chirp::cli::input
