// Goal: what the other tests are held against is sound itself: the checker of schemas says no where
// it should, and the examples of docs/openapi.yaml are what the document says.
// Method: small schemas by hand; every example of the document.
#include "tests/support/openapi.h"

#include <string>

#include <doctest/doctest.h>

#include "tests/support/json_schema.h"
#include "tests/support/json_value.h"

namespace chirp::test {
namespace {

const JsonValue& a_document() {
  static const JsonValue kDocument = JsonValue::parse_yaml(R"(
Id: { type: string, pattern: '^[0-9]{1,19}$' }
Base: { type: object, required: [id], properties: { id: { $ref: '#/Id' } } }
More:
  allOf: [{ $ref: '#/Base' }]
  type: object
  required: [size]
  properties: { size: { type: integer, minimum: 1, maximum: 5 }, note: { type: [string, 'null'], maxLength: 2 } }
Either: { type: object, oneOf: [{ required: [a] }, { required: [b] }], properties: { a: {}, b: {} } }
Some: { anyOf: [{ $ref: '#/Id' }, { type: 'null' }] }
Counts: { type: object, propertyNames: { enum: [x, y] }, additionalProperties: { type: integer, minimum: 1 } }
Few: { type: array, minItems: 1, maxItems: 2, items: { const: 7 } }
Pair: { type: object, properties: { a: {}, b: {} }, dependentRequired: { a: [b] } }
Odd: { type: string, unheardOf: true }
)");
  return kDocument;
}

bool fits(const std::string& name, const std::string& json) {
  const JsonSchema schemas(a_document());
  return schemas.faults(schemas.at("#/" + name), JsonValue::parse(json)).empty();
}

}  // namespace

TEST_CASE("openapi: the checker of schemas knows what fits and what does not") {
  CHECK(fits("Id", R"("123")"));
  CHECK_FALSE(fits("Id", "123"));
  CHECK_FALSE(fits("Id", R"("12a")"));
  CHECK(fits("More", R"({"id":"1","size":5,"note":null})"));
  CHECK(fits("More", R"({"id":"1","size":1,"note":"❄é"})"));
  CHECK_FALSE(fits("More", R"({"id":"1","size":5,"note":"abc"})"));
  CHECK_FALSE(fits("More", R"({"id":"1","size":6})"));
  CHECK_FALSE(fits("More", R"({"id":"1","size":0})"));
  CHECK_FALSE(fits("More", R"({"id":"1","size":1.5})"));
  CHECK_FALSE(fits("More", R"({"id":"1"})"));
  CHECK_FALSE(fits("More", R"({"size":1})"));
  CHECK_FALSE(fits("More", R"({"id":1,"size":1})"));
  CHECK_FALSE(fits("More", R"({"id":"1","size":1,"other":1})"));
  CHECK_FALSE(fits("More", "[]"));
  CHECK(fits("Either", R"({"a":1})"));
  CHECK_FALSE(fits("Either", R"({"a":1,"b":1})"));
  CHECK_FALSE(fits("Either", "{}"));
  CHECK(fits("Some", "null"));
  CHECK(fits("Some", R"("1")"));
  CHECK_FALSE(fits("Some", "1"));
  CHECK(fits("Counts", R"({"x":1,"y":2})"));
  CHECK_FALSE(fits("Counts", R"({"x":0})"));
  CHECK_FALSE(fits("Counts", R"({"z":1})"));
  CHECK(fits("Few", "[7,7]"));
  CHECK_FALSE(fits("Few", "[]"));
  CHECK_FALSE(fits("Few", "[7,7,7]"));
  CHECK_FALSE(fits("Few", "[8]"));
  CHECK(fits("Pair", R"({"b":1})"));
  CHECK_FALSE(fits("Pair", R"({"a":1})"));
  CHECK_THROWS(fits("Odd", R"("text")"));
  CHECK_THROWS(JsonValue::parse(R"({"a":1,"a":2})"));
}

TEST_CASE("openapi: an answer is held against its status, its headers, its type and its body") {
  const OpenApi& api = OpenApi::of_the_project();
  PlainAnswer answer;
  answer.status = 200;
  answer.headers = {{"content-type", "application/json"},
                    {"ratelimit-limit", "600"},
                    {"ratelimit-remaining", "0"},
                    {"ratelimit-reset", "3"}};
  answer.body = R"({"unreadCount":0})";
  CHECK(api.faults("readNotifications", answer).empty());
  const auto is_wrong = [&](const auto& change) {
    PlainAnswer changed = answer;
    change(changed);
    return !api.faults("readNotifications", changed).empty();
  };
  CHECK(is_wrong([](PlainAnswer& one) { one.status = 201; }));
  CHECK(is_wrong([](PlainAnswer& one) { one.status = 404; }));
  CHECK(is_wrong([](PlainAnswer& one) { one.body = R"({"unreadCount":-1})"; }));
  CHECK(is_wrong([](PlainAnswer& one) { one.body.clear(); }));
  CHECK(is_wrong([](PlainAnswer& one) { one.headers[0].second = "text/html"; }));
  CHECK(is_wrong([](PlainAnswer& one) { one.headers[1].second = "many"; }));
  CHECK(is_wrong([](PlainAnswer& one) { one.headers.pop_back(); }));
  CHECK(is_wrong([](PlainAnswer& one) { one.headers.erase(one.headers.begin()); }));
  CHECK(api.faults("unfollow", {204, {answer.headers.begin() + 1, answer.headers.end()}, ""})
            .empty());
  CHECK_FALSE(api.faults("unfollow", {204, answer.headers, "{}"}).empty());
}

TEST_CASE("openapi: every example of the contract is what the contract says") {
  for (const std::string& fault : OpenApi::of_the_project().faulty_examples()) FAIL_CHECK(fault);
  CHECK(OpenApi::of_the_project().operations().size() > 40);
}

}  // namespace chirp::test
