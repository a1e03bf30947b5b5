// Goal: the server answers as docs/openapi.yaml says: every operation, every status that is
// documented of it.
// Method: a table with a call for each of them, played on a server without sockets and then on the
// program itself; answers are compared with the document: status, headers, type of content, and the
// body with its schema.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "server/limits.h"
#include "tests/support/api_stage.h"
#include "tests/support/contract_rows.h"
#include "tests/support/openapi.h"

namespace chirp::test {
namespace {

using MakeStage = std::unique_ptr<ApiStage> (*)(Setting);

void play_all(MakeStage make) {
  const OpenApi& api = OpenApi::of_the_project();
  ContractCheck answers;
  const auto usual = make(Setting::kUsual);
  for (const Row& row : contract_rows()) {
    const DocumentedOperation& operation = api.operation(row.operation);
    const bool is_usual = row.setting == Setting::kUsual;
    const auto own = is_usual ? nullptr : make(row.setting);
    if (!is_usual && !own) continue;
    ApiStage& stage = own ? *own : *usual;
    const PlainAnswer answer = row.play(stage, operation);
    INFO(row.operation << " is to answer " << row.status << ": " << answer.body);
    CHECK(answer.status == row.status);
    answers.add(row.operation, answer);
  }
  for (const std::string& fault : answers.faults()) FAIL_CHECK(fault);
}

// ---- what any call can meet

struct FeedError {
  int status;
  PlainAnswer answer;
};

std::set<std::string> methods_of(const std::string& path) {
  std::set<std::string> methods;
  for (const DocumentedOperation& operation : OpenApi::of_the_project().operations()) {
    if (operation.path == path) methods.insert(operation.method);
  }
  return methods;
}

FeedError with_other_method(ApiStage& stage, const DocumentedOperation& operation) {
  const auto taken = methods_of(operation.path);
  Ask ask = sample(stage, operation);
  ask.body.clear();
  for (const char* method : {"PUT", "PATCH", "DELETE", "POST"}) {
    if (!taken.contains(method)) ask.method = method;
  }
  PlainAnswer answer = stage.ask(ask);
  std::string allow = ", " + answer.header("allow").value_or("") + ',';
  for (const std::string& method : taken) {
    CHECK_MESSAGE(allow.find(", " + method + ',') != std::string::npos, allow);
  }
  CHECK(allow.find(", " + ask.method + ',') == std::string::npos);
  return {405, std::move(answer)};
}

FeedError with_bad_token(ApiStage& stage, const DocumentedOperation& operation) {
  Ask ask = sample(stage, operation);
  ask.token = "9tQ2mX0bS7yVfLr4hJ1cWkZ8dNa3uEpG";
  return {401, stage.ask(ask)};
}

FeedError with_body(ApiStage& stage, const DocumentedOperation& operation, int status,
                    std::string body, std::string type = "application/json") {
  Ask ask = sample(stage, operation);
  ask.body = std::move(body);
  ask.type = std::move(type);
  return {status, stage.ask(ask)};
}

void play_wrong(ApiStage& stage, const DocumentedOperation& operation, ContractCheck& answers) {
  std::vector<FeedError> wrongs{with_other_method(stage, operation)};
  if (operation.token != Token::kNotLookedAt) wrongs.push_back(with_bad_token(stage, operation));
  if (operation.takes_json) {
    wrongs.push_back(with_body(stage, operation, 400, "{"));
    wrongs.push_back(with_body(stage, operation, 400, "[]"));
    wrongs.push_back(with_body(stage, operation, 400, R"({"a":1,"a":2})"));
    wrongs.push_back(with_body(stage, operation, 400, "{\"a\":\"\xff\"}"));
    wrongs.push_back(with_body(stage, operation, 415, "{}", "text/plain"));
    wrongs.push_back(with_body(stage, operation, 413, std::string(limits::kJsonBodyMax + 1, ' ')));
  }
  for (const FeedError& wrong : wrongs) {
    INFO(operation.id << " is to answer " << wrong.status << ": " << wrong.answer.body);
    CHECK(wrong.answer.status == wrong.status);
    answers.add(operation.id, wrong.answer);
  }
}

}  // namespace

TEST_CASE("contract: every documented status of every operation has a row, and nothing else has") {
  std::set<std::pair<std::string, int>> documented;
  for (const DocumentedOperation& operation : OpenApi::of_the_project().operations()) {
    for (const int status : operation.statuses) documented.emplace(operation.id, status);
  }
  std::set<std::pair<std::string, int>> played;
  for (const Row& row : contract_rows()) played.emplace(row.operation, row.status);
  for (const auto& [operation, status] : documented) {
    CHECK_MESSAGE(played.contains({operation, status}), operation, " ", status, " has no row");
  }
  for (const auto& [operation, status] : played) {
    CHECK_MESSAGE(documented.contains({operation, status}), operation, " ", status,
                  " is not documented");
  }
}

TEST_CASE("contract: every row is answered as the document says, without sockets" *
          doctest::test_suite("threads")) {
  play_all(stage_in_process);
}

TEST_CASE("contract: every row is answered as the document says, by the program over sockets") {
  play_all(stage_over_sockets);
}

TEST_CASE("contract: the document that is served is the document") {
  const auto stage = stage_in_process(Setting::kUsual);
  CHECK(stage->ask({"GET", "/v1/openapi.yaml"}).body == OpenApi::of_the_project().text());
}

TEST_CASE("contract: every operation refuses what any call is refused for, without sockets") {
  const auto stage = stage_in_process(Setting::kUsual);
  ContractCheck answers;
  for (const DocumentedOperation& operation : OpenApi::of_the_project().operations()) {
    play_wrong(*stage, operation, answers);
  }
  for (const std::string& fault : answers.faults()) FAIL_CHECK(fault);
}

TEST_CASE("contract: every operation may be asked too often, without sockets") {
  ContractCheck answers;
  for (const DocumentedOperation& operation : OpenApi::of_the_project().operations()) {
    const auto stage = stage_in_process(Setting::kFewRequests);
    const PlainAnswer answer = too_often(*stage, operation);
    INFO(operation.id << ": " << answer.body);
    CHECK(answer.status == 429);
    answers.add(operation.id, answer);
  }
  for (const std::string& fault : answers.faults()) FAIL_CHECK(fault);
}

TEST_CASE("contract: every operation that needs the store says when it is not to be had") {
  // Those that answer without looking into it.
  const std::set<std::string, std::less<>> without{"getContract", "getMetrics"};
  bool busy = false;
  const auto stage = stage_with_busy_store(busy);
  ContractCheck answers;
  for (const DocumentedOperation& operation : OpenApi::of_the_project().operations()) {
    if (operation.id == "watchStage") continue;  // looks when it has begun, on a thread of its own
    const Ask ask = sample(*stage, operation);
    busy = true;
    const PlainAnswer answer = stage->ask(ask);
    busy = false;
    INFO(operation.id << ": " << answer.body);
    CHECK(answer.status == (without.contains(operation.id) ? 200 : 503));
    answers.add(operation.id, answer);
  }
  for (const std::string& fault : answers.faults()) FAIL_CHECK(fault);
}

}  // namespace chirp::test
