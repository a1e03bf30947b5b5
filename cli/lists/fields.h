// The choice of fields of JSON objects: `--fields userId,username`, or all fields of a list.
//
// A nested field is named with a dot, `actor.username`; the name of its parent selects all nested
// fields. The first field of a list identifies its items, and is also called `id`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/json/json_writer.h"

namespace chirp::cli {

// The names of the fields of one kind of object, in the order of its JSON, including optional ones.
using FieldNames = std::vector<std::string_view>;

class FieldChoice {
 public:
  // Without `asked`, all of them. Throws Error{kInvalidArgument} for an unknown name, with the list
  // of known ones, and for a repeated one.
  FieldChoice(const FieldNames& known, const std::optional<std::string>& asked);
  ~FieldChoice();
  FieldChoice(FieldChoice&&) noexcept;
  FieldChoice& operator=(FieldChoice&&) noexcept;

  // In the requested order; parents are replaced by their nested fields.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // The object with only the chosen fields, each in its place: nested fields stay nested. Missing
  // fields are left out.
  [[nodiscard]] std::string chosen(std::string_view object);
  // A text for each name: empty for a missing or null field, and JSON for an array.
  [[nodiscard]] std::vector<std::string> cells(std::string_view object);

 private:
  struct Parser;
  std::vector<std::string> names_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace chirp::cli
