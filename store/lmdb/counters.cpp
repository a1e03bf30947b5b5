#include "store/lmdb/counters.h"

#include <algorithm>

#include "store/lmdb/cards.h"
#include "store/lmdb/log.h"

namespace chirp::lmdb {

UserCounters decode_counters(Bytes key, Bytes value) {
  RecordReader in(Table::kCounters, key, value);
  UserCounters counters;
  counters.followers = in.zigzag();
  counters.following = in.zigzag();
  counters.posts = in.zigzag();
  return counters;
}

UserCounters read_counters(const Txn& txn, UserNumber user) {
  const auto k = key(user);
  const auto value = txn.get(Table::kCounters, k);
  return value ? decode_counters(k, *value) : UserCounters{};
}

std::vector<CounterDelta> deltas_of(const events::Event& event) {
  using events::Topic;
  switch (event.topic) {
    case Topic::kPostCreated:
    case Topic::kRepostCreated:
      return {{event.actor, 0, 0, 1}};
    case Topic::kPostRemoved:
    case Topic::kRepostRemoved:
      return {{event.actor, 0, 0, -1}};
    case Topic::kFollowAdded:
      return {{event.actor, 0, 1, 0}, {event.other, 1, 0, 0}};
    case Topic::kFollowRemoved:
      return {{event.actor, 0, -1, 0}, {event.other, -1, 0, 0}};
    default:
      return {};
  }
}

void add_pending(const Txn& txn, const StoreState& state, std::span<const UserNumber> numbers,
                 std::span<UserCounters> counters) {
  if (state.counters >= state.log_end) return;
  for (const auto& event : read_events(txn, state.counters, state.log_end.value)) {
    for (const CounterDelta& delta : deltas_of(event)) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] != delta.user) continue;
        counters[i].followers += delta.followers;
        counters[i].following += delta.following;
        counters[i].posts += delta.posts;
      }
    }
  }
}

void put_counters(Batch& batch, UserNumber user, const UserCounters& counters) {
  const auto k = key(user);
  batch.record.start();
  batch.record.zigzag(counters.followers);
  batch.record.zigzag(counters.following);
  batch.record.zigzag(counters.posts);
  batch.txn.put(Table::kCounters, k, batch.record.seal(Table::kCounters, k));
}

void add_counters(Batch& batch, std::span<const CounterDelta> deltas) {
  for (const CounterDelta& delta : deltas) {
    const auto k = key(delta.user);
    const auto value = batch.txn.get(Table::kCounters, k);
    // Who was removed has no counters any more; events of theirs may still be on the way here.
    if (!value && !is_present(batch.txn, delta.user)) continue;
    UserCounters counters = value ? decode_counters(k, *value) : UserCounters{};
    counters.followers += delta.followers;
    counters.following += delta.following;
    counters.posts += delta.posts;
    put_counters(batch, delta.user, counters);
    if (delta.followers != 0) retier(batch, delta.user, counters.followers);
  }
}

feed::AuthorMark decode_mark(Bytes key, Bytes value) {
  RecordReader in(Table::kMarks, key, value);
  feed::AuthorMark mark;
  mark.author = user_at(key);
  mark.tier = static_cast<feed::Tier>(in.fixed<std::uint8_t>());
  mark.push_from = {in.fixed<std::uint64_t>()};
  if (feed::name(mark.tier).empty()) in.broken();
  return mark;
}

std::optional<feed::AuthorMark> read_mark(const Txn& txn, UserNumber author) {
  const auto k = key(author);
  const auto value = txn.get(Table::kMarks, k);
  if (!value) return std::nullopt;
  return decode_mark(k, *value);
}

std::vector<feed::AuthorMark> all_marks(const Txn& txn) {
  std::vector<feed::AuthorMark> marks;
  Cursor cursor(txn, Table::kMarks);
  for (auto item = cursor.first(); item; item = cursor.next()) {
    marks.push_back(decode_mark(item->key, item->value));
  }
  return marks;
}

std::vector<feed::AuthorMark> read_pulled(const Txn& txn, std::span<const UserNumber> authors) {
  std::vector<feed::AuthorMark> marks;
  Cursor cursor(txn, Table::kPulled);
  // Both sides ascend, so each step goes to the next author that may have a mark.
  std::size_t i = 0;
  while (i < authors.size()) {
    const auto item = cursor.at_or_after(key(authors[i]));
    if (!item) break;
    const UserNumber marked = user_at(item->key);
    const auto rest = authors.subspan(i);
    i +=
        static_cast<std::size_t>(std::lower_bound(rest.begin(), rest.end(), marked) - rest.begin());
    if (i < authors.size() && authors[i] == marked) {
      if (auto mark = read_mark(txn, marked)) marks.push_back(*mark);
      ++i;
    }
  }
  return marks;
}

void put_mark(Batch& batch, const feed::AuthorMark& mark) {
  const auto k = key(mark.author);
  if (mark.tier == feed::Tier::kRegular && mark.push_from == feed::kAlwaysPushed) {
    batch.txn.erase(Table::kMarks, k);
  } else {
    batch.record.start();
    batch.record.fixed(static_cast<std::uint8_t>(mark.tier));
    batch.record.fixed(mark.push_from.value);
    batch.txn.put(Table::kMarks, k, batch.record.seal(Table::kMarks, k));
  }
  if (mark.push_from == feed::kAlwaysPushed) {
    if (batch.txn.erase(Table::kPulled, k)) --batch.state.pulled;
  } else {
    if (!batch.txn.get(Table::kPulled, k)) ++batch.state.pulled;
    batch.txn.put(Table::kPulled, k, key(mark.push_from));
  }
}

void retier(Batch& batch, UserNumber author, std::int64_t followers) {
  const feed::AuthorMark now =
      read_mark(batch.txn, author).value_or(feed::AuthorMark{author, feed::Tier::kRegular, {}});
  const feed::Tier tier = feed::next_tier(now.tier, followers, batch.state.settings);
  if (tier == now.tier || !is_present(batch.txn, author)) return;
  put_mark(batch, feed::with_tier(now, tier, batch.state.settings.policy, batch.next_id()));
  events::Event event;
  event.topic = events::Topic::kTierChanged;
  event.actor = author;
  event.rows = static_cast<std::uint64_t>(tier);
  batch.log(event);
}

}  // namespace chirp::lmdb
