// A store on disk with many users, each of whom follows the next one, for tests of how much a
// transaction touches.
#pragma once

#include <cstdint>
#include <memory>

#include "core/ports/storage.h"
#include "store/lmdb/env.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

class RingStore {
 public:
  // Makes users 1 to `users`; the last one follows the first.
  explicit RingStore(std::uint32_t users);

  [[nodiscard]] Storage& storage() const { return *storage_; }
  [[nodiscard]] const std::shared_ptr<lmdb::Env>& env() const { return env_; }
  [[nodiscard]] Time now() const { return clock_.now(); }

 private:
  TempFolder folder_;
  FakeClock clock_;
  std::shared_ptr<lmdb::Env> env_;
  std::unique_ptr<Storage> storage_;
};

}  // namespace chirp::test
