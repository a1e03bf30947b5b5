// Timelines: deliveries of fan-out, built timelines, and days of reads.
#include <algorithm>

#include "core/rules/content.h"
#include "core/rules/counters.h"
#include "core/rules/steps.h"

namespace chirp::rules {

using namespace tables;

namespace {

// A moving average over about eight measurements.
std::uint32_t averaged(std::uint32_t known, std::uint32_t measured) {
  if (measured == 0) return known;
  return static_cast<std::uint32_t>((std::uint64_t{known} * 7 + measured) / 8);
}

void drop_inactive(Rows& rows, std::span<const UserNumber> viewers, Time active_since) {
  for (const UserNumber viewer : viewers) {
    const auto head = rows.timeline(viewer);
    if (head && head->last_read < start_of_day(active_since)) rows.erase_timeline(viewer);
  }
}

void deliver_all(Rows& rows, std::span<const Delivery> deliveries,
                 std::vector<UserNumber>* passed_over) {
  std::vector<Entry> entries;
  while (!deliveries.empty()) {
    const UserNumber viewer = deliveries.front().viewer;
    entries.clear();
    while (!deliveries.empty() && deliveries.front().viewer == viewer) {
      entries.push_back({deliveries.front().post, deliveries.front().author, Origin::kPushed});
      deliveries = deliveries.subspan(1);
    }
    if (!rows.deliver(viewer, entries) && passed_over != nullptr) passed_over->push_back(viewer);
  }
}

void move_queue(Rows& rows, const FanOutStep& step) {
  std::uint64_t& length = rows.state().fan_out_queue;
  for (const FanOutRow& row : step.queue) {
    if (!rows.find(FanOutQueue::Key{row.sequence})) ++length;
    rows.put(FanOutQueue::Key{row.sequence}, row);
  }
  for (const Sequence done : step.finished) {
    if (rows.erase(FanOutQueue::Key{done})) --length;
  }
}

// Applies the marks that the cost rule decided.
void take_marks(Rows& rows, std::span<const feed::AuthorMark> marks) {
  for (const feed::AuthorMark& decided : marks) {
    feed::AuthorMark mark = mark_of(rows, decided.author);
    if (!rows.kept(decided.author)) continue;
    mark.push_from = decided.push_from;
    // Pushes from the next id on, which is above every stored id.
    if (mark.push_from != feed::kNeverPushed && mark.push_from != feed::kAlwaysPushed) {
      mark.push_from = rows.next_id();
    }
    put_mark(rows, mark);
  }
}

// Whether the walk covered all current followees, except removed ones.
bool covers(const Rows& rows, const BuiltTimeline& built) {
  const auto following =
      rows.range(Following::Key{built.viewer, kNobody}, Following::Key{built.viewer, kLastUser},
                 Direction::kUp, kNoLimit);
  return std::ranges::all_of(following, [&](const auto& edge) {
    const UserNumber followee = edge.first.followee;
    return std::ranges::binary_search(built.following, followee) ||
           (rows.state().removals != 0 && !rows.kept(followee));
  });
}

}  // namespace

bool take(Rows& rows, const FanOutStep& step, std::vector<UserNumber>* passed_over) {
  StoreState& state = rows.state();
  if (state.fan_out != step.from) return false;
  // The step left posts out because of its marks, which are invalid under another policy.
  if (!step.marks.empty() && state.settings.policy != feed::Policy::kCost) return false;
  drop_inactive(rows, step.drop_if_inactive, step.active_since);
  for (const UserNumber viewer : step.drop) rows.erase_timeline(viewer);
  deliver_all(rows, step.deliveries, passed_over);
  move_queue(rows, step);
  take_marks(rows, step.marks);
  state.delivery_ns = averaged(state.delivery_ns, step.delivery_ns);
  state.fan_out = step.to;
  state.fan_out_reach = std::max({state.fan_out_reach, step.to, step.reach});
  return true;
}

bool store(Rows& rows, const BuiltTimeline& built, Replace replace) {
  StoreState& state = rows.state();
  // A step after the walk has skipped this viewer, who had no valid timeline then.
  if (state.fan_out_reach > built.log_end || state.generation != built.timeline.generation) {
    return false;
  }
  const auto head = rows.timeline(built.viewer);
  if (!rows.kept(built.viewer)) return false;
  if (replace == Replace::kKeepValid && head && head->generation == state.generation) return false;
  if (!covers(rows, built)) return false;
  Timeline timeline = built.timeline;
  if (head) timeline.last_read = std::max(timeline.last_read, head->last_read);
  trim(timeline, state.settings.cap);
  rows.put_timeline(built.viewer, timeline);
  state.source_ns = averaged(state.source_ns, built.source_ns);
  return true;
}

bool note_read(Rows& rows, UserNumber viewer) {
  const auto head = rows.timeline(viewer);
  const Time today = start_of_day(rows.now());
  if (!head || head->last_read >= today) return false;
  rows.note_read(viewer, today);
  return true;
}

}  // namespace chirp::rules
