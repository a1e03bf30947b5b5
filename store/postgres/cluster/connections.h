// A connection pool for one database; each call borrows a connection. If the address names several
// servers, it connects to the one that accepts writes (home.h). Safe to call from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "store/postgres/cluster/home.h"
#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

class Connections {
 public:
  static constexpr std::size_t kAtMost = 16;

  explicit Connections(Address address, std::size_t at_most = kAtMost);

  // A transaction that is open when the loan ends is rolled back. A borrower must not borrow a
  // second connection.
  class Loan {
   public:
    explicit Loan(Connections& all) : all_(all), doubts_(all.home_.doubts()), lent_(all.take()) {}
    ~Loan() { all_.give_back(std::move(lent_), doubts_); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    [[nodiscard]] Connection& operator*() const { return *lent_; }
    [[nodiscard]] Connection* operator->() const { return lent_.get(); }

   private:
    Connections& all_;
    std::uint64_t doubts_;  // doubts() of home before the loan
    std::unique_ptr<Connection> lent_;
  };
  // Waits while all connections are lent. Throws PostgresError if connecting fails, and
  // Error{kUnavailable} after limits::kBusyMs.
  [[nodiscard]] Loan lend() { return Loan(*this); }
  // Returns what `ask` reads from a connection. Retries once on another if the connection is lost,
  // as after a restart of the server.
  template <class Ask>
  auto read(Ask ask) {
    {
      const auto lent = lend();
      try {
        return ask(*lent);
      } catch (const PostgresError&) {
        if (!lent->broken()) throw;
      }
    }
    return ask(*lend());
  }

  [[nodiscard]] const Address& address() const { return address_; }
  // Runs this first on each new connection, and drops the connection if it throws. Connections that
  // are lent now are not affected.
  using Beginning = std::function<void(Connection&)>;
  void begin_with(Beginning beginning);

  [[nodiscard]] Home& home() { return home_; }
  // Open connections.
  [[nodiscard]] std::size_t open() const;
  [[nodiscard]] std::size_t at_most() const { return at_most_; }
  // Returns the round trips of all connections together.
  [[nodiscard]] std::uint64_t round_trips() const { return trips_; }
  // Incremented when this process may have committed a change, before the call returns.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  void note_change() { ++changes_; }

 private:
  std::unique_ptr<Connection> take();
  // While the server answers no connection attempt, one caller at a time retries now and then. The
  // others fail at once.
  class Attempt;
  void give_back(std::unique_ptr<Connection> lent, std::uint64_t doubts) noexcept;

  Address address_;
  Home home_;
  std::size_t at_most_;
  std::atomic<std::uint64_t> trips_{0};
  std::atomic<std::uint64_t> changes_{0};
  mutable std::mutex mutex_;
  std::condition_variable returned_;
  std::size_t lent_ = 0;
  bool is_silent_ = false;  // all tries got no answer, not even a refusal
  bool is_tried_ = false;   // one caller is trying now
  std::int64_t try_at_ns_ = 0;
  Beginning beginning_;
  std::vector<std::unique_ptr<Connection>> idle_;  // the most recently used is lent first
  std::uint64_t idle_since_ = 0;                   // doubts() of home when they were made
};

}  // namespace chirp::postgres
