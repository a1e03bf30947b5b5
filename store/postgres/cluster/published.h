// The newest versions of a database, commit number and users_version, for a process with many
// threads that ask at once.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/ports/caller.h"
#include "store/postgres/cluster/connections.h"

namespace chirp::postgres {

// Shares one look among all waiting callers. At most one look is running. Callers that arrive
// meanwhile wait for the next, because the running one may have read an older state. Safe to call
// from any thread.
class SharedLook {
 public:
  explicit SharedLook(std::function<Versions()> look) : look_(std::move(look)) {}

  // Returns the versions from a look that began after this call. Rethrows its failure as an Error.
  [[nodiscard]] Versions get();
  // Callers that wait for a look that has not begun.
  [[nodiscard]] std::size_t waiting() const;

 private:
  struct Found {
    Versions versions{};
    std::optional<Error> failure{};
  };
  [[nodiscard]] Found look() const noexcept;

  const std::function<Versions()> look_;
  mutable std::mutex mutex_;
  std::condition_variable ended_one_;
  std::uint64_t begun_ = 0;  // looks begun
  std::uint64_t ended_ = 0;
  std::size_t waiting_ = 0;
  Found last_;
};

// The newest versions of one database, cached in the RequestVersions of a request.
class PublishedState {
 public:
  // The connections must outlive this.
  explicit PublishedState(Connections& connections);

  // Returns versions no older than this call, or than this thread's RequestVersions.
  [[nodiscard]] Versions newest();
  [[nodiscard]] std::size_t waiting() const { return shared_.waiting(); }

 private:
  Connections& connections_;
  SharedLook shared_;
};

// Converts a version stored in users_state: after a failover, the new home may lack changes of
// users and count again from an older version.
[[nodiscard]] std::uint64_t users_version_of(Connections& connections, std::uint64_t stored);

// A snapshot queries this along with its number, for its thread's RequestVersions.
inline constexpr std::string_view kUsersVersion = "select version from users_state";
// Stores versions in this thread's RequestVersions. They were read in one transaction, and
// `changes` just before it.
void see_in_glance(const Connections& connections, std::uint64_t changes, Versions versions);

}  // namespace chirp::postgres
