#include <algorithm>

#include "store/lmdb/cards.h"
#include "store/lmdb/content_counters.h"
#include "store/lmdb/counters.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/log.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

// A moving average over some eight measurements.
std::uint32_t averaged(std::uint32_t known, std::uint32_t measured) {
  if (measured == 0) return known;
  return static_cast<std::uint32_t>((std::uint64_t{known} * 7 + measured) / 8);
}

void drop_inactive(Batch& batch, std::span<const UserNumber> viewers, Time active_since) {
  for (const UserNumber viewer : viewers) {
    const auto head = read_head(batch.txn, viewer);
    if (head && head->last_read_day < day_of(active_since)) erase_timeline(batch, viewer);
  }
}

void deliver_all(Batch& batch, std::span<const Delivery> deliveries) {
  Deliverer deliverer(batch);
  std::vector<Entry> entries;
  while (!deliveries.empty()) {
    const UserNumber viewer = deliveries.front().viewer;
    entries.clear();
    while (!deliveries.empty() && deliveries.front().viewer == viewer) {
      entries.push_back({deliveries.front().post, deliveries.front().author, Origin::kPushed});
      deliveries = deliveries.subspan(1);
    }
    deliverer.deliver(viewer, entries);
  }
}

// An event of a moment when the clock was ahead goes with those around it.
bool is_old(Time moment, Time before, const StoreState& state) {
  return moment < before || state.passed.was_ahead(moment);
}

// What the cost rule decided, while that policy is in force.
void take_marks(Batch& batch, std::span<const feed::AuthorMark> marks) {
  if (batch.state.settings.policy != feed::Policy::kCost) return;
  for (const feed::AuthorMark& decided : marks) {
    if (!is_present(batch.txn, decided.author)) continue;
    feed::AuthorMark mark =
        read_mark(batch.txn, decided.author)
            .value_or(feed::AuthorMark{decided.author, feed::Tier::kRegular, {}});
    mark.push_from = decided.push_from;
    // Pushed again from an id that nothing stored is above, whatever was minted meanwhile.
    if (mark.push_from != feed::kNeverPushed && mark.push_from != feed::kAlwaysPushed) {
      mark.push_from = batch.next_id();
    }
    put_mark(batch, mark);
  }
}

}  // namespace

bool LmdbStorage::commit(const FanOutStep& step, Time now) {
  return run(now, [&](Batch& batch) {
    if (batch.state.fan_out != step.from) return Verdict::kNothing;
    drop_inactive(batch, step.drop_if_inactive, step.active_since);
    deliver_all(batch, step.deliveries);
    for (const FanOutRow& row : step.queue) {
      if (!batch.txn.get(Table::kFanOutQueue, key(row.sequence))) ++batch.state.fan_out_queue;
      put_fan_out_row(batch.txn, batch.record, row);
    }
    for (const Sequence done : step.finished) {
      if (batch.txn.erase(Table::kFanOutQueue, key(done))) --batch.state.fan_out_queue;
    }
    take_marks(batch, step.marks);
    batch.state.delivery_ns = averaged(batch.state.delivery_ns, step.delivery_ns);
    batch.state.fan_out = step.to;
    batch.state.fan_out_reach = std::max({batch.state.fan_out_reach, step.to, step.reach});
    return Verdict::kCommit;
  });
}

bool LmdbStorage::commit(const CounterStep& step, Time now) {
  return run(now, [&](Batch& batch) {
    if (batch.state.counters != step.from) return Verdict::kNothing;
    add_counters(batch, step.deltas);
    add_content_counters(batch, step.contents);
    batch.state.counters = step.to;
    return Verdict::kCommit;
  });
}

bool LmdbStorage::store(const BuiltTimeline& built, Replace replace, Time now) {
  const auto put = [&](Batch& batch) {
    const StoredState& state = batch.state;
    // A flush after the walk has passed by a viewer who had no valid timeline then.
    if (state.fan_out_reach > built.log_end || state.generation != built.timeline.generation) {
      return Verdict::kNothing;
    }
    if (!is_present(batch.txn, built.viewer)) return Verdict::kNothing;
    const auto head = read_head(batch.txn, built.viewer);
    if (replace == Replace::kKeepValid && head && head->generation == state.generation) {
      return Verdict::kNothing;
    }
    auto following = read_neighbours(batch.txn, Table::kFollowing, built.viewer);
    if (state.removals != 0) {
      std::erase_if(following, [&](UserNumber user) { return !is_present(batch.txn, user); });
    }
    if (!std::includes(built.following.begin(), built.following.end(), following.begin(),
                       following.end())) {
      return Verdict::kNothing;
    }
    Timeline timeline = built.timeline;
    if (head) timeline.last_read = std::max(timeline.last_read, time_of_day(head->last_read_day));
    trim(timeline, state.settings.cap);
    put_timeline(batch, built.viewer, timeline);
    batch.state.source_ns = averaged(state.source_ns, built.source_ns);
    return Verdict::kCommit;
  };
  const bool upkeep = replace == Replace::kKeepValid;
  return run(now, put, upkeep ? kUpkeep : std::chrono::milliseconds(limits::kBusyMs));
}

void LmdbStorage::note_read(UserNumber viewer, Time now) {
  const auto note = [&](Batch& batch) {
    const auto head = read_head(batch.txn, viewer);
    if (!head || head->last_read_day >= day_of(now)) return Verdict::kNothing;
    put_last_read(batch, viewer, now);
    return Verdict::kCommit;
  };
  run(now, note, kUpkeep);
}

std::uint64_t LmdbStorage::trim_log(Time before, std::uint32_t rows) {
  std::uint64_t dropped = 0;
  run({}, [&](Batch& batch) {
    const Sequence end = std::min(
        {batch.state.fan_out, batch.state.counters, batch.state.notifications, batch.state.trends});
    dropped = 0;
    while (dropped < rows && batch.state.log_first < end) {
      const auto k = key(batch.state.log_first);
      const auto value = batch.txn.get(Table::kEvents, k);
      if (value && !is_old(decode_event(k, *value).time, before, batch.state)) break;
      batch.txn.erase(Table::kEvents, k);
      ++batch.state.log_first.value;
      ++dropped;
    }
    return dropped > 0 ? Verdict::kCommit : Verdict::kNothing;
  });
  return dropped;
}

}  // namespace chirp::lmdb
