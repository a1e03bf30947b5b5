#include "core/social/tokens.h"

#include "core/error.h"
#include "core/limits.h"

namespace chirp::social {
namespace {

void check_lifetime(const std::optional<std::int64_t>& lifetime_ms) {
  if (!lifetime_ms || (*lifetime_ms > 0 && *lifetime_ms <= limits::kTokenLifetimeMaxMs)) return;
  throw Error(ErrorCode::kInvalidArgument, "A token must expire after now and within 36500 days.",
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

std::optional<TokenOwner> Tokens::bearer(std::string_view token) const {
  const auto held = tokens_.held_token(token, clock_.now());
  if (!held) return std::nullopt;
  auto user = accounts_.find_kept(held->user);
  if (!user) return std::nullopt;
  // When a suspension ends, the card is written last.
  if (user->suspended || !accounts_.present(user->number)) throw AccountSuspended();
  return TokenOwner{*std::move(user), held->expires_at};
}

std::optional<User> Tokens::authenticate(std::string_view token) const {
  auto found = bearer(token);
  if (!found) return std::nullopt;
  return std::move(found->user);
}

}  // namespace chirp::social
