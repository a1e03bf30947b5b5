// A request on its way through the App: who asks, and what is looked at before any operation is.
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

// A request on its way, as far as is known.
struct Turn {
  const http::Request& request;
  std::int64_t begun_ns;
  std::shared_ptr<const settings::ForClients> settings{};
  Router::Match match{};
  std::string client{};
  std::string client_key{};  // under which an address is counted
  Origin origin{};
  Caller caller{};
  bool knows_caller = false;
  std::optional<Allowance> allowance{};
  std::string account{};  // whom it is about, for the log
};

// Under which an address is counted.
[[nodiscard]] std::string address_key(const std::string& address);
[[nodiscard]] http::Holder holder_of(const Turn& turn);

// Learns whose request it is, proxies that are trusted left out.
void take_client(AppState& state, Turn& turn);
// Throws Problem 429 for one request too many.
void count_request(AppState& state, Turn& turn);
// Throws Problem 421 for a request to a host that this server does not answer for, which is counted
// like any other.
void check_hosts(AppState& state, Turn& turn);
// Throws Problem 403 for what a page of another origin may not do.
void check_origin(AppState& state, const Turn& turn);

}  // namespace chirp::api
