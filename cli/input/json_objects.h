// Converts JSON objects to posts and users: our own field names, the usual others, and the objects
// of other services (cli/input/fields.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "cli/input/fields.h"
#include "cli/input/ids.h"
#include "cli/input/times.h"
#include "core/load/source.h"

namespace chirp::cli::input {

struct Unusable {
  std::string why;
  std::uint64_t lines = 0;  // line ends before the error
};
// An object that is recognised but not loaded.
struct LeftOut {
  const char* kind;     // for JSON output, such as "directMessages"
  bool is_post = true;  // a post itself, not a message about something else
};
// The author of a post has deleted it.
struct Deletion {
  SourceId post;
  std::optional<SourceId> author;
};
// A user whose posts are for followers only, as a post or a user object says.
struct ProtectedUser {
  std::optional<SourceId> id;
  std::string username;
};
// An object that is neither a post nor a user.
struct Unrelated {
  std::string members;  // the names of its first members
};

using JsonObject = std::variant<load::SourcePost, load::SourceUser, LeftOut, Deletion,
                                ProtectedUser, Unrelated, Unusable>;
// Returns false if no more is wanted.
using TakeObject = std::function<bool(JsonObject&&)>;

class JsonObjects {
 public:
  explicit JsonObjects(Escapes escapes, Times times = {});
  ~JsonObjects();

  // `text` is one JSON value, followed by TextBuffer::kPadding readable bytes. Strict UTF-8;
  // nesting is limited. `column` is the number of bytes before it in its line. A page of Twitter's
  // API holds several objects. Returns false if `take` did.
  bool read(std::string_view text, IdCells& ids, const TakeObject& take, std::size_t column = 0);

 private:
  struct Parser;

  Escapes escapes_;
  Times times_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace chirp::cli::input
