#include "server/api/login_failures.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "server/api/problem.h"

namespace chirp::api {
namespace {

constexpr std::int64_t kLoginWindowNs = limits::kLoginWindowMs * 1'000'000;
// The log-ins per address and window that get the priority of familiar addresses. An attacker with
// an account is familiar at the own address.
constexpr std::uint64_t kFamiliarTurns = 16;

}  // namespace

LoginFailures::LoginFailures(const Clock& clock, std::size_t buckets)
    : clock_(clock),
      addresses_(buckets, kLoginWindowNs),
      turns_(buckets, kLoginWindowNs),
      names_(buckets, kLoginWindowNs) {}

LoginFailures::Keys LoginFailures::keys_of(const LoginAttempt& attempt) const {
  // An address has no blanks, so the text shows where it ends.
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

void LoginFailures::check(const LoginAttempt& attempt, FailuresMost most) {
  const Keys keys = keys_of(attempt);
  const std::int64_t now = clock_.steady_ns();
  const std::lock_guard lock(mutex_);
  const std::int64_t wait =
      std::max(addresses_.wait_ns(keys.address, most.of_address, now),
               names_.wait_ns(name_of(keys.typed, keys.typed_here), most.of_name, now));
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
  return keys.account &&
         names_.wait_ns(name_of(*keys.account, keys.account_here), most, clock_.steady_ns()) != 0;
}

HashingStanding LoginFailures::standing(const LoginAttempt& attempt) {
  const Keys keys = keys_of(attempt);
  const std::int64_t now = clock_.steady_ns();
  const std::lock_guard lock(mutex_);
  const std::uint64_t turns = turns_.failures(keys.address, now);
  const bool is_familiar = familiar_.contains(keys.typed_here) && turns < kFamiliarTurns;
  return {!is_familiar, addresses_.failures(keys.address, now), turns};
}

void LoginFailures::failed(const LoginAttempt& attempt) {
  const Keys keys = keys_of(attempt);
  const std::int64_t now = clock_.steady_ns();
  const std::lock_guard lock(mutex_);
  addresses_.add(keys.address, now);
  turns_.add(keys.address, now);
  names_.add(name_of(keys.typed, keys.typed_here), now);
  if (!keys.account || keys.account == keys.typed) return;
  names_.add(name_of(*keys.account, keys.account_here), now);
}

void LoginFailures::succeeded(const LoginAttempt& attempt) {
  const Keys keys = keys_of(attempt);
  const std::lock_guard lock(mutex_);
  turns_.add(keys.address, clock_.steady_ns());
  remember(keys.typed_here);
  if (keys.account) remember(keys.account_here);
}

std::uint64_t LoginFailures::name_of(std::uint64_t name, std::uint64_t here) const {
  return familiar_.contains(here) ? here : name;
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
