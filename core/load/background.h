// Works on batches in a separate thread, one at a time, while the caller makes the next one.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace chirp::load {

// Holds one batch in work and at most one waiting, so that memory is bounded and neither side waits
// for long. Use it from one thread.
template <class Batch>
class Background {
 public:
  // `work` is called in the background, in the order of push.
  explicit Background(std::function<void(Batch)> work)
      : work_(std::move(work)), thread_([this] { run(); }) {}
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  // Waits for room. Rethrows what `work` has thrown; later batches are not worked on.
  void push(Batch batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_ || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    waiting_.emplace(std::move(batch));
    changed_.notify_all();
  }

  // Waits until all is done. Rethrows what `work` has thrown.
  void drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return (!waiting_ && !busy_) || failure_; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return waiting_ || closed_; });
      if (!waiting_ || failure_) return;
      Batch batch = std::move(*waiting_);
      waiting_.reset();
      busy_ = true;
      changed_.notify_all();
      lock.unlock();
      std::exception_ptr failure;
      try {
        work_(std::move(batch));
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      busy_ = false;
      failure_ = failure;
      changed_.notify_all();
      if (failure_) return;
    }
  }

  std::function<void(Batch)> work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Batch> waiting_;
  std::exception_ptr failure_;
  bool busy_ = false;
  bool closed_ = false;
  std::thread thread_;  // last: it uses the members above
};

}  // namespace chirp::load
