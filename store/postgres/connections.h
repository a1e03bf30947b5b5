// Connections to one database for many threads: each call borrows one. Safe to call from any
// thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "store/postgres/connection.h"

namespace chirp::postgres {

class Connections {
 public:
  static constexpr std::size_t kAtMost = 16;

  explicit Connections(Address address, std::size_t at_most = kAtMost);

  // A transaction that is open when the loan ends is undone. Who has borrowed a connection borrows
  // no second one.
  class Loan {
   public:
    explicit Loan(Connections& all) : all_(all), lent_(all.take()) {}
    ~Loan() { all_.give_back(std::move(lent_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    [[nodiscard]] Connection& operator*() const { return *lent_; }
    [[nodiscard]] Connection* operator->() const { return lent_.get(); }

   private:
    Connections& all_;
    std::unique_ptr<Connection> lent_;
  };
  // Waits while all are lent. Throws PostgresError if there is no connecting, and
  // Error{kUnavailable} after limits::kBusyMs.
  [[nodiscard]] Loan lend() { return Loan(*this); }

  [[nodiscard]] const Address& address() const { return address_; }
  // Connections there are, and may be.
  [[nodiscard]] std::size_t open() const;
  [[nodiscard]] std::size_t at_most() const { return at_most_; }
  // Of all connections together.
  [[nodiscard]] std::uint64_t round_trips() const { return trips_; }
  // Moves when this process has changed something, before whoever changed it goes on.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  void note_change() { ++changes_; }

 private:
  std::unique_ptr<Connection> take();
  void give_back(std::unique_ptr<Connection> lent) noexcept;

  Address address_;
  std::size_t at_most_;
  std::atomic<std::uint64_t> trips_{0};
  std::atomic<std::uint64_t> changes_{0};
  mutable std::mutex mutex_;
  std::condition_variable returned_;
  std::size_t lent_ = 0;
  std::vector<std::unique_ptr<Connection>> idle_;  // the one used last is lent first
};

}  // namespace chirp::postgres
