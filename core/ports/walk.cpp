#include "core/ports/walk.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace chirp {
namespace {

constexpr std::int64_t kLookNs = 100'000'000;

}  // namespace

Walk::Walk(Snapshot& snapshot, const Clock& clock, WalkOptions options)
    : snapshot_(snapshot),
      clock_(&clock),
      options_(std::move(options)),
      taken_ns_(clock.steady_ns()),
      looked_ns_(taken_ns_) {}

void Walk::plan(std::vector<std::uint64_t> parts) {
  parts_ = std::move(parts);
  total_ = std::accumulate(parts_.begin(), parts_.end(), std::uint64_t{0});
}

void Walk::begin_part() {
  if (part_ > 0 && part_ <= parts_.size()) before_ += parts_[part_ - 1];
  ++part_;
  rows_ = 0;
  if (clock_ != nullptr) tell(clock_->steady_ns());
}

void Walk::tell(std::int64_t now) {
  looked_ns_ = now;
  if (!options_.reached) return;
  const std::uint64_t planned = part_ > 0 && part_ <= parts_.size() ? parts_[part_ - 1] : 0;
  options_.reached(before_ + std::min(rows_, planned), total_);
}

bool Walk::look() {
  const std::int64_t now = clock_->steady_ns();
  const bool is_late = now - taken_ns_ >= options_.state_ns;
  if (!is_late) {
    if (now - looked_ns_ < kLookNs) return false;
    tell(now);
    if (snapshot_.held_back() < options_.held_bytes) return false;
  }
  if (now - looked_ns_ >= kLookNs) tell(now);
  if (options_.between) options_.between();
  taken_ns_ = now;
  if (!snapshot_.renew()) return false;
  ++states_;
  return true;
}

}  // namespace chirp
