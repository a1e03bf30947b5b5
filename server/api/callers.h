// Finds the caller of a token, from memory if possible.
//
// A cached token and user are valid while the user directory's version is unchanged
// (UserDirectory::version). Any process that revokes a token, sets a password or removes a user
// changes that version, and the next call reads the directory. The expiry of a token is checked at
// each use. A removal begins in the engine's store, and reaches the directory before the last trace
// is deleted there. So nothing is answered from memory while removals are in progress.
//
// Tokens are kept as digests, and only valid ones. Bounded in bytes. Safe to call from any thread.
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
#include "server/sip_hash.h"

namespace chirp::api {

class Callers {
 public:
  // Keeps about `bytes` at most; with 0 every call reads the stores. `engine` must outlive it.
  Callers(Engine& engine, std::size_t bytes);

  // Returns null for an invalid token. Throws social::AccountSuspended for a suspended user's.
  [[nodiscard]] std::shared_ptr<const User> find(std::string_view token);
  // Like find(), but from memory only, without waiting for a disk. Returns null also if that would
  // need the stores.
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
    std::uint64_t version = 0;  // the directory's, from before the user was read
  };
  struct HashOfDigest {
    std::size_t operator()(const KeyedDigest::Wide& digest) const { return digest[0]; }
  };
  // A version of the engine's store, and whether removals are in progress in it.
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
