// Makes posts and users of JSON objects: our own field names and the usual others, and the objects
// of Twitter's API (v1.1: tweets with or without a whole user in them, and users).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "core/load/source.h"

namespace chirp::cli::input {

// Whether texts are HTML-escaped, as Twitter's are; kByObject: those of objects that look like
// Twitter's.
enum class Escapes : std::uint8_t { kNone, kHtml, kByObject };

struct Unusable {
  std::string why;
};
// An object that is neither a post nor a user.
struct Unrelated {};

using JsonObject = std::variant<load::SourcePost, load::SourceUser, Unrelated, Unusable>;

class JsonObjects {
 public:
  explicit JsonObjects(Escapes escapes);
  ~JsonObjects();

  // `text` is one JSON value, with TextBuffer::kPadding readable bytes behind it. Strict UTF-8;
  // nesting is bounded.
  [[nodiscard]] JsonObject read(std::string_view text);

 private:
  struct Parser;

  Escapes escapes_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace chirp::cli::input
