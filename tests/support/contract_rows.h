// A call for every operation of docs/openapi.yaml and each of its documented statuses.
#pragma once

#include <string_view>
#include <vector>

#include "tests/support/api_stage.h"
#include "tests/support/openapi.h"

namespace chirp::test {

struct Row {
  std::string_view operation;
  int status = 200;
  PlainAnswer (*play)(ApiStage& stage, const DocumentedOperation& operation);
  Setting setting = Setting::kUsual;
};

// All of them; each subject has a file of its own.
[[nodiscard]] std::vector<Row> contract_rows();
[[nodiscard]] std::vector<Row> account_rows();
[[nodiscard]] std::vector<Row> relation_rows();
[[nodiscard]] std::vector<Row> post_rows();
[[nodiscard]] std::vector<Row> talk_rows();  // likes and comments
[[nodiscard]] std::vector<Row> feed_rows();
[[nodiscard]] std::vector<Row> media_rows();  // and the service's own operations
[[nodiscard]] std::vector<Row> stage_rows();

// ---- calls for any operation

enum class Names : std::uint8_t { kSomething, kNothing };

// A call that succeeds, by a user who may make it; its path names something that exists, or
// nothing.
[[nodiscard]] Ask sample(ApiStage& stage, const DocumentedOperation& operation,
                         Names names = Names::kSomething);
[[nodiscard]] PlainAnswer plainly(ApiStage& stage, const DocumentedOperation& operation);
[[nodiscard]] PlainAnswer without_token(ApiStage& stage, const DocumentedOperation& operation);
[[nodiscard]] PlainAnswer of_nothing(ApiStage& stage, const DocumentedOperation& operation);
// Sends the ETag of a previous answer.
[[nodiscard]] PlainAnswer unchanged(ApiStage& stage, const DocumentedOperation& operation);
// Makes the call twice. Returns the second answer.
[[nodiscard]] PlainAnswer twice(ApiStage& stage, const DocumentedOperation& operation);
// Repeats the call until the rate limit is reached.
[[nodiscard]] PlainAnswer too_often(ApiStage& stage, const DocumentedOperation& operation);
// Sends a JSON object with meaningless fields.
[[nodiscard]] PlainAnswer senselessly(ApiStage& stage, const DocumentedOperation& operation);

}  // namespace chirp::test
