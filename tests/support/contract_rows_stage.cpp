#include "tests/support/contract_rows.h"

namespace chirp::test {
namespace {

PlainAnswer switched(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"PATCH", "/v1/stage", stage.person().token, R"({"policy":"pull"})"});
}

PlainAnswer switched_the_wrong_way(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask(
      {"PATCH", "/v1/stage", stage.person().token, R"({"influencerFrom":20,"celebrityAbove":10})"});
}

PlainAnswer switched_to_nothing(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"PATCH", "/v1/stage", stage.person().token, R"({"policy":"best"})"});
}

// How things stand comes first.
PlainAnswer watched(ApiStage& stage, const DocumentedOperation&) {
  Ask ask{"GET", "/v1/stage/stream", stage.person().token};
  ask.events = 2;
  return stage.ask(ask);
}

}  // namespace

std::vector<Row> stage_rows() {
  return {
      {"getStage", 200, plainly},
      {"getStage", 401, without_token},
      {"getStage", 403, plainly, Setting::kDemoForOne},
      {"getStage", 404, plainly, Setting::kNoDemo},
      {"switchStage", 200, plainly},
      {"switchStage", 200, switched, Setting::kStreaming},
      {"switchStage", 401, without_token},
      {"switchStage", 403, plainly, Setting::kDemoForOne},
      {"switchStage", 404, plainly, Setting::kNoDemo},
      {"switchStage", 422, switched_the_wrong_way},
      {"switchStage", 422, switched_to_nothing},
      {"watchStage", 200, watched, Setting::kStreaming},
      {"watchStage", 401, without_token},
      {"watchStage", 403, plainly, Setting::kDemoForOne},
      {"watchStage", 404, plainly, Setting::kNoDemo},
      {"watchStage", 429, too_often, Setting::kFewRequests},
  };
}

}  // namespace chirp::test
