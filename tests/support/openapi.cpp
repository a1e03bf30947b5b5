#include "tests/support/openapi.h"

#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/names.h"
#include "tests/support/child.h"

namespace chirp::test {
namespace {

constexpr std::array kMethods{"get", "post", "put", "patch", "delete"};

Token token_of(const JsonValue* security) {
  if (security == nullptr) return Token::kNeeded;  // as the document says for all
  if (security->list().empty()) return Token::kNotLookedAt;
  for (const JsonValue& way : security->list()) {
    if (way.object().empty()) return Token::kOptional;
  }
  return Token::kNeeded;
}

std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("there is no " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

std::optional<std::string> PlainAnswer::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return std::nullopt;
}

PlainAnswer plain_answer(const http::Response& response) {
  PlainAnswer answer;
  answer.status = response.status;
  for (const http::Pair& pair : response.headers) {
    answer.headers.emplace_back(folded(pair.name), pair.value);
  }
  if (!response.type.empty()) answer.headers.emplace_back("content-type", response.type);
  answer.body = response.body;
  return answer;
}

OpenApi::OpenApi(const std::string& yaml) : text_(yaml), document_(JsonValue::parse_yaml(yaml)) {
  for (const auto& [path, item] : document_["paths"].object()) {
    for (const char* method : kMethods) {
      if (const JsonValue* node = item.find(method)) read_operation(path, method, *node);
    }
  }
}

const OpenApi& OpenApi::of_the_project() {
  static const OpenApi kDocument(whole_file(CHIRP_SOURCE_DIR "/docs/openapi.yaml"));
  return kDocument;
}

void OpenApi::read_operation(const std::string& path, const std::string& method,
                             const JsonValue& node) {
  DocumentedOperation operation;
  operation.id = node["operationId"].text();
  operation.path = path;
  for (const char c : method) operation.method += static_cast<char>(c - 'a' + 'A');
  operation.token = token_of(node.find("security"));
  if (const JsonValue* body = node.find("requestBody")) {
    operation.has_body = true;
    operation.takes_json = (*body)["content"].find("application/json") != nullptr;
  }
  for (const auto& [status, unused] : node["responses"].object()) {
    if (status != "default") operation.statuses.push_back(std::stoi(status));
  }
  operations_.push_back(std::move(operation));
}

const DocumentedOperation& OpenApi::operation(std::string_view id) const {
  for (const DocumentedOperation& operation : operations_) {
    if (operation.id == id) return operation;
  }
  throw std::out_of_range("no such operation: " + std::string(id));
}

void ContractCheck::add(std::string_view operation, const PlainAnswer& answer) {
  JsonValue::Object headers;
  for (const auto& [name, value] : answer.headers) headers.try_emplace(name, JsonValue::Any(value));
  add_case({{"case", JsonValue::Any(fmt::format("{} {}, {}", operation, answer.status,
                                                answer.body.substr(0, 300)))},
            {"operation", JsonValue::Any(std::string(operation))},
            {"status", JsonValue::Any(std::int64_t{answer.status})},
            {"headers", JsonValue::Any(std::move(headers))},
            {"body", JsonValue::Any(answer.body)}});
}

void ContractCheck::add_value(std::string_view words, std::string_view schema,
                              std::string_view json) {
  add_case({{"case", JsonValue::Any(std::string(words))},
            {"schema", JsonValue::Any(std::string(schema))},
            {"text", JsonValue::Any(std::string(json))}});
}

void ContractCheck::add_examples() {
  add_case({{"case", JsonValue::Any(std::string("examples"))}, {"examples", JsonValue::Any(true)}});
}

void ContractCheck::add_case(JsonValue::Object fields) {
  input_ += JsonValue(JsonValue::Any(std::move(fields))).dump() + '\n';
}

std::vector<std::string> ContractCheck::faults() const {
  const Ended ended =
      run({.arguments = {"/usr/bin/python3", CHIRP_SOURCE_DIR "/tests/support/openapi.py"},
           .input = input_});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  std::istringstream lines(ended.out);
  std::vector<std::string> faults;
  for (std::string line; std::getline(lines, line);) faults.push_back(line);
  return faults;
}

}  // namespace chirp::test
