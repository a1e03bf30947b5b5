// For every operation of docs/openapi.yaml and every status that is documented of it, a call that
// is answered so.
#pragma once

#include <string>
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

// All of them; by subject each in a file of its own.
[[nodiscard]] std::vector<Row> contract_rows();
[[nodiscard]] std::vector<Row> account_rows();
[[nodiscard]] std::vector<Row> relation_rows();
[[nodiscard]] std::vector<Row> post_rows();
[[nodiscard]] std::vector<Row> talk_rows();  // likes and comments
[[nodiscard]] std::vector<Row> feed_rows();
[[nodiscard]] std::vector<Row> media_rows();  // and the service's own
[[nodiscard]] std::vector<Row> stage_rows();

// ---- calls that can be made of any operation

enum class Names : std::uint8_t { kSomething, kNothing };

// A call that the operation answers with success, by somebody who may; its path names something
// that is there, or nothing.
[[nodiscard]] Ask sample(ApiStage& stage, const DocumentedOperation& operation,
                         Names names = Names::kSomething);
[[nodiscard]] PlainAnswer plainly(ApiStage& stage, const DocumentedOperation& operation);
[[nodiscard]] PlainAnswer without_token(ApiStage& stage, const DocumentedOperation& operation);
[[nodiscard]] PlainAnswer of_nothing(ApiStage& stage, const DocumentedOperation& operation);
// With the tag of the answer before.
[[nodiscard]] PlainAnswer unchanged(ApiStage& stage, const DocumentedOperation& operation);
// The same call twice; the second answer.
[[nodiscard]] PlainAnswer twice(ApiStage& stage, const DocumentedOperation& operation);
// Again and again, until it is too much.
[[nodiscard]] PlainAnswer too_often(ApiStage& stage, const DocumentedOperation& operation);
// With a body that is a JSON object without sense.
[[nodiscard]] PlainAnswer senselessly(ApiStage& stage, const DocumentedOperation& operation);

}  // namespace chirp::test
