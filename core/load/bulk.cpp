#include "core/load/bulk.h"

#include "core/rules/settings.h"
#include "core/rules/writing.h"

namespace chirp::load {

LoadCounts finish_bulk(BulkEdges& bulk, Time now, Turns& turns) {
  return bulk.finish(now, [&turns](const std::function<void()>& transaction) {
    turns.take([&] {
      transaction();
      return true;
    });
  });
}

void give_tiers(Storage& storage, const Clock& clock, Turns& turns) {
  constexpr std::uint32_t kUsersAtOnce = 5'000;
  if (!rules::tiers_due(*storage.snapshot())) return;
  while (!turns.take([&] { return rules::settle_tiers(storage, kUsersAtOnce, clock.now()); })) {
  }
}

void put_early_entries(Storage& storage, const Clock& clock, Turns& turns, Pace& pace,
                       std::span<const EarlyEntry> entries) {
  turns.take_all(pace, entries, [&](std::span<const EarlyEntry> some) {
    rules::put_early_entries(storage, some, clock.now());
  });
}

}  // namespace chirp::load
