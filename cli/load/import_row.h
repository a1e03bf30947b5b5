// One object of an export, read strictly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "core/model/ids.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/model/relation.h"

namespace chirp::cli {

// What is wrong with a row, without its position.
struct BadRow {
  std::string what;
};

// Reads members by name; throws BadRow for one that is missing or of another type.
class Row {
 public:
  // Throws BadRow for a member that occurs twice: readers differ in which one counts.
  explicit Row(const simdjson::dom::object& object);

  [[nodiscard]] const simdjson::dom::object& object() const { return object_; }
  [[nodiscard]] bool has(const char* key) const;
  [[nodiscard]] bool is_null(const char* key) const;
  [[nodiscard]] std::string text(const char* key) const;
  // A number of 63 bits, as text, 1 or more.
  [[nodiscard]] std::uint64_t id(const char* key) const;
  // `sourceId` if present: any number of 64 bits, since made-up ids have the highest bit; or
  // `sourceWord`.
  [[nodiscard]] std::optional<SourceKey> source() const;
  [[nodiscard]] Time time(const char* key) const;
  // False if it is missing.
  [[nodiscard]] bool flag(const char* key) const;
  // A list of texts; empty if it is missing.
  [[nodiscard]] std::vector<std::string> texts(const char* key) const;
  // An inner object.
  [[nodiscard]] Row inner(const char* key) const;

 private:
  // Valid until the next row is parsed.
  [[nodiscard]] std::string_view view(const char* key) const;

  simdjson::dom::object object_;
};

// The `content` of a post or comment.
[[nodiscard]] std::string text_of(const Row& row);
// Throws BadRow if `postType` does not match the post, and for a repost with a text.
void check_type(const Row& row, const Post& post);
// The values of `privacy`, `relation` and `likeType` of a row.
[[nodiscard]] Privacy privacy_of(const Row& row);
[[nodiscard]] Relation relation_of(const Row& row);
[[nodiscard]] ReactionType type_of(const Row& row);

}  // namespace chirp::cli
