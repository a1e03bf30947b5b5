#include "server/api/turn.h"

#include <algorithm>
#include <atomic>
#include <initializer_list>

#include <fmt/format.h>

#include "core/model/names.h"
#include "server/api/operations.h"
#include "server/api/problem.h"
#include "server/hosts.h"

namespace chirp::api {
namespace {

// All tokens of an account share its limit.
std::string account_key(UserNumber account) { return "u" + std::to_string(account.value); }

// Log-ins and sign-ups have their own count, so that readers do not stop others at the same address
// from logging in.
std::string client_key(const RequestTurn& turn) {
  const Operation* const operation = turn.match.operation;
  const bool is_password = operation != nullptr && operation->lane == http::Lane::kPassword;
  return is_password ? "p" + turn.client_key : turn.client_key;
}

// Logs once what the operator should see and a client could repeat without limit.
void tell_once(AppState& state, std::atomic<bool>& told, std::string_view what,
               std::initializer_list<LogField> fields) {
  if (!told.exchange(true)) state.parts.log.write(Severity::kWarning, what, fields);
}

}  // namespace

std::string address_key(const std::string& address) { return "a" + client_key_of(address); }

http::Holder holder_of(const RequestTurn& turn) {
  if (turn.client.empty()) return {};
  return {client_key_of(turn.client),
          turn.caller.owner ? std::to_string(turn.caller.owner->value) : std::string()};
}

void take_client(AppState& state, RequestTurn& turn) {
  const Client client = client_of(turn.request, turn.settings->trusted_proxies);
  turn.client = client.address;
  turn.client_key = address_key(turn.client);
  if (client.is_readable) return;
  tell_once(state, state.told_forwarded,
            "A trusted proxy sent an X-Forwarded-For without an address. Each such value counts as "
            "a separate client. Set the proxy to send addresses.",
            {{"proxy", turn.request.address},
             {"client", turn.client},
             {"setting", "http.trusted_proxies"}});
}

void count_request(AppState& state, RequestTurn& turn) {
  const bool known = turn.caller.token_state == TokenState::kGood;
  const std::string key = known ? account_key(*turn.caller.owner) : client_key(turn);
  const std::uint64_t limit =
      known ? turn.settings->rate_limit : turn.settings->rate_limit_anonymous;
  // A request that was admitted before its body arrived, or answered at once, is already counted.
  turn.allowance =
      turn.request.counted ? state.rates.look(key, limit) : state.rates.take(key, limit);
  if (turn.allowance->granted) return;
  throw rate_limited(fmt::format("{} requests a minute are allowed. Wait {} seconds.",
                                 turn.allowance->limit, turn.allowance->reset_s),
                     turn.allowance->reset_s);
}

void check_hosts(AppState& state, RequestTurn& turn) {
  const auto is_ours = [&](const std::string& host) {
    return answers_for(host, state.parts.bound, turn.settings->hosts);
  };
  const auto other = std::ranges::find_if_not(turn.request.hosts, is_ours);
  if (other == turn.request.hosts.end()) return;
  tell_once(state, state.told_host, "A request was for a host that this server does not serve.",
            {{"host", printable(*other)}, {"setting", "http.hosts"}});
  count_request(state, turn);
  throw Problem{421, "invalid_argument",
                fmt::format("This server does not serve the host {}. Its operator can add it to "
                            "the setting http.hosts, or let the proxy send another Host.",
                            printable(*other))};
}

void check_origin(AppState& state, const RequestTurn& turn) {
  const auto why = origin_refusal(turn.request, turn.origin);
  if (!why) return;
  tell_once(state, state.told_origin, "A page of another origin was refused.", {{"why", *why}});
  throw forbidden(*why);
}

}  // namespace chirp::api
