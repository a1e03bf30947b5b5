#include "store/postgres/cluster/connections.h"

#include <optional>
#include <utility>

#include "core/limits.h"
#include "core/ports/caller.h"
#include "store/deadline.h"

namespace chirp::postgres {

Connections::Connections(Address address, std::size_t at_most)
    : address_(std::move(address)), home_(address_), at_most_(at_most) {}

void Connections::begin_with(Beginning beginning) {
  const std::lock_guard guard(mutex_);
  beginning_ = std::move(beginning);
  idle_.clear();
}

class Connections::Attempt {
 public:
  // Throws Error{kUnavailable} if this caller need not try.
  explicit Attempt(Connections& all) : all_(all), begun_ns_(store::machine_clock().steady_ns()) {
    if (!all_.address_.waits) return;
    const std::lock_guard guard(all_.mutex_);
    if (!all_.is_silent_) return;
    if (all_.is_tried_ || begun_ns_ < all_.try_at_ns_) {
      throw Error(ErrorCode::kUnavailable,
                  "The database does not answer. It is asked again each second.");
    }
    all_.is_tried_ = is_one_ = true;
    soon_.emplace(begun_ns_ + std::chrono::nanoseconds(kTrial).count());
  }
  ~Attempt() {
    if (!all_.address_.waits) return;
    const std::lock_guard guard(all_.mutex_);
    const std::int64_t now = store::machine_clock().steady_ns();
    // A refusal comes at once, so a slow failure means silence.
    const bool was_silent =
        !has_succeeded_ && std::chrono::nanoseconds(now - begun_ns_) >= kSilence;
    if (has_succeeded_ || was_silent || is_one_) all_.is_silent_ = was_silent;
    all_.try_at_ns_ = now + std::chrono::nanoseconds(kPause).count();
    if (is_one_) all_.is_tried_ = false;
  }
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;
  void succeeded() { has_succeeded_ = true; }

 private:
  static constexpr std::chrono::milliseconds kTrial{2'000};
  static constexpr std::chrono::milliseconds kSilence{1'500};
  static constexpr std::chrono::milliseconds kPause{1'000};

  Connections& all_;
  const std::int64_t begun_ns_;
  std::optional<CallerDeadline> soon_;
  bool is_one_ = false;
  bool has_succeeded_ = false;
};

std::unique_ptr<Connection> Connections::take() {
  Beginning begin;
  {
    std::unique_lock guard(mutex_);
    const auto is_free = [this] { return lent_ < at_most_; };
    const auto patience = left_of(std::chrono::milliseconds(limits::kBusyMs));
    if (!returned_.wait_for(guard, patience, is_free)) {
      throw Error(ErrorCode::kUnavailable,
                  "All connections to the database have been at work for too long. Try again.");
    }
    ++lent_;
    begin = beginning_;
    if (const std::uint64_t doubts = home_.doubts(); idle_since_ != doubts) {
      // They may be to another server, or to one that has become a standby.
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
    Attempt attempt(*this);
    auto made = home_.connect(&trips_);
    if (begin) begin(*made);
    attempt.succeeded();
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
      // The server may have restarted, and then all other connections are lost too.
      if (!usable && lent) idle_.clear();
    }
  }
  returned_.notify_one();
}

}  // namespace chirp::postgres
