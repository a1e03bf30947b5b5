#include "server/api/callers.h"

#include <string>
#include <utility>

namespace chirp::api {
namespace {

constexpr char kKind = 't';

std::size_t bytes_of(const User& user) {
  constexpr std::size_t kCounts = 16;  // the reference counts of the shared_ptr
  return hot::allocated(sizeof(User) + kCounts) + hot::outside(user.username) +
         hot::outside(user.display_name) + hot::outside(user.bio) +
         (user.email ? hot::outside(*user.email) : 0);
}

}  // namespace

Callers::Callers(Engine& engine, std::size_t bytes) : engine_(engine), bytes_max_(bytes) {}

std::shared_ptr<const User> Callers::known(std::string_view token) {
  if (bytes_max_ == 0) return nullptr;
  return known(digests_.wide_of(kKind, token));
}

// The store's version is read before the directory's: when the store has finished a removal, the
// directory's version has already changed.
std::shared_ptr<const User> Callers::known(const KeyedDigest::Wide& digest) {
  const std::uint64_t store = engine_.storage().version();
  const auto directory = engine_.directory().version();
  if (!directory) return nullptr;
  const std::lock_guard lock(mutex_);
  if (!looked_ || looked_->version != store || looked_->removals) return nullptr;
  const Entry* const entry = entries_.find(digest);
  if (entry == nullptr || entry->version != *directory) return nullptr;
  if (entry->expires_at && *entry->expires_at <= engine_.clock().now()) return nullptr;
  ++from_memory_;
  return entry->user;
}

std::shared_ptr<const User> Callers::find(std::string_view token) {
  if (bytes_max_ != 0) {
    const KeyedDigest::Wide digest = digests_.wide_of(kKind, token);
    if (auto user = known(digest)) return user;
    look_for_removals();
    if (auto user = known(digest)) return user;
    const auto version = engine_.directory().version();
    auto bearer = engine_.tokens().bearer(token);
    ++from_stores_;
    if (!bearer) return nullptr;
    auto user = std::make_shared<const User>(std::move(bearer->user));
    // Any change since then has changed the version too.
    if (version) keep(digest, {user, bearer->expires_at, *version});
    return user;
  }
  ++from_stores_;
  auto user = engine_.tokens().authenticate(token);
  return user ? std::make_shared<const User>(*std::move(user)) : nullptr;
}

void Callers::look_for_removals() {
  {
    const std::uint64_t version = engine_.storage().version();
    const std::lock_guard lock(mutex_);
    if (looked_ && looked_->version == version) return;
  }
  const StoreState state = engine_.storage().snapshot()->state();
  const std::lock_guard lock(mutex_);
  looked_ = {state.version, state.removals != 0};
}

void Callers::keep(const KeyedDigest::Wide& digest, Entry entry) {
  const std::size_t bytes = bytes_of(*entry.user);
  const std::lock_guard lock(mutex_);
  entries_.put(digest, std::move(entry), bytes);
  while (entries_.bytes() > bytes_max_) {
    entries_.step([](const Entry&) { return true; });
  }
}

Callers::Use Callers::use() const {
  const std::lock_guard lock(mutex_);
  return {entries_.bytes(), from_memory_, from_stores_};
}

}  // namespace chirp::api
