// Threads that work on one task. join() throws the first error of any of them.
#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace chirp::cli::bench {

class Crew {
 public:
  Crew() = default;
  ~Crew() { wait(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void add(std::function<void()> work) {
    threads_.emplace_back([this, work = std::move(work)] {
      try {
        work();
      } catch (...) {
        const std::lock_guard guard(mutex_);
        if (!error_) error_ = std::current_exception();
      }
    });
  }
  void join() {
    wait();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void wait() {
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace chirp::cli::bench
