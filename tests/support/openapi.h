// docs/openapi.yaml as tests need it: which operations there are, what each may answer, and whether
// an answer is what is documented.
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

// An answer as a client has it.
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
  // Throws std::runtime_error for a document that is none.
  explicit OpenApi(const std::string& yaml);
  // docs/openapi.yaml.
  static const OpenApi& of_the_project();

  [[nodiscard]] const std::vector<DocumentedOperation>& operations() const { return operations_; }
  [[nodiscard]] const DocumentedOperation& operation(std::string_view id) const;
  [[nodiscard]] const std::string& text() const { return text_; }

  // What is wrong about an answer: a status that is not documented, a header that is missing or
  // not as it is said, a type of content that is not there, a body that is not of the schema.
  [[nodiscard]] std::vector<std::string> faults(std::string_view operation,
                                                const PlainAnswer& answer) const;
  // Whether a value is of a schema of the document, by its name.
  [[nodiscard]] std::vector<std::string> faults_of(std::string_view schema,
                                                   const JsonValue& value) const;
  // Everything in the document that says of itself what it is like: examples of schemas,
  // parameters and headers that are not so.
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
