#include "core/rules/timed_storage.h"

namespace chirp::rules {

std::string_view name(Purpose purpose) {
  switch (purpose) {
    case Purpose::kChange:
      return "change";
    case Purpose::kLoad:
      return "load";
    case Purpose::kRepair:
      return "repair";
    case Purpose::kFanOut:
      return "fanout";
    case Purpose::kCounters:
      return "counters";
    case Purpose::kNotifications:
      return "notifications";
    case Purpose::kTrends:
      return "trends";
    case Purpose::kTraces:
      return "traces";
    case Purpose::kRemoval:
      return "removal";
    case Purpose::kTrim:
      return "trim";
    case Purpose::kKeys:
      return "keys";
    case Purpose::kMarks:
      return "marks";
    case Purpose::kRebuild:
      return "rebuild";
    case Purpose::kBuild:
      return "build";
    case Purpose::kRead:
      return "read";
  }
  return {};
}

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
