// Copies to read from. Rows are kept with the numbers they are seen from and until, so a copy that
// has replayed a commit answers for it as home does. It is asked whether it has, together with the
// questions themselves; who has not, or is away, is left alone for a while, and home is asked.
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

#include "store/postgres/connections.h"
#include "store/postgres/home.h"
#include "store/postgres/questions.h"

namespace chirp::postgres {

// How long a copy is left alone: twice as long each time, between these.
struct Pause {
  std::chrono::milliseconds least;
  std::chrono::milliseconds most;
};
inline constexpr Pause kLagPause{std::chrono::milliseconds(10), std::chrono::seconds(5)};
inline constexpr Pause kAwayPause{std::chrono::seconds(1), std::chrono::seconds(60)};
// One that is silent for so long in the middle of an answer is away.
inline constexpr std::chrono::seconds kCopyPatience{5};

// What came of asking one of the servers that the address names.
struct CopyUse {
  std::string name;
  std::uint64_t rounds = 0;               // in which it was asked, home's are not counted
  std::uint64_t answered = 0;             // in which it had what was asked for
  std::string left_alone{};               // why, in a sentence; empty for one that is asked
  std::chrono::milliseconds left_for{0};  // from now on
};

// Safe to call from any thread.
class Copies {
 public:
  using Now = std::function<std::chrono::steady_clock::time_point()>;

  // `home` outlives this. No connection is made before something is asked.
  Copies(Home& home, Now now, std::chrono::milliseconds patience = kCopyPatience);

  [[nodiscard]] bool empty() const { return copies_.empty(); }
  // One that may be asked, another each time; empty if all are left alone.
  [[nodiscard]] std::optional<std::size_t> choose();
  // All that is asked, in one round trip, if that copy has the commit. Empty if it has not, or
  // anything else went wrong with it: home is to be asked.
  [[nodiscard]] std::optional<std::vector<Result>> ask(std::size_t which, const Commit& commit,
                                                       std::span<const Asked> asked);

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

  // For who asked it at `asked`.
  void leave_alone(Copy& copy, Moment asked, Pause bounds, const std::string& why);

  Home& home_;
  Now now_;
  std::vector<std::unique_ptr<Copy>> copies_;  // one for each server that is named
  std::atomic<std::size_t> turn_{0};
};

}  // namespace chirp::postgres
