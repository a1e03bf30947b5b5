#include "store/postgres/connections.h"

#include <utility>

#include "core/limits.h"

namespace chirp::postgres {

Connections::Connections(Address address, std::size_t at_most)
    : address_(std::move(address)), home_(address_), at_most_(at_most) {}

void Connections::begin_with(Beginning beginning) {
  const std::lock_guard guard(mutex_);
  beginning_ = std::move(beginning);
  idle_.clear();
}

std::unique_ptr<Connection> Connections::take() {
  Beginning begin;
  {
    std::unique_lock guard(mutex_);
    const auto is_free = [this] { return lent_ < at_most_; };
    if (!returned_.wait_for(guard, std::chrono::milliseconds(limits::kBusyMs), is_free)) {
      throw Error(ErrorCode::kUnavailable,
                  "All connections to the database have been at work for too long. Try again.");
    }
    ++lent_;
    begin = beginning_;
    if (const std::uint64_t doubts = home_.doubts(); idle_since_ != doubts) {
      // They are to another server, or to one that may have become another's copy.
      idle_.clear();
      idle_since_ = doubts;
    }
    while (!idle_.empty()) {
      auto last = std::move(idle_.back());
      idle_.pop_back();
      if (!last->has_ended()) return last;
    }
  }
  try {
    auto made = home_.connect(&trips_);
    if (begin) begin(*made);
    return made;
  } catch (...) {
    give_back(nullptr, 0);
    throw;
  }
}

std::size_t Connections::open() const {
  const std::lock_guard guard(mutex_);
  return lent_ + idle_.size();
}

void Connections::give_back(std::unique_ptr<Connection> lent, std::uint64_t doubts) noexcept {
  if (lent) lent->rollback();
  const bool usable = lent && !lent->broken();
  {
    const std::lock_guard guard(mutex_);
    --lent_;
    if (usable && doubts == home_.doubts()) {
      idle_.push_back(std::move(lent));
    } else {
      // The server may have been started anew: the others would fail one after the other.
      if (!usable && lent) idle_.clear();
    }
  }
  returned_.notify_one();
}

}  // namespace chirp::postgres
