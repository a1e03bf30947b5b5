#include <algorithm>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/events/consumers.h"
#include "core/rules/steps.h"
#include "core/rules/writing.h"

namespace chirp::events {
namespace {

// The time of fewer deliveries is mostly that of the commit.
constexpr std::size_t kDeliveriesToMeasure = 5'000;

std::uint32_t per_delivery_ns(std::int64_t elapsed_ns, std::size_t deliveries) {
  if (elapsed_ns <= 0) return 0;
  const auto each = static_cast<std::uint64_t>(elapsed_ns) / deliveries;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(each, 1, std::numeric_limits<std::uint32_t>::max()));
}

// Both are sorted by viewer.
void leave_out(std::vector<Delivery>& deliveries, std::span<const UserNumber> viewers) {
  if (viewers.empty()) return;
  std::erase_if(deliveries, [&](const Delivery& delivery) {
    while (!viewers.empty() && viewers.front() < delivery.viewer) viewers = viewers.subspan(1);
    return !viewers.empty() && viewers.front() == delivery.viewer;
  });
}

// How many timelines got each post.
std::vector<PostDeliveries> by_post(std::span<const Delivery> deliveries) {
  std::unordered_map<std::uint64_t, PostDeliveries> posts;
  for (const Delivery& delivery : deliveries) {
    PostDeliveries& post = posts[delivery.post.value];
    post.post = delivery.post;
    post.author = delivery.author;
    ++post.timelines;
  }
  std::vector<PostDeliveries> sorted;
  sorted.reserve(posts.size());
  for (const auto& [id, post] : posts) sorted.push_back(post);
  std::ranges::sort(sorted, {}, &PostDeliveries::post);
  return sorted;
}

}  // namespace

FanOut::FanOut(Storage& storage, const Clock& clock, FanOutBounds bounds, rules::TurnRows rows,
               const ReadRates& rates)
    : storage_(storage),
      clock_(clock),
      gatherer_(Bindings(kBindings), bounds, rates),
      turns_(storage, clock, rows),
      large_(bounds.large) {}

Progress FanOut::step() { return go_on(std::numeric_limits<std::int64_t>::max()); }

Progress FanOut::go_on(std::int64_t for_ns) {
  const std::int64_t start = clock_.steady_ns();
  // Not stored here while its parts are handed out: after an error all of it is gathered again,
  // since it is unknown which parts are stored.
  std::optional<Gathered> work = std::exchange(gathered_, std::nullopt);
  if (!work) {
    const Progress progress = gather(work);
    if (progress != Progress::kMoved) return progress;
  }
  do {
    auto step = work->next_part(turns_.rows());
    if (!step) return Progress::kMoved;
    if (!flush(*step, work->is_done() ? &work->outline() : nullptr)) return Progress::kOvertaken;
  } while (clock_.steady_ns() - start < for_ns);
  gathered_ = std::move(work);
  return Progress::kMoved;
}

Progress FanOut::gather(std::optional<Gathered>& work) {
  // A snapshot that is held during a commit keeps its pages from being reused.
  work = gatherer_.gather(*storage_.snapshot(), clock_.now());
  if (!work) return Progress::kIdle;
  is_large_ = large_ != 0 && work->deliveries() >= large_;
  if (!is_large_) return Progress::kMoved;
  if (!rules::commit(turns_.storage(), work->announcement(), clock_.now())) {
    return Progress::kOvertaken;
  }
  work->leave_out_absent(*storage_.snapshot());
  return Progress::kMoved;
}

// False if another process has moved the offset. The outline is passed with the last part of a
// step.
bool FanOut::flush(FanOutStep& step, const StepOutline* outline) {
  const std::size_t deliveries = step.deliveries.size();
  step.drop = leave_out_unread(step.deliveries);
  step.delivery_ns = std::exchange(delivery_ns_, 0);
  std::int64_t start = 0;
  std::vector<UserNumber> passed_over;
  const bool taken = turns_.storage().decide(clock_.now(), Purpose::kFanOut, [&](Rows& rows) {
    start = clock_.steady_ns();  // waiting for the turn is not a cost of a delivery
    passed_over.clear();         // may be left from a turn that was repeated
    return rules::take(rows, step, &passed_over);
  });
  if (!taken) return false;
  const std::int64_t took_ns = clock_.steady_ns() - start;
  leave_out(step.deliveries, passed_over);
  deliveries_ += step.deliveries.size();
  if (step.drop.empty()) measure(took_ns, deliveries);
  if (observer_) report(step, outline, took_ns);
  turns_.took(deliveries);
  return true;
}

void FanOut::report(const FanOutStep& step, const StepOutline* outline,
                    std::int64_t took_ns) const {
  DeliveryReport report;
  report.delivered = by_post(step.deliveries);
  report.took_ns = took_ns;
  if (outline != nullptr) {
    report.finished = outline->finished;
    report.fetched = outline->fetched;
  }
  if (!report.delivered.empty() || !report.finished.empty() || !report.fetched.empty()) {
    observer_(report);
  }
}

// A single turn may be too short to measure, so several are measured together.
void FanOut::measure(std::int64_t took_ns, std::size_t deliveries) {
  measured_ns_ += took_ns;
  measured_ += deliveries;
  if (measured_ < kDeliveriesToMeasure) return;
  delivery_ns_ = per_delivery_ns(measured_ns_, measured_);
  measured_ns_ = 0;
  measured_ = 0;
}

void FanOut::note_read(UserNumber viewer) {
  if (large_ == 0) return;
  if (readings_.size() <= viewer.value) readings_.resize(std::size_t{viewer.value} + 1);
  readings_[viewer.value] = kStepsAfterRead;
}

// Removes the deliveries to viewers whose timelines are dropped instead, and returns these viewers.
std::vector<UserNumber> FanOut::leave_out_unread(std::vector<Delivery>& deliveries) {
  std::vector<UserNumber> unread;
  if (!is_large_ || deliveries.empty()) return unread;
  const std::size_t viewers = std::size_t{deliveries.back().viewer.value} + 1;
  if (readings_.size() < viewers) readings_.resize(viewers);
  UserNumber viewer = kNobody;
  bool stays = false;
  std::erase_if(deliveries, [&](const Delivery& delivery) {
    if (delivery.viewer != viewer) {
      viewer = delivery.viewer;
      std::uint8_t& left = readings_[viewer.value];
      stays = left != 0;
      if (stays) {
        --left;
      } else {
        unread.push_back(viewer);
      }
    }
    return !stays;
  });
  return unread;
}

}  // namespace chirp::events
