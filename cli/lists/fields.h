// Which fields of JSON objects are wanted: `--fields userId,username`, or all that a list has.
//
// A field inside of another is named by a dot, `actor.username`; what has fields inside stands for
// all of them. The first field of a list tells its items apart, and `id` means it, too.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/json/json_writer.h"

namespace chirp::cli {

// The names of the fields of one kind of object, in the order of its JSON; those that may be absent
// included.
using FieldNames = std::vector<std::string_view>;

class FieldChoice {
 public:
  // Without `asked`, all of them. Throws Error{kInvalidArgument} for a name that is none, naming
  // those there are, and for one that comes twice.
  FieldChoice(const FieldNames& known, const std::optional<std::string>& asked);
  ~FieldChoice();
  FieldChoice(FieldChoice&&) noexcept;
  FieldChoice& operator=(FieldChoice&&) noexcept;

  // In the order asked for, each a field without others inside.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // The object with the chosen fields alone, each where it stood: what is inside of another stays
  // there. What the object lacks is left out.
  [[nodiscard]] std::string chosen(std::string_view object);
  // A text for each name: of what is absent or null an empty one, of an array its JSON.
  [[nodiscard]] std::vector<std::string> cells(std::string_view object);

 private:
  struct Parser;
  std::vector<std::string> names_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace chirp::cli
