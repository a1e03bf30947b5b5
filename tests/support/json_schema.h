// Validates values against JSON schemas, as far as the contract of the HTTP API uses them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/json_value.h"

namespace chirp::test {

// References point into `document`, which must outlive it.
class JsonSchema {
 public:
  explicit JsonSchema(const JsonValue& document) : document_(document) {}

  // Returns the faults with their positions; empty if there are none. A field that no schema names
  // is a fault: clients must accept unknown fields, but a server that sends them breaks its
  // contract. Throws std::runtime_error for an unsupported keyword or a broken reference.
  [[nodiscard]] std::vector<std::string> faults(const JsonValue& schema,
                                                const JsonValue& value) const;
  // The target of a reference; any other node is returned unchanged.
  [[nodiscard]] const JsonValue& resolved(const JsonValue& node) const;
  // The value at `#/…`.
  [[nodiscard]] const JsonValue& at(std::string_view pointer) const;

 private:
  const JsonValue& document_;
};

}  // namespace chirp::test
