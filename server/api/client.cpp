#include "server/api/client.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "core/model/names.h"
#include "core/social/tokens.h"
#include "server/api/problem.h"
#include "server/api/request_values.h"

namespace chirp::api {
namespace {

constexpr std::string_view kScheme = "bearer ";
constexpr std::size_t kTokenMax = 256;

// Returns the addresses of all such headers, in order: the client first, then each proxy.
std::vector<std::string_view> forwarded(const http::Head& head) {
  std::vector<std::string_view> addresses;
  for (const http::Pair& header : head.headers) {
    if (header.name != "x-forwarded-for") continue;
    const std::size_t before = addresses.size();
    each_item(header.value, [&](std::string_view item) {
      addresses.push_back(item);
      return true;
    });
    // A header without an address hides the client, like an unreadable one.
    if (addresses.size() == before) addresses.emplace_back(header.value);
  }
  return addresses;
}

bool is_port(std::string_view text) {
  constexpr std::size_t kDigitsMax = 5;
  return !text.empty() && text.size() <= kDigitsMax &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Returns the address of an entry: `192.0.2.1`, `192.0.2.1:40001`, `2001:db8::1`, `[2001:db8::1]`,
// `[2001:db8::1]:40001`, or one of these in quotes. Empty for anything else.
std::optional<std::string_view> address_in(std::string_view entry) {
  if (entry.size() >= 2 && entry.front() == '"' && entry.back() == '"') {
    entry = entry.substr(1, entry.size() - 2);
  }
  if (parse_address(entry)) return entry;
  const bool has_brackets = entry.starts_with('[');
  const std::size_t end = has_brackets ? entry.find(']') : entry.find(':');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view address = has_brackets ? entry.substr(1, end - 1) : entry.substr(0, end);
  const std::string_view rest = entry.substr(has_brackets ? end + 1 : end);
  if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1)))) return std::nullopt;
  const auto parsed = parse_address(address);
  // Only IPv6 has brackets, and only IPv4 has a port without them.
  const bool is_v6 = address.find(':') != std::string_view::npos;
  return parsed && is_v6 == has_brackets ? std::optional(address) : std::nullopt;
}

// Returns the entry in a form that is safe to log and compare.
std::string name_of_unreadable(std::string_view entry) {
  constexpr std::size_t kMost = 128;
  std::string name(entry.substr(0, kMost));
  for (char& c : name) c = c > ' ' && c < 0x7F ? c : '?';
  return name;
}

// The number of such headers, and the token if there is exactly one.
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

Client client_of(const http::Head& head, std::span<const IpNetwork> trusted) {
  std::string_view address = head.address;
  if (trusted.empty() || !is_trusted(address, trusted)) return {head.address};
  const auto entries = forwarded(head);
  // From the last one: each was written by the trusted proxy after it.
  for (auto at = entries.rbegin(); at != entries.rend(); ++at) {
    const auto named = address_in(*at);
    if (!named) return {fmt::format("{}/{}", address, name_of_unreadable(*at)), false};
    address = *named;
    if (!is_trusted(address, trusted)) break;
  }
  return {std::string(address)};
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
