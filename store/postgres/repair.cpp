#include "store/postgres/repair.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/ports/reads.h"
#include "core/rules/indexes.h"

namespace chirp::postgres {
namespace {

using namespace tables;

constexpr std::uint32_t kRowsAtOnce = 1000;
// Concurrent writes invalidate a count, which is then repeated.
constexpr int kTries = 8;

// Raises the generation, because timelines and caches may derive from wrong rows.
std::uint64_t mend(Storage& storage, Time now, const std::function<std::size_t(Rows&)>& rule) {
  std::size_t mended = 0;
  storage.decide(now, Purpose::kRepair, [&](Rows& rows) {
    mended = rule(rows);
    if (mended == 0) return false;
    ++rows.state().generation;
    ++rows.state().unlogged;
    return true;
  });
  return mended;
}

std::uint64_t mend_indexes(Storage& storage, Time now) {
  std::uint64_t mended = 0;
  for (const auto& walk : rules::index_walks()) {
    do {
      mended += mend(storage, now, [&](Rows& rows) {
        rules::Fixes fixes;
        walk->look(rows, fixes);
        rules::apply(rows, fixes);
        return fixes.rows.size();
      });
    } while (walk->go_on());
  }
  return mended;
}

// Counts notifications by user; contains users with a count, or with notifications.
std::map<UserNumber, std::uint64_t> miscounted(const Snapshot& snapshot) {
  std::map<UserNumber, std::uint64_t> counts;
  Readers::Key after{};
  for (;;) {
    const auto readers = reads::above<Readers>(snapshot, after, kRowsAtOnce);
    for (const auto& [key, reader] : readers) {
      if (reader.notifications != 0) counts[key.user];
    }
    if (readers.size() < kRowsAtOnce) break;
    after = readers.back().first;
  }
  Notifications::Key from{};
  for (;;) {
    const auto told = reads::above<Notifications>(snapshot, from, kRowsAtOnce);
    for (const auto& [key, row] : told) ++counts[key.user];
    if (told.size() < kRowsAtOnce) break;
    from = told.back().first;
  }
  std::erase_if(counts, [&](const auto& count) {
    const auto reader = snapshot.find(Readers::Key{count.first});
    return reader && reader->notifications == count.second;
  });
  return counts;
}

std::uint64_t mend_notices(Storage& storage, Time now) {
  std::uint64_t mended = 0;
  for (const auto& [user, count] : miscounted(*storage.snapshot())) {
    mended += mend(storage, now, [&, user = user](Rows& rows) -> std::size_t {
      const auto told =
          rows.range(Notifications::Key{user, Sequence{0}},
                     Notifications::Key{user, reads::Greatest{}}, Direction::kUp, ~0U);
      auto reader = rows.find(Readers::Key{user}).value_or(Readers::Row{});
      if (reader.notifications == told.size()) return 0;
      reader.notifications = told.size();
      rows.put(Readers::Key{user}, reader);
      return 1;
    });
  }
  return mended;
}

// Recomputes the counts in the state from the tables.
std::uint64_t mend_counts(Storage& storage, Time now) {
  for (int tried = 0; tried < kTries; ++tried) {
    const auto snapshot = storage.snapshot();
    auto rows = snapshot->table_rows();
    const std::uint64_t version = snapshot->state().version;
    bool is_same = false;
    std::uint64_t mended = 0;
    storage.decide(now, Purpose::kRepair, [&](Rows& of_turn) {
      StoreState& state = of_turn.state();
      is_same = state.version == version;
      mended = 0;
      if (!is_same) return false;
      const std::array<std::pair<std::uint64_t*, const char*>, 4> said{
          {{&state.removals, "removals"},
           {&state.relations, "relations"},
           {&state.post_removals, "post_removals"},
           {&state.fan_out_queue, "fan_out_queue"}}};
      for (const auto& [number, table] : said) {
        if (*number == rows[table]) continue;
        *number = rows[table];
        ++mended;
      }
      if (mended != 0) ++state.unlogged;
      return mended != 0;
    });
    if (is_same) return mended;
  }
  return 0;
}

}  // namespace

std::uint64_t repair_rows(Storage& storage, Time now) {
  std::uint64_t mended = mend_indexes(storage, now);
  mended += mend_notices(storage, now);
  mended += mend(storage, now, rules::settle_marks);
  return mended + mend_counts(storage, now);
}

}  // namespace chirp::postgres
