// Connections to one database for many threads: each call borrows one. Of several servers that its
// address names they are to the one that takes changes (home.h). Safe to call from any thread.
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

#include "store/postgres/connection.h"
#include "store/postgres/home.h"

namespace chirp::postgres {

class Connections {
 public:
  static constexpr std::size_t kAtMost = 16;

  explicit Connections(Address address, std::size_t at_most = kAtMost);

  // A transaction that is open when the loan ends is undone. Who has borrowed a connection borrows
  // no second one.
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
    std::uint64_t doubts_;  // of home, before it was lent
    std::unique_ptr<Connection> lent_;
  };
  // Waits while all are lent. Throws PostgresError if there is no connecting, and
  // Error{kUnavailable} after limits::kBusyMs.
  [[nodiscard]] Loan lend() { return Loan(*this); }
  // Returns what `ask` reads from a connection. If the connection is lost, reads once more on
  // another: a restarted server or a cut line is no reason to fail.
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
  // Connections there are, and may be.
  [[nodiscard]] std::size_t open() const;
  [[nodiscard]] std::size_t at_most() const { return at_most_; }
  // Returns the round trips of all connections together.
  [[nodiscard]] std::uint64_t round_trips() const { return trips_; }
  // Increases when this process has changed something, before the changing call returns.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  void note_change() { ++changes_; }

 private:
  std::unique_ptr<Connection> take();
  // While the server is silent to all who connect, one caller at a time tries now and then. The
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
  std::vector<std::unique_ptr<Connection>> idle_;  // the one used last is lent first
  std::uint64_t idle_since_ = 0;                   // the doubts of home after which they were made
};

}  // namespace chirp::postgres
