#include <algorithm>
#include <limits>

#include "core/events/consumers.h"
#include "core/rules/writing.h"

namespace chirp::events {
namespace {

// What one transaction of fan-out should take: other writers wait behind it.
constexpr std::uint64_t kTransactionNs = 100'000'000;
constexpr std::uint64_t kPartMin = 20'000;
// Fewer deliveries than these say more of the cost of a commit than of theirs.
constexpr std::size_t kDeliveriesToMeasure = 5'000;

std::size_t part_size(const StoreState& state) {
  const std::uint64_t each = std::max<std::uint64_t>(state.delivery_ns, 1);
  return static_cast<std::size_t>(std::max(kTransactionNs / each, kPartMin));
}

std::uint32_t per_delivery_ns(std::int64_t elapsed_ns, std::size_t deliveries) {
  if (deliveries < kDeliveriesToMeasure || elapsed_ns <= 0) return 0;
  const auto each = static_cast<std::uint64_t>(elapsed_ns) / deliveries;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(each, 1, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

FanOut::FanOut(Storage& storage, const Clock& clock, FanOutBounds bounds)
    : storage_(storage), clock_(clock), gatherer_(Bindings(kBindings), bounds) {}

Progress FanOut::step() {
  auto snapshot = storage_.snapshot();
  auto gathered = gatherer_.gather(*snapshot, clock_.now());
  if (!gathered) return Progress::kIdle;
  const std::size_t part = part_size(snapshot->state());
  snapshot.reset();  // an old state held through a commit keeps its pages from being used again
  return flush(*gathered, part);
}

Progress FanOut::flush(Gathered& gathered, std::size_t part) {
  while (auto step = gathered.next_part(part)) {
    step->delivery_ns = delivery_ns_;
    const std::int64_t start = clock_.steady_ns();
    if (!rules::commit(storage_, *step, clock_.now())) return Progress::kOvertaken;
    deliveries_ += step->deliveries.size();
    delivery_ns_ = per_delivery_ns(clock_.steady_ns() - start, step->deliveries.size());
  }
  return Progress::kMoved;
}

}  // namespace chirp::events
