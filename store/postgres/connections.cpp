#include "store/postgres/connections.h"

#include <utility>

#include "core/limits.h"
#include "store/postgres/connecting.h"

namespace chirp::postgres {

Connections::Connections(Address address, std::size_t at_most)
    : address_(std::move(address)), at_most_(at_most) {
  check_url(address_.url);
}

std::unique_ptr<Connection> Connections::take() {
  {
    std::unique_lock guard(mutex_);
    const auto is_free = [this] { return lent_ < at_most_; };
    if (!returned_.wait_for(guard, std::chrono::milliseconds(limits::kBusyMs), is_free)) {
      throw Error(ErrorCode::kUnavailable,
                  "All connections to the database have been at work for too long. Try again.");
    }
    ++lent_;
    if (!idle_.empty()) {
      auto last = std::move(idle_.back());
      idle_.pop_back();
      return last;
    }
  }
  try {
    return std::make_unique<Connection>(address_, &trips_);
  } catch (...) {
    give_back(nullptr);
    throw;
  }
}

std::size_t Connections::open() const {
  const std::lock_guard guard(mutex_);
  return lent_ + idle_.size();
}

void Connections::give_back(std::unique_ptr<Connection> lent) noexcept {
  if (lent) lent->rollback();
  const bool usable = lent && !lent->broken();
  {
    const std::lock_guard guard(mutex_);
    --lent_;
    if (usable) {
      idle_.push_back(std::move(lent));
    } else {
      // The server may have been started anew: the others would fail one after the other.
      if (lent) idle_.clear();
    }
  }
  returned_.notify_one();
}

}  // namespace chirp::postgres
