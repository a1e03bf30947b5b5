#include "server/api/login_failures.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "server/api/problem.h"

namespace chirp::api {
namespace {

constexpr std::int64_t kLoginWindowNs = limits::kLoginWindowMs * 1'000'000;

}  // namespace

LoginFailures::LoginFailures(const Clock& clock, std::size_t buckets)
    : clock_(clock), addresses_(buckets, kLoginWindowNs), names_(buckets, kLoginWindowNs) {}

LoginFailures::Keys LoginFailures::keys_of(const LoginAttempt& attempt) const {
  // An address is written without blanks, so the text tells where it ends.
  const auto here = [&](char kind, const std::string& whom) {
    return digest_.of(kind, attempt.address + ' ' + whom);
  };
  Keys keys;
  keys.address = digest_.of('a', attempt.address);
  if (attempt.account) {
    const std::string number = std::to_string(attempt.account->value);
    keys.account = digest_.of('n', number);
    keys.account_here = here('N', number);
  }
  const bool by_token = attempt.typed.empty() && keys.account;
  keys.typed = by_token ? *keys.account : digest_.of('t', attempt.typed);
  keys.typed_here = by_token ? keys.account_here : here('T', attempt.typed);
  return keys;
}

void LoginFailures::check(const LoginAttempt& attempt, std::uint64_t most) {
  const Keys keys = keys_of(attempt);
  const std::int64_t now = clock_.steady_ns();
  const std::lock_guard lock(mutex_);
  std::int64_t wait = addresses_.wait_ns(keys.address, most, now);
  if (!familiar_.contains(keys.typed_here)) {
    wait = std::max(wait, names_.wait_ns(keys.typed, most, now));
  }
  if (wait == 0) return;
  const std::int64_t seconds =
      std::chrono::ceil<std::chrono::seconds>(std::chrono::nanoseconds(wait)).count();
  throw rate_limited(
      fmt::format("There were too many wrong passwords. Try again in {} seconds.", seconds),
      seconds);
}

bool LoginFailures::is_spent(const LoginAttempt& attempt, std::uint64_t most) {
  const Keys keys = keys_of(attempt);
  const std::lock_guard lock(mutex_);
  return keys.account && !familiar_.contains(keys.account_here) &&
         names_.wait_ns(*keys.account, most, clock_.steady_ns()) != 0;
}

void LoginFailures::failed(const LoginAttempt& attempt) {
  const Keys keys = keys_of(attempt);
  const std::int64_t now = clock_.steady_ns();
  const std::lock_guard lock(mutex_);
  addresses_.add(keys.address, now);
  if (!familiar_.contains(keys.typed_here)) names_.add(keys.typed, now);
  if (!keys.account || keys.account == keys.typed) return;
  if (!familiar_.contains(keys.account_here)) names_.add(*keys.account, now);
}

void LoginFailures::succeeded(const LoginAttempt& attempt) {
  const Keys keys = keys_of(attempt);
  const std::lock_guard lock(mutex_);
  remember(keys.typed_here);
  if (keys.account) remember(keys.account_here);
}

void LoginFailures::remember(std::uint64_t pair) {
  const auto found = familiar_.find(pair);
  if (found != familiar_.end()) {
    by_use_.splice(by_use_.begin(), by_use_, found->second);
    return;
  }
  if (familiar_.size() >= limits::kFamiliarMax) {
    familiar_.erase(by_use_.back());
    by_use_.pop_back();
  }
  by_use_.push_front(pair);
  familiar_.emplace(pair, by_use_.begin());
}

}  // namespace chirp::api
