// Slows down who guesses passwords: so many wrong ones for an account, or from an address, and the
// next has to wait until the window that the first began is over.
//
// An address from which somebody has logged in is familiar to that account, and held back by its
// own failures alone: others can't keep people out of where they usually are. Memory is bounded:
// what is past limits::kLoginFailersMax or kFamiliarMax is forgotten, the oldest first. Safe to
// call from any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/ports/clock.h"

namespace chirp::api {

struct LoginAttempt {
  std::string account;  // of somebody who is not there, what was typed
  std::string address;
};

class LoginFailures {
 public:
  explicit LoginFailures(const Clock& clock) : clock_(clock) {}

  // Throws Problem 429 if `most` have failed. To be asked before a password is checked and again
  // after it: guesses at the same time are not answered past the limit, whether right or wrong.
  void check(const LoginAttempt& attempt, std::uint64_t most);
  void failed(const LoginAttempt& attempt);
  void succeeded(const LoginAttempt& attempt);

 private:
  struct Count {
    std::uint64_t failures = 0;
    std::int64_t since_ns = 0;
  };
  void add(const std::string& key);
  [[nodiscard]] bool is_familiar(const LoginAttempt& attempt) const;
  // Seconds to wait; 0 if there is room.
  [[nodiscard]] std::int64_t wait(const std::string& key, std::uint64_t most) const;
  void forget_old(std::int64_t now);

  const Clock& clock_;
  std::mutex mutex_;
  std::unordered_map<std::string, Count> counts_;
  std::deque<std::pair<std::string, std::int64_t>> begun_;  // the windows, by when
  std::unordered_map<std::string, std::list<std::string>::iterator> familiar_;
  std::list<std::string> by_use_;  // of the familiar, the last used first
};

}  // namespace chirp::api
