#include "store/postgres/snapshot/log_tail.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace chirp::postgres {
namespace {

using tables::Events;

std::string tail_sql() {
  const TableText& table = stored<Events>().text;
  std::string columns = "t." + table.keys.front().name;
  for (const Column& column : table.columns) columns += ", t." + column.name;
  return fmt::format(
      "select {} from {} t where t.seq >= greatest($1::int8, (select pending from commits"
      " where published order by n desc limit 1)) order by t.seq",
      columns, table.name);
}

}  // namespace

std::vector<events::Event> LogTail::find(Sequence from, Sequence end) const {
  const std::lock_guard guard(mutex_);
  const std::uint64_t kept = std::min(end.value, first_.value + events_.size());
  if (from < first_ || from.value >= kept) return {};
  const auto at = [&](std::uint64_t sequence) {
    return events_.begin() + static_cast<std::ptrdiff_t>(sequence - first_.value);
  };
  return {at(from.value), at(kept)};
}

Sequence LogTail::end() const {
  const std::lock_guard guard(mutex_);
  return {first_.value + events_.size()};
}

void LogTail::learn(Sequence from, std::span<const events::Event> events, Sequence needed) {
  const std::lock_guard guard(mutex_);
  const std::uint64_t end = first_.value + events_.size();
  if (from < first_ || from.value > end) {
    // Replace the cache with another range of the log.
    first_ = from;
    events_.assign(events.begin(), events.end());
  } else {
    const std::uint64_t known = end - from.value;
    if (known < events.size()) {
      const auto fresh = events.subspan(known);
      events_.insert(events_.end(), fresh.begin(), fresh.end());
    }
  }
  // Rarely, because erasing moves all later events.
  const std::uint64_t old = needed > first_ ? needed.value - first_.value : 0;
  if (events_.size() > kEventsMost || (old > events_.size() / 2 && old > 64)) {
    const std::size_t gone =
        events_.size() > kEventsMost ? events_.size() : std::min<std::size_t>(old, events_.size());
    events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(gone));
    first_.value += gone;
  }
}

void ask_tail(Questions& questions, Sequence known,
              std::function<void(std::vector<events::Event>)> then) {
  static const std::string kTail = tail_sql();
  questions.other(kTail, Params().int8(static_cast<std::int64_t>(known.value)),
                  [then = std::move(then)](const Result& result) {
                    std::vector<events::Event> events;
                    for (int row = 0; row < result.rows(); ++row) {
                      ColumnReader reader(result, row, 0);
                      events.push_back(*row_of<Events>(stored<Events>().read_pair(reader)));
                    }
                    then(std::move(events));
                  });
}

}  // namespace chirp::postgres
