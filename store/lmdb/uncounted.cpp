#include "store/lmdb/uncounted.h"

#include <algorithm>

#include "core/model/deltas.h"
#include "store/lmdb/records.h"
#include "store/lmdb/table_rows.h"

namespace chirp::lmdb {
namespace {

// Some megabytes at most. More is pending only during a load, when reads are few.
constexpr std::uint64_t kEventsMax = 65'536;

void append(const events::Event& event, std::vector<CounterDelta>& deltas) {
  events::append_user_deltas(event, deltas);
}
void append(const events::Event& event, std::vector<ContentDelta>& deltas) {
  events::append_content_deltas(event, deltas);
}

UserNumber counted_of(const CounterDelta& delta) { return delta.user; }
ContentId counted_of(const ContentDelta& delta) { return delta.content; }

void apply(UserCounters& sum, const CounterDelta& delta) {
  sum.followers += delta.followers;
  sum.following += delta.following;
  sum.posts += delta.posts;
}
void apply(ContentCounters& sum, const ContentDelta& delta) { sum += delta.change; }

}  // namespace

template <class Delta, class Id, class Counters>
bool UncountedEvents<Delta, Id, Counters>::reaches(const StoreState& state) const {
  return state.counters >= from_ && state.log_end.value - state.counters.value <= kEventsMax;
}

template <class Delta, class Id, class Counters>
void UncountedEvents<Delta, Id, Counters>::take_in(const Txn& txn, const StoreState& state) {
  from_ = state.counters;
  while (!log_.empty() && log_.front().first < from_) log_.pop_front();
  to_ = std::max(to_, from_);
  if (to_ >= state.log_end) return;
  try {
    read_on(txn);
  } catch (...) {
    *this = {};  // never keep a part
    throw;
  }
}

template <class Delta, class Id, class Counters>
void UncountedEvents<Delta, Id, Counters>::read_on(const Txn& txn) {
  std::vector<Delta> deltas;
  Cursor cursor(txn, Table::kEvents);
  for (auto item = cursor.at_or_after(key(to_)); item; item = cursor.next()) {
    const events::Event event = decode_event(item->key, item->value);
    deltas.clear();
    append(event, deltas);
    for (const Delta& delta : deltas) log_.emplace_back(event.sequence, delta);
    to_ = {event.sequence.value + 1};
  }
}

template <class Delta, class Id, class Counters>
void UncountedEvents<Delta, Id, Counters>::add(const StoreState& state, std::span<const Id> wanted,
                                               std::vector<Counters>& counters) const {
  if (log_.empty()) return;
  std::vector<std::pair<Id, std::size_t>> places;
  places.reserve(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) places.emplace_back(wanted[i], i);
  std::sort(places.begin(), places.end());
  const auto is_before = [](const auto& one, Sequence sequence) { return one.first < sequence; };
  auto next = std::lower_bound(log_.begin(), log_.end(), state.counters, is_before);
  for (; next != log_.end() && next->first < state.log_end; ++next) {
    const Id id = counted_of(next->second);
    auto at = std::lower_bound(places.begin(), places.end(), std::pair(id, std::size_t{0}));
    for (; at != places.end() && at->first == id; ++at) apply(counters[at->second], next->second);
  }
}

template class UncountedEvents<CounterDelta, UserNumber, UserCounters>;
template class UncountedEvents<ContentDelta, ContentId, ContentCounters>;

}  // namespace chirp::lmdb
