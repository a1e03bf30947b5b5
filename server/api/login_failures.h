// Slows down who guesses passwords: so many wrong ones for a name, or so many more from an address,
// behind which a whole school may be, and the next has to wait until the window that the first
// began is over.
//
// Whether somebody has to wait depends on what was typed and on the address alone, so it says
// nothing about who has which e-mail address. Behind that stands a count of the account, however it
// was named: once it is full, no password is right, and that looks like a wrong one.
//
// An address from which somebody has logged in is familiar to what they typed and to their account,
// and held back by its own failures alone: others can't keep people out of where they usually are.
// Memory is bounded, names and addresses are kept as digests: what is past limits::kFamiliarMax is
// forgotten, the oldest first; of failures nothing is (failure_counts.h). Safe to call from any
// thread.
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
#include "server/api/keyed_digest.h"
#include "server/engine/hashing_line.h"
#include "server/limits.h"

namespace chirp::api {

struct LoginAttempt {
  std::string typed;                  // a name or an address, folded; empty of who has a token
  std::optional<UserNumber> account;  // of whoever is there
  std::string address;
};

// How many wrong passwords there may be in a window.
struct FailuresMost {
  std::uint64_t of_name = 0;  // or account
  std::uint64_t of_address = 0;
};

class LoginFailures {
 public:
  explicit LoginFailures(const Clock& clock, std::size_t buckets = limits::kFailureBuckets);

  // Throws Problem 429 if so many have failed. To be asked before a password is checked and again
  // after it: guesses at the same time are not answered past the limit, whether right or wrong.
  void check(const LoginAttempt& attempt, FailuresMost most);
  // Whether so many have failed for the account that even the right password is to be refused, like
  // a wrong one.
  [[nodiscard]] bool is_spent(const LoginAttempt& attempt, std::uint64_t most);
  // What decides when its password is hashed.
  [[nodiscard]] HashingStanding standing(const LoginAttempt& attempt);
  void failed(const LoginAttempt& attempt);
  void succeeded(const LoginAttempt& attempt);

 private:
  // What an attempt is counted under.
  struct Keys {
    std::uint64_t address = 0;
    std::uint64_t typed = 0;  // the account's, of who has a token
    std::uint64_t typed_here = 0;
    std::optional<std::uint64_t> account;
    std::uint64_t account_here = 0;
  };
  [[nodiscard]] Keys keys_of(const LoginAttempt& attempt) const;
  // Under what a name or account is counted: where it is familiar, by itself.
  [[nodiscard]] std::uint64_t name_of(std::uint64_t name, std::uint64_t here) const;
  void remember(std::uint64_t pair);

  const Clock& clock_;
  const KeyedDigest digest_;
  std::mutex mutex_;
  FailureCounts addresses_;
  FailureCounts turns_;  // of addresses: log-ins, right or wrong
  FailureCounts names_;  // and accounts, elsewhere and where they are familiar
  std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> familiar_;
  std::list<std::uint64_t> by_use_;  // of the familiar, the last used first
};

}  // namespace chirp::api
