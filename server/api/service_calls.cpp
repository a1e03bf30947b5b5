// Operations: the contract, the health check and the metrics.
#include <algorithm>
#include <array>
#include <optional>

#include "server/api/byte_range.h"
#include "server/api/call.h"
#include "server/api/contract.h"
#include "server/api/operations.h"
#include "server/api/request_values.h"

namespace chirp::api {
namespace {

// Returns the number of events that the slowest consumer has not processed.
std::uint64_t pending_events(const StoreState& state) {
  const auto pending = [&](Sequence offset) { return state.log_end.value - offset.value; };
  return std::max({pending(state.fan_out) + state.fan_out_queue, pending(state.counters),
                   pending(state.notifications), pending(state.trends)});
}

http::Response get_health(Call& call) {
  const AppParts& parts = call.parts();
  std::optional<StoreState> state;
  if (parts.healthy()) {
    state = parts.pulse ? parts.pulse() : call.engine().storage().snapshot()->state();
  }
  if (!state) {
    throw Problem{503,
                  "unavailable",
                  "The server is starting or stopping, or can't read or write.",
                  {},
                  {{"Retry-After", "5"}}};
  }
  JsonWriter body;
  body.begin_object();
  body.field("status", "ok");
  body.field("version", parts.version);
  body.field("startedAt", call.state().started_at);
  body.field("pendingEvents", pending_events(*state));
  body.end_object();
  return json(200, body);
}

http::Response get_contract(Call& call) {
  static const std::string tag = weak_tag(contract());
  static ConstantBody body(contract());
  http::Response response;
  response.headers = {{"ETag", tag}};
  response.type = "application/yaml";
  response = unless_held(call.request(), std::move(response));
  if (response.status == 200) body.put_into(response, call.request());
  return response;
}

http::Response get_metrics(Call& call) {
  http::Response response;
  response.type = "text/plain; version=0.0.4; charset=utf-8";
  response.body = call.parts().metrics.text();
  return response;
}

}  // namespace

std::span<const Operation> service_calls() {
  static constexpr std::array kOperations{
      Operation{http::Method::kGet, "/v1/openapi.yaml", "getContract", Access::kNobody,
                http::Lane::kPlain, Body::kNone, get_contract},
      Operation{http::Method::kGet, "/healthz", "getHealth", Access::kNobody, http::Lane::kPlain,
                Body::kNone, get_health},
      reading("/metrics", "getMetrics", get_metrics, Access::kNobody),
  };
  return kOperations;
}

}  // namespace chirp::api
