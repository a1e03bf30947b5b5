#include "core/social/tokens.h"

#include "core/error.h"
#include "core/limits.h"

namespace chirp::social {
namespace {

void check_lifetime(const std::optional<std::int64_t>& lifetime_ms) {
  if (!lifetime_ms || (*lifetime_ms > 0 && *lifetime_ms <= limits::kTokenLifetimeMaxMs)) return;
  throw Error(ErrorCode::kInvalidArgument, "A token expires later than now, and within 36500 days.",
              "expires");
}

}  // namespace

NewToken Tokens::mint(const User& user, std::optional<std::int64_t> lifetime_ms) {
  check_lifetime(lifetime_ms);
  const Time now = clock_.now();
  NewToken minted;
  if (lifetime_ms) minted.expires_at = Time{now.ms + *lifetime_ms};
  minted.token = tokens_.add_token(user.number, now, minted.expires_at);
  return minted;
}

std::optional<User> Tokens::authenticate(std::string_view token) const {
  const auto owner = tokens_.token_owner(token, clock_.now());
  if (!owner) return std::nullopt;
  return accounts_.present(*owner);
}

}  // namespace chirp::social
