// What the consumers of the log keep: timelines, counters, offsets; and the end of the log itself.
#include <algorithm>

#include "core/error.h"
#include "store/memory/content.h"
#include "store/memory/storage.h"

namespace chirp::memory {
namespace {

// A measurement moves what is kept an eighth of the way.
std::uint32_t averaged(std::uint32_t kept, std::uint32_t measured) {
  if (measured == 0) return kept;
  return static_cast<std::uint32_t>((std::uint64_t{kept} * 7 + measured) / 8);
}

void deliver(State& state, std::span<const Delivery> deliveries) {
  std::map<UserNumber, std::vector<Entry>> batches;
  for (const Delivery& delivery : deliveries) {
    batches[delivery.viewer].push_back({delivery.post, delivery.author, Origin::kPushed});
  }
  for (auto& [viewer, entries] : batches) {
    Timeline* timeline = valid_timeline(state, viewer);
    if (timeline == nullptr) continue;
    std::erase_if(entries, [&](const Entry& e) { return e.id < timeline->complete_from; });
    if (entries.empty()) continue;  // nothing is written, so nothing is trimmed
    std::sort(entries.begin(), entries.end(), newer);
    const auto same = [](const Entry& a, const Entry& b) { return a.id == b.id; };
    entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
    merge_entries(*timeline, entries, state.scalars.settings.cap);
  }
}

void drop_inactive(State& state, std::span<const UserNumber> viewers, Time active_since) {
  for (const UserNumber viewer : viewers) {
    const auto found = state.timelines.find(viewer);
    if (found != state.timelines.end() && found->second.last_read < day_of(active_since)) {
      state.timelines.erase(found);
    }
  }
}

// The cost rule moves marks; tiers are the counters' to move, and another policy has no use for it.
void decide_marks(State& state, std::span<const feed::AuthorMark> marks) {
  if (state.scalars.settings.policy != feed::Policy::kCost) return;
  for (const feed::AuthorMark& mark : marks) {
    if (!present(state, mark.author)) continue;
    const bool finite =
        mark.push_from != feed::kAlwaysPushed && mark.push_from != feed::kNeverPushed;
    put_mark(state, {mark.author, mark_of(state, mark.author).tier,
                     finite ? next_id(state) : mark.push_from});
  }
}

bool storable(const State& state, const BuiltTimeline& built) {
  if (!present(state, built.viewer)) return false;
  if (state.scalars.fan_out_reach > built.log_end) return false;
  if (state.scalars.generation != built.timeline.generation) return false;
  const auto edges = state.following.find(built.viewer);
  if (edges == state.following.end()) return true;
  return std::all_of(edges->second.begin(), edges->second.end(), [&](const auto& edge) {
    return std::binary_search(built.following.begin(), built.following.end(), edge.first) ||
           !present(state, edge.first);
  });
}

}  // namespace

bool MemoryStorage::commit(const FanOutStep& step, Time) {
  return transact([&](State& state) {
    if (state.scalars.fan_out != step.from) return false;
    check(step.to >= step.from && step.to <= state.scalars.log_end,
          "a consumer moves forward, inside the log");
    state.scalars.fan_out = step.to;
    state.scalars.fan_out_reach = std::max({state.scalars.fan_out_reach, step.to, step.reach});
    drop_inactive(state, step.drop_if_inactive, step.active_since);
    deliver(state, step.deliveries);
    for (const FanOutRow& row : step.queue) state.queue[row.sequence] = row;
    for (const Sequence finished : step.finished) state.queue.erase(finished);
    decide_marks(state, step.marks);
    state.scalars.delivery_ns = averaged(state.scalars.delivery_ns, step.delivery_ns);
    return true;
  });
}

bool MemoryStorage::commit(const CounterStep& step, Time now) {
  return transact([&](State& state) {
    if (state.scalars.counters != step.from) return false;
    check(step.to >= step.from && step.to <= state.scalars.log_end,
          "a consumer moves forward, inside the log");
    state.scalars.counters = step.to;
    for (const CounterDelta& delta : step.deltas) {
      add_counters(state, delta.user, {delta.followers, delta.following, delta.posts});
      retier(state, delta.user, now);
    }
    for (const ContentDelta& delta : step.contents) {
      add_content_counters(state, delta.content, delta.change);
    }
    return true;
  });
}

bool MemoryStorage::store(const BuiltTimeline& built, Replace replace, Time) {
  return transact([&](State& state) {
    if (!storable(state, built)) return false;
    if (replace == Replace::kKeepValid && valid_timeline(state, built.viewer) != nullptr) {
      return false;
    }
    Timeline timeline = built.timeline;
    trim(timeline, state.scalars.settings.cap);
    timeline.last_read = day_of(timeline.last_read);
    Timeline& stored = state.timelines[built.viewer];
    timeline.last_read = std::max(timeline.last_read, stored.last_read);
    stored = std::move(timeline);
    state.scalars.source_ns = averaged(state.scalars.source_ns, built.source_ns);
    return true;
  });
}

void MemoryStorage::drop_timeline(UserNumber viewer) {
  transact([&](State& state) { state.timelines.erase(viewer); });
}

void MemoryStorage::note_read(UserNumber viewer, Time now) {
  transact([&](State& state) {
    const auto found = state.timelines.find(viewer);
    if (found == state.timelines.end()) return;
    found->second.last_read = std::max(found->second.last_read, day_of(now));
  });
}

bool MemoryStorage::mark_feed(UserNumber user, PostId up_to) {
  return transact([&](State& state) {
    if (!present(state, user)) return false;
    state.readers[user].feed = up_to;
    return true;
  });
}

std::uint64_t MemoryStorage::trim_log(Time before, std::uint32_t rows) {
  return transact([&](State& state) {
    StoreState& scalars = state.scalars;
    const Sequence needed =
        std::min({scalars.fan_out, scalars.counters, scalars.notifications, scalars.trends});
    std::uint64_t dropped = 0;
    while (dropped < rows && scalars.log_first < needed) {
      const Time moment = state.log.at(scalars.log_first).time;
      if (moment >= before && !scalars.passed.was_ahead(moment)) break;
      state.log.erase(scalars.log_first);
      ++scalars.log_first.value;
      ++dropped;
    }
    return dropped;
  });
}

}  // namespace chirp::memory
