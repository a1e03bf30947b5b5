// Calls a function after each commit; nothing before one is set, and after it is cleared. So who
// commits may outlive whom it tells. Safe to call from any thread.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace chirp {

class CommitListener {
 public:
  void set(std::function<void()> call) {
    const std::lock_guard guard(mutex_);
    call_ = std::move(call);
  }
  void clear() { set({}); }
  void notify() {
    const std::lock_guard guard(mutex_);
    if (call_) call_();
  }

 private:
  std::mutex mutex_;
  std::function<void()> call_;
};

}  // namespace chirp
