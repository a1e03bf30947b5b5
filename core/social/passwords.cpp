// Passwords of accounts: hashing, checking and replacing.
#include <fmt/format.h>

#include "core/limits.h"
#include "core/model/names.h"
#include "core/settings.h"
#include "core/social/accounts.h"

namespace chirp::social {
namespace {

constexpr std::size_t kCostEnd = 7;  // length of method and cost in a hash: `$2b$12$`

// A hash that matches no password, and takes as long to check as others of this cost.
std::string nobodys_hash(unsigned cost) {
  return fmt::format("$2b${:02}${}", cost, std::string(53, 'u'));
}

}  // namespace

bool Accounts::is_password(const std::optional<User>& user, std::string_view password) const {
  const unsigned cost = settings::bcrypt_cost(storage_);
  std::optional<std::string> hash;
  if (user) hash = directory_.password_hash(user->number);
  const std::string compared = hash.value_or(nobodys_hash(cost));
  const std::string form = password_form(password);
  const bool is_normalised = hasher_.matches(form, compared, cost);
  const bool is_as_typed = form != password && hasher_.matches(password, compared, cost);
  return hash && (is_normalised || is_as_typed);
}

void Accounts::renew_hash(const User& user, std::string_view password) {
  const auto hash = directory_.password_hash(user.number);
  if (!hash) return;
  const unsigned cost = settings::bcrypt_cost(storage_);
  if (hash->starts_with(nobodys_hash(cost).substr(0, kCostEnd))) return;
  const std::string form = password_form(password);
  if (form.size() > limits::kPasswordMax) return;  // only the password as typed fits
  (void)directory_.replace_hash(user.number, *hash, hasher_.hash(form, cost));
}

void Accounts::set_password(const User& user, std::string_view password,
                            std::string_view kept_token) {
  const std::string form = checked_password(password);
  UserEdit changes;
  changes.password_hash = hasher_.hash(form, settings::bcrypt_cost(storage_));
  changes.kept_token = kept_token;
  directory_.edit(user.number, changes);
}

}  // namespace chirp::social
