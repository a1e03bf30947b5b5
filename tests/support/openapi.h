// docs/openapi.yaml for tests: its operations, their possible answers, and checks of answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http/exchange.h"
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

// The answer of an App without sockets, without its stream.
[[nodiscard]] PlainAnswer plain_answer(const http::Response& response);

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
  [[nodiscard]] const JsonValue& document() const { return document_; }

 private:
  void read_operation(const std::string& path, const std::string& method, const JsonValue& node);

  std::string text_;
  JsonValue document_;
  std::vector<DocumentedOperation> operations_;
};

// Collects answers and values, and checks all of them in one run of tests/support/openapi.py.
class ContractCheck {
 public:
  explicit ContractCheck(const JsonValue& contract = OpenApi::of_the_project().document())
      : input_(contract.dump() + '\n') {}

  // Faults of an answer are an undocumented status, a missing or invalid header, an undocumented
  // type of content, and a body that violates its schema.
  void add(std::string_view operation, const PlainAnswer& answer);
  // A JSON text and its schema in the contract. Its faults begin with `words`.
  void add_value(std::string_view words, std::string_view schema, std::string_view json);
  // The examples in the contract.
  void add_examples();
  // The faults of all that was added. Fails the test if the check can't run.
  [[nodiscard]] std::vector<std::string> faults() const;

 private:
  void add_case(JsonValue::Object fields);

  std::string input_;
};

}  // namespace chirp::test
