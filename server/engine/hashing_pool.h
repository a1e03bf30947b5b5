// Password hashing for many threads: half the processors hash at once, and other callers wait in a
// line (hashing_line.h). A caller gets Error{kUnavailable} if the line is full or its wait too
// long. Safe to call from any thread; each hashes on its own thread once its turn begins.
#pragma once

#include <memory>
#include <string>

#include "core/ports/clock.h"
#include "core/ports/password_hasher.h"
#include "server/engine/hashing_line.h"

namespace chirp {

// Both must outlive it, and `inner` must be safe to call from any thread. A caller waits at most
// limits::kHashingWaitMs for its turn.
[[nodiscard]] std::unique_ptr<PasswordHasher> pool_hashing(const PasswordHasher& inner,
                                                           const Clock& clock);

// The number of threads that may hash or wait at one time. A lane of requests needs a few more
// threads, to answer requests that hash nothing, and to refuse when the line is full.
[[nodiscard]] unsigned hashing_threads_max();

// Declares the client of this thread's hashing while the object lives. Without it, hashing counts
// as a sign-up of an unknown client.
class HashingFrom {
 public:
  HashingFrom(HashingFor what, std::string client, HashingStanding standing = {});
  ~HashingFrom();
  HashingFrom(const HashingFrom&) = delete;
  HashingFrom& operator=(const HashingFrom&) = delete;
  HashingFrom(HashingFrom&&) = delete;
  HashingFrom& operator=(HashingFrom&&) = delete;

 private:
  friend class PooledHasher;
  static thread_local const HashingFrom* present;

  HashingFor what_;
  std::string client_;
  HashingStanding standing_;
  const HashingFrom* before_;
};

}  // namespace chirp
