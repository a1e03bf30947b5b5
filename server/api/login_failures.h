// Limits password guessing. After too many wrong passwords for a name, or for an address, the next
// attempt must wait until the window that the first one began is over. The limit for an address is
// higher, because a whole school may share one.
//
// Whether an attempt must wait depends only on the typed name and the address, so it reveals
// nothing about who has which e-mail address. In addition, failures are counted per account,
// whichever name was typed. When that count is full, even the right password is refused, as if it
// were wrong.
//
// An address is familiar to an account, and to the name that was typed, once a log-in from there
// succeeded. Only its own failures slow it down: other clients can't lock users out of their usual
// places. Memory is bounded, and names and addresses are stored as digests. Beyond
// limits::kFamiliarMax the oldest familiar addresses are forgotten; failures are never forgotten
// (failure_counts.h). Safe to call from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/model/ids.h"
#include "core/ports/clock.h"
#include "server/api/failure_counts.h"
#include "server/engine/hashing_line.h"
#include "server/limits.h"
#include "server/sip_hash.h"

namespace chirp::api {

struct LoginAttempt {
  std::string typed;                  // a name or an address, folded; empty with a token
  std::optional<UserNumber> account;  // the account, if there is one
  std::string address;
};

// The number of wrong passwords allowed per window.
struct FailuresMost {
  std::uint64_t of_name = 0;  // also per account
  std::uint64_t of_address = 0;
};

class LoginFailures {
 public:
  explicit LoginFailures(const Clock& clock, std::size_t buckets = limits::kFailureBuckets);

  // Throws Problem 429 past the limit. Call it before a password is checked and again afterwards:
  // then parallel guesses get no answer beyond the limit, right or wrong.
  void check(const LoginAttempt& attempt, FailuresMost most);
  // Whether the account has so many failures that even the right password must be refused, like a
  // wrong one.
  [[nodiscard]] bool is_spent(const LoginAttempt& attempt, std::uint64_t most);
  // Returns the attempt's rank in the line for password hashing.
  [[nodiscard]] HashingStanding standing(const LoginAttempt& attempt);
  void failed(const LoginAttempt& attempt);
  void succeeded(const LoginAttempt& attempt);

 private:
  // The keys that an attempt is counted under.
  struct Keys {
    std::uint64_t address = 0;
    std::uint64_t typed = 0;  // the account's key if the caller has a token
    std::uint64_t typed_here = 0;
    std::optional<std::uint64_t> account;
    std::uint64_t account_here = 0;
  };
  [[nodiscard]] Keys keys_of(const LoginAttempt& attempt) const;
  // Returns the key that a name or account is counted under; a familiar address has its own.
  [[nodiscard]] std::uint64_t name_of(std::uint64_t name, std::uint64_t here) const;
  void remember(std::uint64_t pair);

  const Clock& clock_;
  const KeyedDigest digest_;
  std::mutex mutex_;
  FailureCounts addresses_;
  FailureCounts turns_;  // log-ins per address, right or wrong
  FailureCounts names_;  // and of accounts; familiar addresses have separate keys
  std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> familiar_;
  std::list<std::uint64_t> by_use_;  // familiar addresses, the last used first
};

}  // namespace chirp::api
