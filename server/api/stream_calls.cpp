// GET /v1/stream
#include <algorithm>
#include <string>

#include "server/api/call.h"
#include "server/api/client.h"
#include "server/api/operations.h"
#include "server/json/number_in.h"

namespace chirp::api {
namespace {

constexpr std::size_t kIdDigitsMax = 19;
constexpr std::string_view kLastEventId = "Last-Event-ID";

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

http::Response stream(Call& call) {
  live::Subscription subscription{call.me().number, last_event_id(call.request()),
                                  call.token_check(), client_key_of(call.client()),
                                  call.state().settings.get()->streams};
  return event_stream([&] { return call.parts().hub.open(std::move(subscription)); });
}

}  // namespace

std::span<const Operation> stream_calls() {
  static constexpr Operation kOperations[] = {
      {http::Method::kGet, "/v1/stream", "stream", Access::kSomebody, http::Lane::kRead,
       Body::kNone, stream},
  };
  return kOperations;
}

}  // namespace chirp::api
