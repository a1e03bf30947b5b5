#include "server/engine/hashing_pool.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "server/limits.h"

namespace chirp {
namespace {

class PooledHasher final : public PasswordHasher {
 public:
  explicit PooledHasher(const PasswordHasher& inner) : inner_(inner) {
    const unsigned count = std::max(1U, std::thread::hardware_concurrency() / 2);
    for (unsigned i = 0; i < count; ++i) workers_.emplace_back([this] { work(); });
  }

  ~PooledHasher() override {
    {
      const std::lock_guard guard(mutex_);
      stopping_ = true;
    }
    arrived_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  PooledHasher(const PooledHasher&) = delete;
  PooledHasher& operator=(const PooledHasher&) = delete;

  [[nodiscard]] std::string hash(std::string_view password, unsigned cost) const override {
    return in_pool<std::string>([&] { return inner_.hash(password, cost); });
  }
  [[nodiscard]] bool matches(std::string_view password, std::string_view hash) const override {
    return in_pool<bool>([&] { return inner_.matches(password, hash); });
  }

 private:
  // The caller waits, so what it refers to stays.
  template <class Answer, class Job>
  Answer in_pool(const Job& job) const {
    auto task = std::make_shared<std::packaged_task<Answer()>>(job);
    auto answer = task->get_future();
    {
      const std::lock_guard guard(mutex_);
      if (jobs_.size() >= limits::kPasswordQueueMax) {
        throw Error(ErrorCode::kUnavailable,
                    "Too many passwords are being checked at once. Try again in a moment.");
      }
      jobs_.emplace_back([task] { (*task)(); });
    }
    arrived_.notify_one();
    return answer.get();
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      arrived_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      const auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      lock.lock();
    }
  }

  const PasswordHasher& inner_;
  mutable std::mutex mutex_;
  mutable std::condition_variable arrived_;
  mutable std::deque<std::function<void()>> jobs_;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace

std::unique_ptr<PasswordHasher> pool_hashing(const PasswordHasher& inner) {
  return std::make_unique<PooledHasher>(inner);
}

}  // namespace chirp
