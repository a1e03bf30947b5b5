// The number of edges in a load's transaction, so that it takes about limits::kLoadTransactionMs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

namespace chirp::lmdb {

// Adapts to the time of the last transactions. Safe to use from any thread.
class EdgePace {
 public:
  [[nodiscard]] std::size_t at_once() const { return at_once_; }
  // A transaction that could take `at_once` edges took `edges` of them, in this time.
  void took(std::size_t edges, std::size_t at_once, std::chrono::duration<double, std::milli> time);

 private:
  std::atomic<std::size_t> at_once_{50'000};
};

}  // namespace chirp::lmdb
