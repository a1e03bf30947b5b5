// docs/openapi.yaml for tests: its operations, their possible answers, and the validation of
// answers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/json_schema.h"
#include "tests/support/json_value.h"

namespace chirp::test {

// An answer as a client sees it.
struct PlainAnswer {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;

  // The first header of this name (in lower case).
  [[nodiscard]] std::optional<std::string> header(std::string_view name) const;
  [[nodiscard]] JsonValue json() const { return JsonValue::parse(body); }
};

enum class Token : std::uint8_t { kNotLookedAt, kOptional, kNeeded };

struct DocumentedOperation {
  std::string id;
  std::string method;  // in capitals
  std::string path;    // `/v1/users/{user}`
  Token token = Token::kNeeded;
  bool has_body = false;
  bool takes_json = false;    // in its body
  std::vector<int> statuses;  // named ones, without `default`
};

class OpenApi {
 public:
  // Throws std::runtime_error for an invalid document.
  explicit OpenApi(const std::string& yaml);
  // docs/openapi.yaml.
  static const OpenApi& of_the_project();

  [[nodiscard]] const std::vector<DocumentedOperation>& operations() const { return operations_; }
  [[nodiscard]] const DocumentedOperation& operation(std::string_view id) const;
  [[nodiscard]] const std::string& text() const { return text_; }

  // The faults of an answer: an undocumented status, a missing or invalid header, an undocumented
  // type of content, a body that violates the schema.
  [[nodiscard]] std::vector<std::string> faults(std::string_view operation,
                                                const PlainAnswer& answer) const;
  // The faults of a value by a schema of the document; empty if there are none.
  [[nodiscard]] std::vector<std::string> faults_of(std::string_view schema,
                                                   const JsonValue& value) const;
  // Invalid examples in the document: of schemas, parameters and headers.
  [[nodiscard]] std::vector<std::string> faulty_examples() const;

 private:
  void read_operation(const std::string& path, const std::string& method, const JsonValue& node);
  [[nodiscard]] const JsonValue& response_of(std::string_view operation, int status) const;
  void check_headers(const JsonValue& response, const PlainAnswer& answer,
                     std::vector<std::string>& faults) const;
  void check_header(const std::string& name, const JsonValue& header, const PlainAnswer& answer,
                    std::vector<std::string>& faults) const;
  void check_content(const JsonValue& response, const PlainAnswer& answer,
                     std::vector<std::string>& faults) const;
  void check_examples(const JsonValue& node, const std::string& place,
                      std::vector<std::string>& faults) const;

  std::string text_;
  JsonValue document_;
  JsonSchema schemas_{document_};
  std::vector<DocumentedOperation> operations_;
};

}  // namespace chirp::test
