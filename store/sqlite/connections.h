// Connections to one file for many threads: each call borrows one, so that a sign-up's sync delays
// no look-up. Safe to call from any thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "store/sqlite/connection.h"

namespace chirp::sqlite {

class Connections {
 public:
  // Starts with this one, and opens others when all are borrowed.
  explicit Connections(std::unique_ptr<Connection> first);

  // A borrower must not pass it to other threads, and must not borrow a second one.
  class Loan {
   public:
    explicit Loan(Connections& all) : all_(all), lent_(all.take()) {}
    ~Loan() { all_.give_back(std::move(lent_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    [[nodiscard]] Connection& operator*() const { return *lent_; }

   private:
    Connections& all_;
    std::unique_ptr<Connection> lent_;
  };
  [[nodiscard]] Loan lend() { return Loan(*this); }

  // Sets the watch and the reserve of all connections. Call it before several threads borrow them.
  void watch(store::DirectoryWatch* watch, store::DiskReserve* reserve);

  [[nodiscard]] FileAccess access() const { return access_; }
  [[nodiscard]] bool is_copy() const { return is_copy_; }
  // Returns the number of connections opened so far.
  [[nodiscard]] unsigned opened() const { return opened_; }

 private:
  std::unique_ptr<Connection> take();
  void give_back(std::unique_ptr<Connection> lent);

  std::filesystem::path file_;
  FileAccess access_;
  bool is_copy_;
  store::DirectoryWatch* watch_ = nullptr;
  store::DiskReserve* reserve_ = nullptr;
  std::atomic<unsigned> opened_{1};
  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_;  // the last used one is lent first
};

}  // namespace chirp::sqlite
