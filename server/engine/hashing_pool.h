// Password hashing for many threads: as many at once as half the processors, the others in a line
// (hashing_line.h). Who finds no room, or has waited long enough, gets Error{kUnavailable}. Safe to
// call from any thread; each hashes on its own once its turn has come.
#pragma once

#include <memory>
#include <string>

#include "core/ports/clock.h"
#include "core/ports/password_hasher.h"
#include "server/engine/hashing_line.h"

namespace chirp {

// Both must outlive it, and `inner` be safe to call from any thread. Nobody waits longer than
// limits::kHashingWaitMs for a turn.
[[nodiscard]] std::unique_ptr<PasswordHasher> pool_hashing(const PasswordHasher& inner,
                                                           const Clock& clock);

// Threads that may be hashing or waiting for it at one time. With some more in a lane of requests
// there is always one to answer those that hash nothing, and to say that there is no room.
[[nodiscard]] unsigned hashing_threads_max();

// For whom this thread hashes as long as this lives. Whoever says nothing is a stranger who signs
// up.
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
