// Calls a function after each commit, if one is set. Clear it before the receiver is destroyed:
// then the committing code may live longer. Safe to call from any thread.
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
