// Goal: the check of answers that other tests use finds every kind of fault, and the examples of
// docs/openapi.yaml are what the document says.
// Method: small schemas by hand; an answer with one fault at a time; every example of the document.
#include "tests/support/openapi.h"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/support/json_value.h"

namespace chirp::test {

TEST_CASE("openapi: the check of schemas knows what fits and what does not") {
  ContractCheck check(JsonValue::parse_yaml(R"(
paths: {}
components:
  schemas:
    Id: { type: string, pattern: '^[0-9]{1,19}$' }
    Base: { type: object, required: [id], properties: { id: { $ref: '#/components/schemas/Id' } } }
    More:
      allOf: [{ $ref: '#/components/schemas/Base' }]
      type: object
      properties: { note: { type: [string, 'null'] }, base: { $ref: '#/components/schemas/Base' } }
    Either: { type: object, oneOf: [{ required: [a] }, { required: [b] }], properties: { a: {}, b: {} } }
    Counts: { type: object, additionalProperties: { type: integer } }
    Time: { type: string, format: date-time }
)"));
  check.add_value("fits", "More", R"({"id":"1","note":null})");
  check.add_value("fits", "More", R"({"id":"1","note":"❄é"})");
  check.add_value("fits", "More", R"({"id":"1","base":{"id":"2"}})");
  check.add_value("fits", "Either", R"({"a":1})");
  check.add_value("fits", "Counts", R"({"x":1})");
  check.add_value("fits", "Time", R"("2020-01-02T03:04:05.678Z")");
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"More", "[]"},
      {"More", R"({"note":null})"},
      {"More", R"({"id":"12a"})"},
      {"More", R"({"id":"1","other":1})"},
      {"More", R"({"id":"1","base":{"id":"2","note":""}})"},
      {"More", R"({"id":"1","id":"1"})"},
      {"More", R"({"id":"1","note":"\ud800"})"},
      {"More", "{\"id\":\"1\",\"note\":\"\xff\"}"},
      {"Either", R"({"a":1,"b":1})"},
      {"Counts", R"({"x":"1"})"},
      {"Counts", R"({"x":NaN})"},
      {"Time", R"("2020-01-02 03:04:05Z")"}};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    check.add_value(fmt::format("wrong {}", i), wrong[i].first, wrong[i].second);
  }
  const std::string faults = fmt::format("\n{}", fmt::join(check.faults(), "\n"));
  INFO(faults);
  CHECK(faults.find("\nfits") == std::string::npos);
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    CHECK_MESSAGE(faults.find(fmt::format("\nwrong {}: ", i)) != std::string::npos,
                  wrong[i].second);
  }
}

TEST_CASE("openapi: a keyword or a format that the check does not know is a fault") {
  const ContractCheck check(JsonValue::parse_yaml(R"(
components:
  schemas: { Odd: { type: string, unheardOf: true }, Strange: { type: string, format: unheardOf } }
)"));
  CHECK(check.faults().size() == 2);
}

TEST_CASE("openapi: an answer is checked for its status, headers, type and body") {
  PlainAnswer answer;
  answer.status = 200;
  answer.headers = {{"content-type", "application/json"},
                    {"ratelimit-limit", "600"},
                    {"ratelimit-remaining", "0"},
                    {"ratelimit-reset", "3"}};
  answer.body = R"({"unreadCount":0})";
  ContractCheck check;
  check.add("readNotifications", answer);
  check.add("unfollow", {204, {answer.headers.begin() + 1, answer.headers.end()}, ""});
  CHECK(check.faults().empty());
  const auto add = [&](const auto& change) {
    PlainAnswer changed = answer;
    change(changed);
    check.add("readNotifications", changed);
  };
  add([](PlainAnswer& one) { one.status = 201; });
  add([](PlainAnswer& one) { one.status = 404; });
  add([](PlainAnswer& one) { one.body = R"({"unreadCount":-1})"; });
  add([](PlainAnswer& one) { one.body.clear(); });
  add([](PlainAnswer& one) { one.headers[0].second = "text/html"; });
  add([](PlainAnswer& one) { one.headers[1].second = "many"; });
  add([](PlainAnswer& one) { one.headers.pop_back(); });
  add([](PlainAnswer& one) { one.headers.erase(one.headers.begin()); });
  check.add("unfollow", {204, answer.headers, "{}"});
  const std::vector<std::string> ends{"the status is not documented",
                                      "the status is not documented",
                                      "-1 is less than the minimum of 0",
                                      "not JSON: Expecting value: line 1 column 1 (char 0)",
                                      "a type that is not documented: text/html",
                                      "ratelimit-limit: $: 'many' is not of type 'integer'",
                                      "no header ratelimit-reset",
                                      "no Content-Type",
                                      "content of a type, and none is documented",
                                      "a body, and none is documented"};
  const auto faults = check.faults();
  REQUIRE(faults.size() == ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i)
    CHECK_MESSAGE(faults[i].ends_with(ends[i]), faults[i]);
}

TEST_CASE("openapi: every example of the contract is what the contract says") {
  ContractCheck check;
  check.add_examples();
  for (const std::string& fault : check.faults()) FAIL_CHECK(fault);
  CHECK(OpenApi::of_the_project().operations().size() > 40);
}

}  // namespace chirp::test
