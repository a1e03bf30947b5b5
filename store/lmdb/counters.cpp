#include "store/lmdb/counters.h"

#include <algorithm>

#include "core/model/deltas.h"
#include "store/lmdb/table_rows.h"

namespace chirp::lmdb {

UserCounters decode_counters(Bytes key, Bytes value) {
  RecordReader in(Table::kCounters, key, value);
  UserCounters counters;
  counters.followers = in.zigzag();
  counters.following = in.zigzag();
  counters.posts = in.zigzag();
  return counters;
}

void add_pending(const Txn& txn, const StoreState& state, std::span<const UserNumber> numbers,
                 std::span<UserCounters> counters) {
  if (state.counters >= state.log_end) return;
  std::vector<CounterDelta> deltas;
  for (const auto& event : read_events(txn, state.counters)) {
    deltas.clear();
    events::append_user_deltas(event, deltas);
    for (const CounterDelta& delta : deltas) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] != delta.user) continue;
        counters[i].followers += delta.followers;
        counters[i].following += delta.following;
        counters[i].posts += delta.posts;
      }
    }
  }
}

std::uint8_t encode_counters(RecordWriter& out, const UserCounters& counters) {
  out.zigzag(counters.followers);
  out.zigzag(counters.following);
  out.zigzag(counters.posts);
  return 0;
}

std::uint8_t encode_mark(RecordWriter& out, const feed::AuthorMark& mark) {
  out.fixed(static_cast<std::uint8_t>(mark.tier));
  out.fixed(mark.push_from.value);
  return 0;
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
      if (auto mark = find_row<tables::Marks>(txn, {marked})) marks.push_back(*mark);
      ++i;
    }
  }
  return marks;
}

}  // namespace chirp::lmdb
