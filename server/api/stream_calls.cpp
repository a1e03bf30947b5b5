// GET /v1/stream
#include <algorithm>
#include <string>

#include "core/error.h"
#include "server/api/call.h"
#include "server/api/client.h"
#include "server/api/operations.h"
#include "server/json/number_in.h"

namespace chirp::api {
namespace {

constexpr std::size_t kIdDigitsMax = 19;
constexpr std::string_view kLastEventId = "Last-Event-ID";
constexpr std::string_view kRetryAfterSeconds = "5";

std::optional<std::uint64_t> last_event_id(const http::Request& request) {
  const auto text = request.header("last-event-id");
  if (!text) return std::nullopt;
  const auto id = number_in<std::uint64_t>(*text);
  const bool repeated = std::count_if(request.headers.begin(), request.headers.end(),
                                      [](auto& h) { return h.name == "last-event-id"; }) > 1;
  if (!id || text->size() > kIdDigitsMax || repeated) {
    throw bad_parameter(std::string(kLastEventId), "is the id of an event: 1 to 19 digits");
  }
  return id;
}

// Whether the token that opened the stream still stands for the same user.
std::function<bool()> token_check(const Call& call) {
  return [&engine = call.engine(), token = std::string(call.token()), user = call.me().number] {
    const auto owner = engine.tokens().authenticate(token);
    return owner && owner->number == user;
  };
}

http::Response stream(Call& call) {
  live::Subscription subscription{call.me().number, last_event_id(call.request()),
                                  token_check(call), client_key_of(call.client()),
                                  call.state().settings.get()->streams};
  http::Response response;
  try {
    response.stream = call.parts().hub.open(std::move(subscription));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnavailable || error.field() != "streams") throw;
    throw Problem{.status = 429,
                  .code = "rate_limited",
                  .detail = error.what(),
                  .headers = {{"Retry-After", std::string(kRetryAfterSeconds)}}};
  }
  response.type = "text/event-stream";
  // A proxy that collects answers would keep events back.
  response.headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
  return response;
}

constexpr Operation kOperations[] = {
    {http::Method::kGet, "/v1/stream", "stream", Access::kSomebody, http::Lane::kRead, Body::kNone,
     stream},
};

}  // namespace

std::span<const Operation> stream_calls() { return kOperations; }

}  // namespace chirp::api
