// The writers' turn: its holder alone decides the next commit.
//
// In one database, turn and commit are one transaction. With several servers, a commit is *decided*
// by a transaction on home, which stores its number, its state, home's rows, and a journal of the
// writes for the other servers. It is final from then on: it is *applied* on each of them once,
// then *published*, and only then visible to readers or acknowledged. The next writer first
// finishes a commit that is decided but not published. The table `applied` on each server lists the
// applied commits; a missing one counts as applied up to a floor.
//
//   const auto home = cluster.home().lend();  // outlives the turn
//   const auto turn = take_turn(cluster, *home, {.patience = kPatience});
//   const auto rows = turn->ask(questions);
//   turn->commit(writes, state_after, writer);
//
// Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "store/postgres/cluster/cluster.h"
#include "store/postgres/connection/waiting.h"
#include "store/postgres/rows/state.h"
#include "store/postgres/rows/writes.h"

namespace chirp::postgres {

// The end of a part of a write transaction, where tests may cut the connection or end the writer.
enum class Step : std::uint8_t {
  kLocked,
  kFetched,
  kWritten,
  // With several servers: after home's transaction, after each server, and after publishing.
  kDecided,
  kApplied,
  kPublished,
  kCommitted
};
using AtStep = std::function<void(Step)>;

// Safeguards of a commit over several servers. Tests leave them out one at a time.
enum class Safeguard : std::uint8_t {
  kNone,
  kFinishing,    // a decided commit is applied and published before the next one
  kApplyBefore,  // a commit is applied everywhere before it is published
  kAppliedOnce,  // each server records what was applied there
  kNotTooLate,   // an apply that comes after its record was forgotten does nothing
  // Nothing is written if home, or another server, was restored to an older state.
  kNewestHome,
  kNothingLacks,
  // A worker that is queried early first reports its newest commit.
  kReachedFirst
};

struct TurnOptions {
  std::chrono::milliseconds patience{0};
  AtStep at_step = [](Step) {};
  Safeguard without = Safeguard::kNone;
  std::function<Time()> clock = machine_time;  // this machine's
  // If given, a turn in one database is rolled back with GaveWay as soon as another session waits
  // for the turn, or this returns true because a thread of this process does.
  std::function<bool()> is_waited_for{};
};

// Thrown when a turn ends so that a waiting writer goes first.
class GaveWay : public Error {
 public:
  GaveWay() : Error(ErrorCode::kUnavailable, "Another writer was let in first. Try again.") {}
};

class WriteTurn {
 public:
  // Rolls back unless committed, and releases the turn.
  virtual ~WriteTurn() = default;
  WriteTurn() = default;
  WriteTurn(const WriteTurn&) = delete;
  WriteTurn& operator=(const WriteTurn&) = delete;

  // The newest state.
  [[nodiscard]] const StoredState& state() const { return state_; }
  // The number of the next commit.
  [[nodiscard]] std::int64_t number() const {
    return static_cast<std::int64_t>(state_.version) + 1;
  }
  // One round trip; reads current rows.
  [[nodiscard]] virtual std::vector<Result> ask(std::span<const GroupQuery> asked) = 0;
  // Throws PostgresError{kUnavailable} if the connection is lost; the outcome may then be unknown.
  virtual void commit(const Writes& writes, const StoredState& after, std::int64_t writer) = 0;

 protected:
  StoredState state_;
};

// One round trip, or more if another writer's commit must be finished. `home` is a connection to
// home, reserved for the turn. Throws Error{kUnavailable} if the turn is not free in time, or if
// this machine's clock differs from home's (check_clock()).
[[nodiscard]] std::unique_ptr<WriteTurn> take_turn(Cluster& cluster, Connection& home,
                                                   TurnOptions options);

// Returns the writer of a commit; 0 if there is no such commit.
[[nodiscard]] std::int64_t writer_of(WriteTurn& turn, std::int64_t number);

// Raises the floor to a state, so that all its commits count as applied, and deletes their records
// except the group's newest.
void forget_applied(std::vector<GroupQuery>& asked, Group group, const StoredState& state);

}  // namespace chirp::postgres
