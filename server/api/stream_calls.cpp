// GET /v1/stream
#include <algorithm>
#include <string>

#include "server/api/call.h"
#include "server/api/client.h"
#include "server/api/operations.h"

namespace chirp::api {
namespace {

constexpr std::string_view kLastEventId = "Last-Event-ID";

// An empty header means the same as a missing one: no event was received.
std::optional<live::EventId> last_event_id(const http::Request& request) {
  const auto text = request.header("last-event-id");
  const bool repeated = std::count_if(request.headers.begin(), request.headers.end(),
                                      [](auto& h) { return h.name == "last-event-id"; }) > 1;
  if (!text || (text->empty() && !repeated)) return std::nullopt;
  const auto id = live::parse_event_id(*text);
  if (!id || repeated) {
    throw bad_parameter(std::string(kLastEventId), "is not the `id` of an event of a stream");
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
      reading("/v1/stream", "stream", stream),
  };
  return kOperations;
}

}  // namespace chirp::api
