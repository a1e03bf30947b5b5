// The client's address behind proxies, and the owner of its token.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/model/network.h"
#include "core/model/user.h"
#include "server/api/callers.h"
#include "server/api/operations.h"
#include "server/http/exchange.h"

namespace chirp::api {

struct Client {
  // The address in `X-Forwarded-For`, as far as trusted proxies wrote it; otherwise the socket's.
  // For an unreadable entry: the address of the proxy that wrote it, a slash and the entry, without
  // blanks. Each such entry then counts as a client of its own within that proxy.
  std::string address;
  bool is_readable = true;
};
[[nodiscard]] Client client_of(const http::Head& head, std::span<const IpNetwork> trusted);

// Whether this address is a proxy whose X-Forwarded-For is trusted.
[[nodiscard]] bool is_trusted(std::string_view address, std::span<const IpNetwork> trusted);

// Returns the part of an address that identifies one client (core/model/network.h).
[[nodiscard]] std::string client_key_of(const std::string& address);

enum class TokenState : std::uint8_t { kAbsent, kGood, kBad, kSuspended };

struct Caller {
  TokenState token_state = TokenState::kAbsent;
  std::shared_ptr<const User> user;  // the owner of a valid token
  // The owner of a valid token, even if the operation ignores callers.
  std::optional<UserNumber> owner = std::nullopt;
};

// Returns the token of `Authorization: Bearer …`; empty for any other header.
[[nodiscard]] std::string_view bearer_token(const http::Head& head);
// Returns the owner of the token, or no owner if the operation has no caller.
[[nodiscard]] Caller caller_of(Callers& callers, Access access, const http::Head& head);
// Like caller_of, but from memory only, without waiting for a disk. Empty if that needs the stores.
[[nodiscard]] std::optional<Caller> known_caller_of(Callers& callers, Access access,
                                                    const http::Head& head);
// Throws Problem 401, or AccountSuspended, if the operation does not accept this caller.
void check_caller(Access access, const Caller& caller);

}  // namespace chirp::api
