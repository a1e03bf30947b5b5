// The checks of a request before its operation, and the facts about it so far.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/settings.h"
#include "server/api/app_state.h"
#include "server/api/client.h"
#include "server/api/origins.h"
#include "server/api/router.h"
#include "server/http/exchange.h"

namespace chirp::api {

struct RequestTurn {
  const http::Request& request;
  std::int64_t begun_ns;
  std::shared_ptr<const settings::ForClients> settings{};
  Router::Match match{};
  std::string client{};
  std::string client_key{};  // the key that the address is counted under
  RequestOrigin origin{};
  Caller caller{};
  bool knows_caller = false;
  std::optional<Allowance> allowance{};
  std::string account{};  // the account it concerns, for the log
};

// Returns the key that an address is counted under.
[[nodiscard]] std::string address_key(const std::string& address);
[[nodiscard]] http::Holder holder_of(const RequestTurn& turn);

// Sets the client's address, past trusted proxies.
void take_client(AppState& state, RequestTurn& turn);
// Counts the request. Throws Problem 429 if the client has sent too many.
void count_request(AppState& state, RequestTurn& turn);
// Throws Problem 421 if the request names a host that this server does not answer for. Such
// requests are counted like any other.
void check_hosts(AppState& state, RequestTurn& turn);
// Throws Problem 403 if a page of another origin may not send this request.
void check_origin(AppState& state, const RequestTurn& turn);

}  // namespace chirp::api
