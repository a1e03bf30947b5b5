#include "server/api/login_failures.h"

#include <algorithm>

#include <fmt/format.h>

#include "server/api/problem.h"
#include "server/limits.h"

namespace chirp::api {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kWindowNs = limits::kLoginWindowMs * 1'000'000;

std::string account_key(const LoginAttempt& attempt) { return "n" + attempt.account; }
std::string address_key(const LoginAttempt& attempt) { return "a" + attempt.address; }
std::string pair_key(const LoginAttempt& attempt) {
  return fmt::format("{}:{}{}", attempt.address.size(), attempt.address, attempt.account);
}

}  // namespace

void LoginFailures::check(const LoginAttempt& attempt, std::uint64_t most) {
  const std::lock_guard lock(mutex_);
  std::int64_t seconds = wait(address_key(attempt), most);
  if (!is_familiar(attempt)) seconds = std::max(seconds, wait(account_key(attempt), most));
  if (seconds == 0) return;
  throw rate_limited(
      fmt::format("There were too many wrong passwords. Try again in {} seconds.", seconds),
      seconds);
}

void LoginFailures::failed(const LoginAttempt& attempt) {
  const std::lock_guard lock(mutex_);
  add(address_key(attempt));
  if (!is_familiar(attempt)) add(account_key(attempt));
}

void LoginFailures::succeeded(const LoginAttempt& attempt) {
  const std::lock_guard lock(mutex_);
  const std::string key = pair_key(attempt);
  const auto found = familiar_.find(key);
  if (found != familiar_.end()) {
    by_use_.splice(by_use_.begin(), by_use_, found->second);
    return;
  }
  if (familiar_.size() >= limits::kFamiliarMax) {
    familiar_.erase(by_use_.back());
    by_use_.pop_back();
  }
  by_use_.push_front(key);
  familiar_.emplace(key, by_use_.begin());
}

void LoginFailures::add(const std::string& key) {
  const std::int64_t now = clock_.steady_ns();
  forget_old(now);
  const auto [found, fresh] = counts_.try_emplace(key, Count{0, now});
  if (fresh) begun_.emplace_back(key, now);
  ++found->second.failures;
}

bool LoginFailures::is_familiar(const LoginAttempt& attempt) const {
  return familiar_.contains(pair_key(attempt));
}

std::int64_t LoginFailures::wait(const std::string& key, std::uint64_t most) const {
  const auto found = counts_.find(key);
  if (found == counts_.end() || found->second.failures < most) return 0;
  const std::int64_t left = found->second.since_ns + kWindowNs - clock_.steady_ns();
  return left <= 0 ? 0 : (left + kSecondNs - 1) / kSecondNs;
}

// Windows are of one length, so the first to begin is the first to end.
void LoginFailures::forget_old(std::int64_t now) {
  while (!begun_.empty() &&
         (begun_.front().second + kWindowNs <= now || begun_.size() >= limits::kLoginFailersMax)) {
    counts_.erase(begun_.front().first);
    begun_.pop_front();
  }
}

}  // namespace chirp::api
