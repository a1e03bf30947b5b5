#include "core/limits.h"
#include "tests/support/contract_rows.h"
#include "tests/support/pictures.h"

namespace chirp::test {
namespace {

Ask upload(ApiStage& stage, std::string body, std::string type = "image/png") {
  return {"POST", "/v1/media", stage.person().token, std::move(body), std::move(type)};
}

PlainAnswer upload_form_of_nothing(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask(
      upload(stage, "--b\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n--b--\r\n",
             "multipart/form-data; boundary=b"));
}

PlainAnswer upload_too_much(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask(upload(stage, std::string(limits::kMediaBytesMax + (1 << 20), 'x')));
}

PlainAnswer upload_something_else(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask(upload(stage, png(), "image/gif"));
}

PlainAnswer part_of_file(ApiStage& stage, const DocumentedOperation& operation, const char* range) {
  Ask ask = sample(stage, operation);
  ask.headers.emplace_back("Range", range);
  return stage.ask(ask);
}

PlainAnswer first_bytes(ApiStage& stage, const DocumentedOperation& operation) {
  return part_of_file(stage, operation, "bytes=0-7");
}

PlainAnswer bytes_past_the_end(ApiStage& stage, const DocumentedOperation& operation) {
  return part_of_file(stage, operation, "bytes=1000000-");
}

PlainAnswer health_of_the_unwell(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"GET", "/healthz"});
}

}  // namespace

std::vector<Row> media_rows() {
  return {
      {"uploadMedia", 200, twice},
      {"uploadMedia", 201, plainly},
      {"uploadMedia", 400, upload_form_of_nothing},
      {"uploadMedia", 401, without_token},
      {"uploadMedia", 403, plainly, Setting::kFewFiles},
      {"uploadMedia", 413, upload_too_much},
      {"uploadMedia", 415, upload_something_else},
      {"getMedia", 200, plainly},
      {"getMedia", 206, first_bytes},
      {"getMedia", 304, unchanged},
      {"getMedia", 404, of_nothing},
      {"getMedia", 416, bytes_past_the_end},
      {"getEngine", 200, plainly},
      {"getEngine", 200, without_token},
      {"getContract", 200, plainly},
      {"getContract", 429, too_often, Setting::kFewRequests},
      {"getHealth", 200, plainly},
      {"getHealth", 429, too_often, Setting::kFewRequests},
      {"getHealth", 503, health_of_the_unwell, Setting::kUnwell},
      {"getMetrics", 200, plainly},
      {"getMetrics", 429, too_often, Setting::kFewRequests},
  };
}

}  // namespace chirp::test
