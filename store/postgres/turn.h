// The writers' turn: who has it decides what the next commit is, and nobody else does meanwhile.
//
// In one database it is a transaction of it, and the commit is that transaction's. Over several the
// commit is *decided* by one transaction of home, with its number, its state, what is of home, and
// a journal of what the others are to write. From then on it is final: it is *applied* on each of
// them, once, and *published*, and only then read by anybody, or told to whoever wrote. Who takes
// the turn and finds a commit that is decided and not published finishes it first. `applied` says
// on each what was, up to which floor what is not there any more counts as well.
//
//   const auto home = cluster.home().lend();  // outlives the turn
//   const auto turn = take_turn(cluster, *home, {.patience = kPatience});
//   const auto rows = turn->ask(questions);
//   turn->commit(writes, state_after, writer);
//
// One thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "store/postgres/cluster.h"
#include "store/postgres/state.h"
#include "store/postgres/waiting.h"
#include "store/postgres/writes.h"

namespace chirp::postgres {

// The end of a part of a write transaction, at which a test may cut the line or end the writer.
enum class Step : std::uint8_t {
  kLocked,
  kFetched,
  kWritten,
  // Over several servers, after the commit's number is its own; each server; and all.
  kDecided,
  kApplied,
  kPublished,
  kCommitted
};
using AtStep = std::function<void(Step)>;

// What keeps a commit over several servers right, for tests that leave it out.
enum class Safeguard : std::uint8_t {
  kNone,
  kFinishing,    // what is decided and not published is applied and published before the next
  kApplyBefore,  // it is applied everywhere before it is published
  kAppliedOnce,  // each server says what was applied there
  kNotTooLate,   // and who comes after that was forgotten does nothing
  // Nothing is written where a server was put back to an older state: home, or another.
  kNewestHome,
  kNothingLacks,
  // Who is asked before it is known which state is read says first how far it has come.
  kReachedFirst
};

struct TurnOptions {
  std::chrono::milliseconds patience{0};
  AtStep at_step = [](Step) {};
  Safeguard without = Safeguard::kNone;
  std::function<Time()> clock = machine_time;  // of this machine
  // If given, a turn in one database ends with GaveWay, and nothing is written, as soon as another
  // session waits for its turn, or this says that a thread of this process does.
  std::function<bool()> is_waited_for{};
};

// Thrown when a turn ends so that a waiting writer goes first.
class GaveWay : public Error {
 public:
  GaveWay() : Error(ErrorCode::kUnavailable, "Another writer was let in first. Try again.") {}
};

class WriteTurn {
 public:
  // What is not committed is undone, and the turn is the next one's.
  virtual ~WriteTurn() = default;
  WriteTurn() = default;
  WriteTurn(const WriteTurn&) = delete;
  WriteTurn& operator=(const WriteTurn&) = delete;

  // The newest state.
  [[nodiscard]] const StoredState& state() const { return state_; }
  // What the next commit will be.
  [[nodiscard]] std::int64_t number() const {
    return static_cast<std::int64_t>(state_.version) + 1;
  }
  // In one round trip, of rows as they are.
  [[nodiscard]] virtual std::vector<Result> ask(std::span<const Asked> asked) = 0;
  // Throws PostgresError{kUnavailable} where it need not be known what came of it.
  virtual void commit(const Writes& writes, const StoredState& after, std::int64_t writer) = 0;

 protected:
  StoredState state_;
};

// One round trip, and more where another's commit is to be finished. The connection is home's, and
// the turn's until that ends. Throws Error{kUnavailable} for who has not had it in time, and on a
// machine whose clock is another than home's (check_clock()).
[[nodiscard]] std::unique_ptr<WriteTurn> take_turn(Cluster& cluster, Connection& home,
                                                   TurnOptions options);

// Whose the commit of a number is; 0 if it is nobody's.
[[nodiscard]] std::int64_t writer_of(WriteTurn& turn, std::int64_t number);

// The tables in which each server but home says what was applied.
[[nodiscard]] std::string applied_schema();
// What is applied up to a state need not be told apart any more: all of it counts as applied. The
// newest of a group stays.
void forget_applied(std::vector<Asked>& asked, Group group, const StoredState& state);

}  // namespace chirp::postgres
