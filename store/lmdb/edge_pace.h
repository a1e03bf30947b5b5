// How many edges a transaction of a load takes: as many as take some limits::kLoadTransactionMs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

namespace chirp::lmdb {

// Follows what the last transactions took in time. Safe to use from any thread.
class EdgePace {
 public:
  [[nodiscard]] std::size_t at_once() const { return at_once_; }
  // A transaction that might take `at_once` edges took so many, in this time.
  void took(std::size_t edges, std::size_t at_once, std::chrono::duration<double, std::milli> time);

 private:
  std::atomic<std::size_t> at_once_{50'000};
};

}  // namespace chirp::lmdb
