#include "tests/support/openapi.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "core/model/names.h"

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

// The media type of a Content-Type, without parameters.
std::string media_type(const std::string& header) {
  return folded(header.substr(0, header.find(';')));
}

// Headers that come with some of the statuses alone, as their descriptions say.
bool is_due(std::string_view header, int status) {
  if (header == "Allow") return status == 405;
  if (header == "Retry-After") return status == 429 || status == 503 || status == 507;
  if (header == "Content-Range") return status == 206;
  return true;
}

// A header's text as a value of the type that its schema has.
JsonValue value_of(const std::string& text, const JsonValue& schema) {
  const JsonValue* type = schema.find("type");
  if (type != nullptr && type->text() == "integer") {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc{} && stop == end) return JsonValue::Any(number);
  }
  return JsonValue::Any(text);
}

std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("there is no " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The events of a stream that have data, which is JSON.
JsonValue::List events_in(std::string_view stream) {
  JsonValue::List events;
  JsonValue::Object event;
  while (!stream.empty()) {
    const std::size_t end = std::min(stream.find('\n'), stream.size());
    const std::string_view line = stream.substr(0, end);
    stream.remove_prefix(std::min(end + 1, stream.size()));
    const std::size_t colon = line.find(": ");
    if (line.empty()) {
      if (event.contains("data")) events.emplace_back(JsonValue::Any(event));
      event.clear();
    } else if (colon != std::string_view::npos && colon > 0) {
      const std::string_view value = line.substr(colon + 2);
      std::string name(line.substr(0, colon));
      if (name == "data") {
        event.insert_or_assign(std::move(name), JsonValue::parse(value));
      } else {
        event.insert_or_assign(std::move(name), JsonValue::Any(std::string(value)));
      }
    }
  }
  return events;
}

void put_at(std::vector<std::string>& faults, const std::string& place,
            const std::vector<std::string>& found) {
  for (const std::string& fault : found) faults.push_back(place + ": " + fault);
}

}  // namespace

std::optional<std::string> PlainAnswer::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return std::nullopt;
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

const JsonValue& OpenApi::response_of(std::string_view id, int status) const {
  const DocumentedOperation& known = operation(id);
  const JsonValue& responses = document_["paths"][known.path][folded(known.method)]["responses"];
  const JsonValue* response = responses.find(std::to_string(status));
  return schemas_.resolved(response == nullptr ? responses["default"] : *response);
}

std::vector<std::string> OpenApi::faults(std::string_view id, const PlainAnswer& answer) const {
  // What `default` stands for.
  constexpr std::array kAnyCall{400, 401, 405, 413, 415, 429, 500, 503, 507};
  const auto& statuses = operation(id).statuses;
  if (std::find(statuses.begin(), statuses.end(), answer.status) == statuses.end() &&
      std::find(kAnyCall.begin(), kAnyCall.end(), answer.status) == kAnyCall.end()) {
    return {fmt::format("{} does not answer {}: {}", id, answer.status, answer.body)};
  }
  std::vector<std::string> found;
  const JsonValue& response = response_of(id, answer.status);
  check_headers(response, answer, found);
  check_content(response, answer, found);
  std::vector<std::string> faults;
  put_at(faults, fmt::format("{} {}", id, answer.status), found);
  return faults;
}

void OpenApi::check_headers(const JsonValue& response, const PlainAnswer& answer,
                            std::vector<std::string>& faults) const {
  if (const JsonValue* headers = response.find("headers")) {
    for (const auto& [name, header] : headers->object()) {
      check_header(name, schemas_.resolved(header), answer, faults);
    }
  }
  // Of every response, and not said again at each.
  const JsonValue& any = schemas_.at("#/components/responses/AnyCall");
  for (const char* name : {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}) {
    check_header(name, schemas_.resolved(any["headers"][name]), answer, faults);
  }
  if (answer.status == 401 && !answer.header("www-authenticate")) {
    faults.emplace_back("a 401 says how to say who is calling");
  }
  if (is_due("Retry-After", answer.status) && !answer.header("retry-after")) {
    faults.emplace_back("says when to come back by Retry-After");
  }
}

void OpenApi::check_header(const std::string& name, const JsonValue& header,
                           const PlainAnswer& answer, std::vector<std::string>& faults) const {
  const auto text = answer.header(folded(name));
  if (!text) {
    if (is_due(name, answer.status)) faults.push_back("is without the header " + name);
    return;
  }
  const JsonValue& schema = header["schema"];
  put_at(faults, name, schemas_.faults(schema, value_of(*text, schema)));
}

void OpenApi::check_content(const JsonValue& response, const PlainAnswer& answer,
                            std::vector<std::string>& faults) const {
  const auto header = answer.header("content-type");
  const JsonValue* content = response.find("content");
  if (content == nullptr) {
    if (header) faults.push_back("has content of a type, and none is documented: " + *header);
    if (!answer.body.empty()) faults.push_back("has a body: " + answer.body);
    return;
  }
  if (!header) {
    faults.emplace_back("is without Content-Type");
    return;
  }
  const std::string type = media_type(*header);
  const JsonValue* media = content->find(type);
  if (media == nullptr) {
    faults.push_back("is of a type that is not documented: " + *header);
    return;
  }
  const JsonValue* schema = media->find("schema");
  if (schema == nullptr) return;
  if (type == "text/event-stream") {
    const auto events = events_in(answer.body);
    if (events.empty()) faults.emplace_back("is a stream without events");
    for (const JsonValue& event : events) {
      put_at(faults, event.dump(), schemas_.faults(*schema, event));
    }
    return;
  }
  if (!type.ends_with("json")) return;
  try {
    put_at(faults, "the body", schemas_.faults(*schema, answer.json()));
  } catch (const std::runtime_error& error) {
    faults.emplace_back(error.what());
  }
  if (answer.status >= 400 && answer.json()["status"].number() != answer.status) {
    faults.emplace_back("says another status in its body");
  }
}

std::vector<std::string> OpenApi::faults_of(std::string_view schema, const JsonValue& value) const {
  return schemas_.faults(document_["components"]["schemas"][schema], value);
}

std::vector<std::string> OpenApi::faulty_examples() const {
  std::vector<std::string> faults;
  for (const auto& [name, schema] : document_["components"]["schemas"].object()) {
    check_examples(schema, name, faults);
  }
  check_examples(document_["components"]["headers"], "headers", faults);
  check_examples(document_["components"]["parameters"], "parameters", faults);
  check_examples(document_["paths"], "paths", faults);
  return faults;
}

void OpenApi::check_examples(const JsonValue& node, const std::string& place,
                             std::vector<std::string>& faults) const {
  if (node.is<JsonValue::List>()) {
    for (const JsonValue& item : node.list()) check_examples(item, place + "[]", faults);
  }
  if (!node.is<JsonValue::Object>()) return;
  if (const JsonValue* examples = node.find("examples")) {
    for (const JsonValue& example : examples->list()) {
      put_at(faults, place, schemas_.faults(node, example));
    }
  }
  const JsonValue* schema = node.find("schema");
  const JsonValue* example = node.find("example");
  if (schema != nullptr && example != nullptr) {
    put_at(faults, place, schemas_.faults(*schema, *example));
  }
  for (const auto& [key, inner] : node.object()) {
    if (key != "examples" && key != "example") check_examples(inner, place + '.' + key, faults);
  }
}

}  // namespace chirp::test
