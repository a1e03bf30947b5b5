// Whether a value is what a JSON schema says, as far as the contract of the HTTP API uses schemas.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/json_value.h"

namespace chirp::test {

// `document` is what references point into; it must outlive it.
class JsonSchema {
 public:
  explicit JsonSchema(const JsonValue& document) : document_(document) {}

  // What is wrong, each with the place; nothing if all is well. A field that no schema names is
  // wrong: clients are to expect them, but a server that sends them has left its contract. Throws
  // std::runtime_error for a schema with a keyword that is not known here, or a reference that
  // leads nowhere.
  [[nodiscard]] std::vector<std::string> faults(const JsonValue& schema,
                                                const JsonValue& value) const;
  // What a reference stands for; anything else stands for itself.
  [[nodiscard]] const JsonValue& resolved(const JsonValue& node) const;
  // What is found at `#/…`.
  [[nodiscard]] const JsonValue& at(std::string_view pointer) const;

 private:
  const JsonValue& document_;
};

}  // namespace chirp::test
