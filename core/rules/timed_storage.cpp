#include "core/rules/timed_storage.h"

#include "core/model/value_names.h"

namespace chirp::rules {
namespace {

constexpr ValueNames<Purpose, kPurposes> kNames{{
    {Purpose::kChange, "change"},
    {Purpose::kLoad, "load"},
    {Purpose::kRepair, "repair"},
    {Purpose::kFanOut, "fanout"},
    {Purpose::kCounters, "counters"},
    {Purpose::kNotifications, "notifications"},
    {Purpose::kTrends, "trends"},
    {Purpose::kTraces, "traces"},
    {Purpose::kRemoval, "removal"},
    {Purpose::kTrim, "trim"},
    {Purpose::kKeys, "keys"},
    {Purpose::kMarks, "marks"},
    {Purpose::kRebuild, "rebuild"},
    {Purpose::kBuild, "build"},
    {Purpose::kRead, "read"},
}};

}  // namespace

std::string_view name(Purpose purpose) { return name_in(kNames, purpose); }

bool TimedStorage::decide(Time now, Purpose purpose, const Decision& decision) {
  std::int64_t started = 0;
  const bool changed = inner_.decide(now, purpose, [&](Rows& rows) {
    started = clock_.steady_ns();
    return decision(rows);
  });
  if (!changed || !told_) return changed;
  try {
    told_(purpose, clock_.steady_ns() - started);
  } catch (...) {
    // The turn is over and its change is durable, so the caller must get its result. A missing
    // measurement does no harm.
  }
  return changed;
}

}  // namespace chirp::rules
