// One write transaction: the writers' lock, what the rules lack, and what they have put.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/far/overlay.h"
#include "store/postgres/connection.h"
#include "store/postgres/edges.h"
#include "store/postgres/state.h"

namespace chirp::postgres {

class Batch {
 public:
  // Waits for the writers' lock, and reads the newest state: one round trip. Throws
  // Error{kUnavailable} for who has not had it in time.
  Batch(Connection& connection, std::chrono::milliseconds patience);

  [[nodiscard]] const StoredState& state() const { return state_; }
  // What this commit will be.
  [[nodiscard]] std::int64_t number() const { return point_of(state_).number + 1; }

  // One round trip, and more where answers lead to questions: edges that fill several chunks, and
  // chains of comments.
  void fetch(const far::Lacked& lacked, far::Known& known);
  // Queues all that was put; `writer` says whose commit it is. Timelines that have grown are put in
  // order at once.
  void write(far::Overlay& overlay, std::int64_t writer);
  // Says how many follows there are, as they are counted then: a commit of its own. True if it was
  // another number.
  [[nodiscard]] bool recount_follows(std::int64_t writer);
  // Sends what is queued, and ends the transaction.
  void commit() { connection_.commit(); }

 private:
  template <class T>
  void fetch_table(Questions& questions, const far::LackedOf<T>& lacked, far::KnownOf<T>& known);
  void fetch_chains(Questions& questions, const far::Lacked& lacked, far::Known& known);
  template <class T>
  void write_table(const far::WrittenOf<T>& written, const far::KnownOf<T>& known);
  void write_state(const StoredState& after, std::int64_t writer);
  std::int64_t write_edges(const far::Written& written);

  Connection& connection_;
  StoredState state_;
  EdgeChunks chunks_;
};

// Whose commit this number is, once nobody is at work on it; 0 if it is nobody's.
[[nodiscard]] std::int64_t writer_of(Connection& connection, std::int64_t number);

}  // namespace chirp::postgres
