// Waiting for what other threads do, without a sleep that is either too long or too short.
#pragma once

#include <chrono>
#include <thread>

namespace chirp::test {

// Looks again and again until `holds()`; false if that takes longer than anything may.
template <class Condition>
[[nodiscard]] bool eventually(Condition holds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace chirp::test
