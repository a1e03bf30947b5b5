// How new the database is: the number of its newest commit, and users_version with it, for a
// process of which many threads ask at once.
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
#include "core/ports/glance.h"
#include "store/postgres/connections.h"

namespace chirp::postgres {

// One look for all who wait. At most one is under way; who comes meanwhile waits for the next,
// since the one under way may have seen the database before they came. Safe to call from any
// thread.
class SharedLook {
 public:
  explicit SharedLook(std::function<Versions()> look) : look_(std::move(look)) {}

  // Of a look that began after this call did. Throws an Error that says what that look has thrown.
  [[nodiscard]] Versions get();
  // Callers who wait for a look that has not begun.
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
  std::uint64_t begun_ = 0;  // looks
  std::uint64_t ended_ = 0;
  std::size_t waiting_ = 0;
  Found last_;
};

// The look at one database, and what a request's Glance keeps of it.
class Published {
 public:
  // The connections outlive this.
  explicit Published(Connections& connections);

  // No older than this call, or than the Glance of this thread.
  [[nodiscard]] Versions newest();
  [[nodiscard]] std::size_t waiting() const { return shared_.waiting(); }

 private:
  Connections& connections_;
  SharedLook shared_;
};

// Of what users_state says: another home may have lost changes of users and count on from before
// them.
[[nodiscard]] std::uint64_t users_version_of(Connections& connections, std::uint64_t stored);

// What a snapshot asks along with its number, for the Glance of its thread.
inline constexpr std::string_view kUsersVersion = "select version from users_state";
// What was read in one transaction, before which `changes` were made, is what that Glance has seen
// from now on.
void see_in_glance(const Connections& connections, std::uint64_t changes, Versions versions);

}  // namespace chirp::postgres
