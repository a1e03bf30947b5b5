#include "server/api/client.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/model/names.h"
#include "core/social/account_suspended.h"
#include "server/api/problem.h"
#include "server/api/request_values.h"

namespace chirp::api {
namespace {

constexpr std::string_view kScheme = "bearer ";
constexpr std::size_t kTokenMax = 256;

// Those named by all such headers, in their order: the client first, then proxy after proxy.
std::vector<std::string_view> forwarded(const http::Head& head) {
  std::vector<std::string_view> addresses;
  for (const http::Pair& header : head.headers) {
    if (header.name != "x-forwarded-for") continue;
    each_item(header.value, [&](std::string_view item) {
      addresses.push_back(item);
      return true;
    });
  }
  return addresses;
}

// How often the header is there, and the token of one that is there once; empty if it has none.
struct Said {
  std::ptrdiff_t times = 0;
  std::string_view token;
};

Said said_in(const http::Head& head) {
  const auto is_it = [](const http::Pair& header) { return header.name == "authorization"; };
  Said said{std::count_if(head.headers.begin(), head.headers.end(), is_it), {}};
  if (said.times == 1) said.token = bearer_token(head);
  return said;
}

Caller caller_for(Access access, std::shared_ptr<const User> user) {
  if (!user) return {TokenState::kBad, nullptr};
  Caller caller{TokenState::kGood, std::move(user)};
  caller.owner = caller.user->number;
  if (access == Access::kNobody) caller.user.reset();
  return caller;
}

}  // namespace

bool is_trusted(std::string_view address, std::span<const IpNetwork> trusted) {
  const auto parsed = parse_address(address);
  return parsed && std::any_of(trusted.begin(), trusted.end(),
                               [&](const IpNetwork& network) { return network.contains(*parsed); });
}

std::string client_address(const http::Head& head, std::span<const IpNetwork> trusted) {
  std::string_view address = head.address;
  if (trusted.empty() || !is_trusted(address, trusted)) return head.address;
  const auto addresses = forwarded(head);
  // From the last on: each is what a trusted one says it has seen.
  for (auto at = addresses.rbegin(); at != addresses.rend(); ++at) {
    if (!parse_address(*at)) break;
    address = *at;
    if (!is_trusted(address, trusted)) break;
  }
  return std::string(address);
}

std::string client_key_of(const std::string& address) {
  const auto parsed = parse_address(address);
  return parsed ? client_key(*parsed) : address;
}

std::string_view bearer_token(const http::Head& head) {
  const std::string_view header = head.header("authorization").value_or("");
  if (header.size() <= kScheme.size() || header.size() > kScheme.size() + kTokenMax) return {};
  if (folded(header.substr(0, kScheme.size())) != kScheme) return {};
  const std::string_view token = header.substr(kScheme.size());
  const bool plain = std::all_of(token.begin(), token.end(),
                                 [](char c) { return c > ' ' && c < 0x7F && c != ','; });
  return plain ? token : std::string_view();
}

Caller caller_of(Callers& callers, Access access, const http::Head& head) {
  const Said said = said_in(head);
  if (said.times == 0) return {};
  if (said.token.empty()) return {TokenState::kBad, nullptr};
  try {
    return caller_for(access, callers.find(said.token));
  } catch (const social::AccountSuspended&) {
    return {TokenState::kSuspended, nullptr};
  }
}

std::optional<Caller> known_caller_of(Callers& callers, Access access, const http::Head& head) {
  const Said said = said_in(head);
  if (said.times == 0) return Caller{};
  if (said.token.empty()) return Caller{TokenState::kBad, nullptr};
  auto user = callers.known(said.token);
  if (!user) return std::nullopt;
  return caller_for(access, std::move(user));
}

void check_caller(Access access, const Caller& caller) {
  if (access == Access::kNobody || caller.token_state == TokenState::kGood) return;
  if (caller.token_state == TokenState::kSuspended) throw social::AccountSuspended();
  if (caller.token_state == TokenState::kBad) throw bad_token();
  if (access == Access::kSomebody) {
    throw unauthenticated("This call needs a token. Log in with POST /v1/sessions.");
  }
}

}  // namespace chirp::api
