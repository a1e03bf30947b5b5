#include "server/api/json_body.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "core/model/names.h"
#include "core/model/utf8.h"
#include "server/api/request_values.h"
#include "server/limits.h"

namespace chirp::api {
namespace {

namespace dom = simdjson::dom;

// The parser counts only containers that are not empty; its limit is one above ours.
constexpr std::size_t kParserDepth = limits::kJsonDepthMax + 1;

[[noreturn]] void refuse_depth() {
  throw unreadable(fmt::format("The body is nested deeper than {} levels.", limits::kJsonDepthMax));
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Returns the position of the first byte that is not valid UTF-8, counted from 0.
std::size_t bad_byte_in(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto decoded = utf8::decode(text.substr(at));
    if (decoded.code_point == utf8::kInvalid) break;
    at += decoded.bytes;
  }
  return at;
}

[[noreturn]] void refuse_bytes(std::string_view sent) {
  throw unreadable(
      fmt::format("The body is not valid UTF-8 at byte {}, counted from 0. Send it as UTF-8.",
                  bad_byte_in(sent)));
}

[[noreturn]] void refuse(simdjson::error_code code) {
  switch (code) {
    case simdjson::MEMALLOC:
      throw std::bad_alloc();
    case simdjson::DEPTH_ERROR:
      refuse_depth();
    default:
      throw unreadable(
          fmt::format("The body is not valid JSON: {}.", simdjson::error_message(code)));
  }
}

// Also accepts `5.0` and `5e0`, which some programs write.
std::optional<std::int64_t> whole_number(const dom::element& value) {
  constexpr double kExactMax = 9'007'199'254'740'992;  // 2^53: larger values may be rounded
  std::int64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  double real = 0;
  if (!value.is_double() || value.get(real) != simdjson::SUCCESS) return std::nullopt;
  if (std::trunc(real) != real || std::abs(real) > kExactMax) return std::nullopt;
  return static_cast<std::int64_t>(real);
}

// Throws for a duplicate key at any level, and for more than `left` levels, including this one.
void check_levels(const dom::element& value, std::size_t left) {
  dom::array array;
  dom::object object;
  const bool is_array = value.get(array) == simdjson::SUCCESS;
  const bool is_object = value.get(object) == simdjson::SUCCESS;
  if ((is_array || is_object) && left == 0) refuse_depth();
  if (is_array) {
    for (const dom::element item : array) check_levels(item, left - 1);
  }
  if (!is_object) return;
  std::vector<std::string_view> keys;
  for (const auto [key, inner] : object) {
    keys.push_back(key);
    check_levels(inner, left - 1);
  }
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  if (twice == keys.end()) return;
  throw unreadable(fmt::format("The body has the key \"{}\" twice.", printable(*twice)));
}

}  // namespace

class JsonBody::Fields {
 public:
  explicit Fields(std::string_view sent) {
    if (sent.empty()) return;
    // Some programs begin a text with a byte order mark.
    const std::string_view text = sent.substr(sent.starts_with(kByteOrderMark) ? 3 : 0);
    if (const auto code = parser_.allocate(text.size(), kParserDepth)) refuse(code);
    dom::element root;
    const auto parsed = parser_.parse(text.data(), text.size()).get(root);
    if (parsed == simdjson::UTF8_ERROR) refuse_bytes(sent);
    if (parsed != simdjson::SUCCESS) refuse(parsed);
    dom::object object;
    if (root.get(object) != simdjson::SUCCESS) throw unreadable("The body is not a JSON object.");
    check_levels(root, limits::kJsonDepthMax);
    object_ = object;
  }

  [[nodiscard]] std::optional<dom::element> find(std::string_view field) const {
    dom::element value;
    if (!object_ || object_->at_key(field).get(value) != simdjson::SUCCESS) return std::nullopt;
    return value;
  }

  // Returns the field; notes an error if it is required but missing.
  std::optional<dom::element> wanted(std::string_view field, Need need) {
    auto value = find(field);
    if (!value && need == Need::kRequired) fault(std::string(field), "is missing");
    return value;
  }

  // Returns the items of an array of strings.
  std::optional<std::vector<std::string_view>> texts(std::string_view field, Need need,
                                                     std::size_t least, std::size_t most) {
    const auto value = wanted(field, need);
    if (!value) return std::nullopt;
    dom::array array;
    if (value->get(array) != simdjson::SUCCESS) {
      fault(std::string(field), "is not an array");
      return std::nullopt;
    }
    std::vector<std::string_view> items;
    for (const dom::element item : array) {
      std::string_view text;
      if (item.get(text) != simdjson::SUCCESS) {
        fault(fmt::format("{}[{}]", field, items.size()), "is not a string");
        return std::nullopt;
      }
      items.push_back(text);
    }
    if (items.size() < least || items.size() > most) {
      fault(std::string(field),
            fmt::format("has {} items, not {} to {}", items.size(), least, most));
      return std::nullopt;
    }
    return items;
  }

  void fault(std::string field, std::string message) {
    faults_.push_back({std::move(field), std::move(message)});
  }
  [[nodiscard]] const std::vector<FieldError>& faults() const { return faults_; }

 private:
  dom::parser parser_;
  std::optional<dom::object> object_;
  std::vector<FieldError> faults_;
};

JsonBody::JsonBody(std::string_view text) : fields_(std::make_unique<Fields>(text)) {}
JsonBody::~JsonBody() = default;
JsonBody::JsonBody(JsonBody&&) noexcept = default;
JsonBody& JsonBody::operator=(JsonBody&&) noexcept = default;

bool JsonBody::has(std::string_view field) const { return fields_->find(field).has_value(); }

bool JsonBody::is_null(std::string_view field) const {
  const auto value = fields_->find(field);
  return value && value->is_null();
}

std::optional<std::string> JsonBody::string(std::string_view field, Need need) {
  const auto value = fields_->wanted(field, need);
  if (!value) return std::nullopt;
  std::string_view text;
  if (value->get(text) == simdjson::SUCCESS) return std::string(text);
  fault(std::string(field), "is not a string");
  return std::nullopt;
}

std::optional<bool> JsonBody::boolean(std::string_view field, Need need) {
  const auto value = fields_->wanted(field, need);
  if (!value) return std::nullopt;
  bool answer = false;
  if (value->get(answer) == simdjson::SUCCESS) return answer;
  fault(std::string(field), "is neither true nor false");
  return std::nullopt;
}

std::optional<std::int64_t> JsonBody::integer(std::string_view field, Need need, std::int64_t least,
                                              std::int64_t most) {
  const auto value = fields_->wanted(field, need);
  if (!value) return std::nullopt;
  const auto number = whole_number(*value);
  if (number && *number >= least && *number <= most) return number;
  fault(std::string(field), fmt::format("is not a whole number from {} to {}", least, most));
  return std::nullopt;
}

std::optional<std::uint64_t> JsonBody::id(std::string_view field, Need need) {
  if (need == Need::kOptional && is_null(field)) return std::nullopt;
  const auto value = fields_->wanted(field, need);
  if (!value) return std::nullopt;
  std::string_view text;
  if (value->get(text) == simdjson::SUCCESS) {
    if (const auto number = id_in(text)) return number;
  }
  fault(std::string(field), "is not an id: a string of up to 19 digits");
  return std::nullopt;
}

std::optional<std::vector<std::string>> JsonBody::strings(std::string_view field, Need need,
                                                          std::size_t least, std::size_t most) {
  const auto texts = fields_->texts(field, need, least, most);
  if (!texts) return std::nullopt;
  return std::vector<std::string>(texts->begin(), texts->end());
}

std::optional<std::vector<std::uint64_t>> JsonBody::ids(std::string_view field, Need need,
                                                        std::size_t least, std::size_t most) {
  const auto texts = fields_->texts(field, need, least, most);
  if (!texts) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < texts->size(); ++i) {
    const auto number = id_in((*texts)[i]);
    if (!number) {
      fault(fmt::format("{}[{}]", field, i), "is not an id: a string of up to 19 digits");
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  return numbers;
}

void JsonBody::fault(std::string field, std::string message) {
  fields_->fault(std::move(field), std::move(message));
}

void JsonBody::check() const {
  if (!fields_->faults().empty()) throw unprocessable(fields_->faults());
}

}  // namespace chirp::api
