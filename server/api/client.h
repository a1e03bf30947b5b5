// Who is at the other end: the client behind proxies, and the account that its token stands for.
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
  // As `X-Forwarded-For` says it, as far as the proxies that say so are trusted; else the socket's.
  // Of an entry that can't be read: the proxy that wrote it, a slash and the entry, so that it is
  // counted by itself within that proxy. Without blanks.
  std::string address;
  bool is_readable = true;
};
[[nodiscard]] Client client_of(const http::Head& head, std::span<const IpNetwork> trusted);

// Whether this address is a proxy that is believed about whom it speaks for.
[[nodiscard]] bool is_trusted(std::string_view address, std::span<const IpNetwork> trusted);

// What of an address is one client's (core/model/network.h).
[[nodiscard]] std::string client_key_of(const std::string& address);

enum class TokenState : std::uint8_t { kAbsent, kGood, kBad, kSuspended };

struct Caller {
  TokenState token_state = TokenState::kAbsent;
  std::shared_ptr<const User> user;  // of a good token
  // The same, whatever the operation makes of it.
  std::optional<UserNumber> owner = std::nullopt;
};

// The token of `Authorization: Bearer …`; empty if the header is none of that.
[[nodiscard]] std::string_view bearer_token(const http::Head& head);
// Whose the token is; nobody's where the operation is for nobody in particular.
[[nodiscard]] Caller caller_of(Callers& callers, Access access, const http::Head& head);
// The same from memory alone, which waits for no disk. Empty if it takes a look at the stores.
[[nodiscard]] std::optional<Caller> known_caller_of(Callers& callers, Access access,
                                                    const http::Head& head);
// Throws Problem 401, or AccountSuspended, unless the operation may go on with this caller.
void check_caller(Access access, const Caller& caller);

}  // namespace chirp::api
