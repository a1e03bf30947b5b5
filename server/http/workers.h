// The threads of a lane and the bounded queue before them: a thread takes the first of the queue,
// or all of it where jobs are worked on together. Safe to call from any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace chirp::http {

template <class Job>
class Workers {
 public:
  // Each thread calls `make_work` once, and what that gives for the jobs that it has taken. Neither
  // may throw.
  using Work = std::function<void(std::vector<Job>&)>;

  // A thread takes so many jobs at once, if they are there.
  explicit Workers(std::size_t queue_max, std::size_t together = 1)
      : queue_max_(queue_max), together_(together) {}
  ~Workers() { stop(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void start(unsigned threads, const std::function<Work()>& make_work) {
    for (unsigned i = 0; i < threads; ++i) {
      threads_.emplace_back([this, make_work] { run(make_work()); });
    }
  }

  // False, and `job` untouched, if the queue is full.
  bool offer(Job& job) {
    {
      const std::lock_guard lock(mutex_);
      if (queue_.size() >= queue_max_) return false;
      queue_.push_back(std::move(job));
    }
    changed_.notify_one();
    return true;
  }

  [[nodiscard]] std::size_t queued() const {
    const std::lock_guard lock(mutex_);
    return queue_.size();
  }

  // Drops what is queued, waits for what is being worked on, and ends the threads.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
      queue_.clear();
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  void run(const Work& work) {
    std::vector<Job> taken;
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return over_ || !queue_.empty(); });
      if (over_) return;
      while (taken.size() < together_ && !queue_.empty()) {
        taken.push_back(std::move(queue_.front()));
        queue_.pop_front();
      }
      lock.unlock();
      work(taken);
      taken.clear();
      lock.lock();
    }
  }

  const std::size_t queue_max_;
  const std::size_t together_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> queue_;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace chirp::http
