// Standbys as read replicas. Rows carry the commit numbers from and until which they are visible,
// so a standby that has replayed a commit returns the same rows as home. Each query checks that. A
// standby that lags or is unreachable is skipped for a while, and home is queried.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/postgres/cluster/connections.h"
#include "store/postgres/cluster/home.h"
#include "store/postgres/rows/questions.h"

namespace chirp::postgres {

// How long a standby is skipped: doubled each time, between these bounds.
struct RetryPause {
  std::chrono::milliseconds least;
  std::chrono::milliseconds most;
};
inline constexpr RetryPause kLagPause{std::chrono::milliseconds(10), std::chrono::seconds(5)};
inline constexpr RetryPause kAwayPause{std::chrono::seconds(1), std::chrono::seconds(60)};
// A standby that is silent for this long during an answer counts as unreachable.
inline constexpr std::chrono::seconds kCopyPatience{5};

// The results of queries to one server of the address.
struct CopyUse {
  std::string name;
  std::uint64_t rounds = 0;               // queries sent; not counted for home
  std::uint64_t answered = 0;             // queries for which it had the commit
  std::string left_alone{};               // why it is skipped, in a sentence; empty if it is not
  std::chrono::milliseconds left_for{0};  // from now on
};

// Safe to call from any thread.
class Copies {
 public:
  using Now = std::function<std::chrono::steady_clock::time_point()>;

  // `home` must outlive this. Connects on first use.
  Copies(Home& home, Now now, std::chrono::milliseconds patience = kCopyPatience);

  [[nodiscard]] bool empty() const { return copies_.empty(); }
  // The next standby to query, in turns; empty if all are skipped.
  [[nodiscard]] std::optional<std::size_t> choose();
  // Sends all queries to a standby in one round trip. Empty if it lacks the commit or anything else
  // fails: query home instead.
  [[nodiscard]] std::optional<std::vector<Result>> ask(std::size_t which, const Commit& commit,
                                                       std::span<const GroupQuery> asked);

  [[nodiscard]] std::vector<CopyUse> uses() const;
  [[nodiscard]] std::uint64_t round_trips() const;

 private:
  using Moment = std::chrono::steady_clock::time_point;
  struct Copy {
    explicit Copy(const Address& address) : connections(address) {}
    Connections connections;
    std::atomic<std::uint64_t> rounds{0};
    std::atomic<std::uint64_t> answered{0};
    mutable std::mutex mutex;
    Moment left{};
    Moment until{};
    std::chrono::milliseconds pause{0};
    std::string why;
  };

  // For a query sent at `asked`.
  void leave_alone(Copy& copy, Moment asked, RetryPause bounds, const std::string& why);

  Home& home_;
  Now now_;
  std::vector<std::unique_ptr<Copy>> copies_;  // one for each server in the address
  std::atomic<std::size_t> turn_{0};
};

}  // namespace chirp::postgres
