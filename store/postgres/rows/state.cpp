#include "store/postgres/rows/state.h"

#include <algorithm>
#include <mutex>
#include <random>

#include "core/error.h"

namespace chirp::postgres {
namespace {

// Visits every number of the state. The order is permanent: append new numbers.
template <class State, class Visit>
void each_number(State& state, Visit visit) {
  visit(state.generation);
  visit(state.push_from_all.value);
  visit(state.last_id.value);
  visit(state.log_first.value);
  visit(state.log_end.value);
  visit(state.fan_out.value);
  visit(state.fan_out_reach.value);
  visit(state.counters.value);
  visit(state.notifications.value);
  visit(state.trends.value);
  visit(state.removals);
  visit(state.post_removals);
  visit(state.relations);
  visit(state.fan_out_queue);
  visit(state.delivery_ns);
  visit(state.source_ns);
  visit(state.unlogged);
  visit(state.passed.until.ms);
  visit(state.passed.leap.ms);
  visit(state.settings.policy);
  visit(state.settings.cap);
  visit(state.settings.influencer_from);
  visit(state.settings.celebrity_above);
  visit(state.settings.active_days);
  visit(state.settings.log_keep_ms);
  visit(state.follows);
}

}  // namespace

std::string packed_state(const StoredState& state) {
  Packer out;
  each_number(state, [&](const auto& number) { out.varint(static_cast<std::uint64_t>(number)); });
  return out.bytes();
}

StoredState unpack_state(std::string_view bytes, std::uint64_t number) {
  StoredState state;
  Unpacker in(bytes, "its state");
  each_number(state, [&](auto& field) {
    if (!in.done()) field = static_cast<std::remove_cvref_t<decltype(field)>>(in.varint());
  });
  if (feed::name(state.settings.policy).empty() || state.settings.cap == 0) in.broken();
  state.version = number;
  return state;
}

SnapshotPoint point_of(const StoredState& state) {
  return {static_cast<std::int64_t>(state.version),
          static_cast<std::int64_t>(state.log_first.value),
          static_cast<std::int64_t>(state.log_end.value)};
}

StoredState newest_in(const Result& result) {
  if (result.empty()) {
    throw Error(ErrorCode::kCorrupt,
                "The database has no commit, not even the first. Restore a backup.");
  }
  auto state = unpack_state(result.bytes(0, 2), static_cast<std::uint64_t>(result.number(0, 0)));
  state.marks = result.number(0, 1);
  state.writer = result.number(0, 3);
  if (!result.is_null(0, 4)) state.touched = numbers_in(result.bytes(0, 4));
  return state;
}

Sequence first_pending(const StoredState& state) { return std::min(state.fan_out, state.counters); }

std::int64_t fresh_number() {
  static std::mt19937_64 random{std::random_device{}()};
  static std::mutex mutex;
  const std::lock_guard guard(mutex);
  return static_cast<std::int64_t>(random() >> 1 | 1);
}

}  // namespace chirp::postgres
