// Whom a token stands for, from memory where it can be.
//
// What was read of a token and its user holds while the user directory's version stays
// (UserDirectory::version): who revokes a token, sets a password or removes somebody moves it,
// whatever process that is, and the next look goes to the directory. When a token ends is judged at
// each use. A removal begins in the engine's store, and is noted in the directory before the last
// trace is gone from there; so while removals are under way nothing is answered from here.
//
// Tokens stand here as digests, and nobody is kept of whom there is no good token. Bounded in
// bytes. Safe to call from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "core/engine.h"
#include "core/hot/clock_table.h"
#include "server/api/keyed_digest.h"

namespace chirp::api {

class Callers {
 public:
  // Holds about `bytes` at most; with 0 every look goes to the stores. `engine` must outlive it.
  Callers(Engine& engine, std::size_t bytes);

  // Null for a token that is nobody's. Throws social::AccountSuspended for a suspended user's.
  [[nodiscard]] std::shared_ptr<const User> find(std::string_view token);
  // The same from memory alone, which waits for no disk. Null also if it would take a look at the
  // stores.
  [[nodiscard]] std::shared_ptr<const User> known(std::string_view token);

  struct Use {
    std::size_t bytes = 0;
    std::uint64_t from_memory = 0;
    std::uint64_t from_stores = 0;
  };
  [[nodiscard]] Use use() const;

 private:
  struct Entry {
    std::shared_ptr<const User> user;
    std::optional<Time> expires_at;
    std::uint64_t version = 0;  // of the directory, before it was read
  };
  struct HashOfDigest {
    std::size_t operator()(const KeyedDigest::Wide& digest) const { return digest[0]; }
  };
  // A state of the engine's store, and whether removals are under way in it.
  struct Looked {
    std::uint64_t version = 0;
    bool removals = true;
  };

  [[nodiscard]] std::shared_ptr<const User> known(const KeyedDigest::Wide& digest);
  void look_for_removals();
  void keep(const KeyedDigest::Wide& digest, Entry entry);

  Engine& engine_;
  const std::size_t bytes_max_;
  KeyedDigest digests_;
  std::atomic<std::uint64_t> from_memory_{0};
  std::atomic<std::uint64_t> from_stores_{0};
  mutable std::mutex mutex_;
  std::optional<Looked> looked_;
  hot::ClockTable<KeyedDigest::Wide, Entry, HashOfDigest> entries_;
};

}  // namespace chirp::api
