#include "store/lmdb/timelines.h"

#include <algorithm>

#include "store/lmdb/entries.h"

namespace chirp::lmdb {
namespace {

// Entries of a part; a head has up to twice as many. A part is at most an eighth of the cap, so
// that a timeline that loses one still has most of its entries.
constexpr std::uint64_t kBlockMax = 64;

std::uint64_t block_of(std::uint32_t cap) {
  return std::clamp<std::uint64_t>(cap / 8, 1, kBlockMax);
}

StoredHead read_fields(RecordReader& in) {
  StoredHead head;
  head.complete_from = {in.fixed<std::uint64_t>()};
  head.generation = in.varint();
  head.last_read_day = in.varint32();
  head.in_parts = in.varint();
  return head;
}

void start_head(RecordWriter& out, const StoredHead& head) {
  out.start();
  out.fixed(head.complete_from.value);
  out.varint(head.generation);
  out.varint(head.last_read_day);
  out.varint(head.in_parts);
}

bool belongs(const std::optional<Item>& item, UserNumber viewer) {
  return item && user_at(item->key) == viewer;
}

std::vector<Entry> entries_of(Table table, const Item& item) {
  RecordReader in(table, item.key, item.value);
  if (table == Table::kTimelines) read_fields(in);
  return EntryReader(in).all();
}

void put_part(Batch& batch, UserNumber viewer, std::span<const Entry> entries) {
  const auto k = key(viewer, entries.front().id);
  batch.record.start();
  encode_entries(batch.record, entries);
  batch.txn.put(Table::kTimelineParts, k, batch.record.seal(Table::kTimelineParts, k));
}

void erase_parts(Batch& batch, UserNumber viewer) {
  for (;;) {
    Cursor parts(batch.txn, Table::kTimelineParts);
    const auto item = parts.at_or_after(key(viewer, kBelowAllPosts));
    if (!belongs(item, viewer)) return;
    const Key<12> k = key(viewer, PostId{u64_at(item->key, 4)});
    batch.txn.erase(Table::kTimelineParts, k);
  }
}

// Removes the oldest part. Returns its number of entries.
std::uint64_t drop_oldest_part(Batch& batch, UserNumber viewer) {
  Cursor parts(batch.txn, Table::kTimelineParts);
  const auto item = parts.at_or_after(key(viewer, kBelowAllPosts));
  if (!belongs(item, viewer)) throw_corrupt(Table::kTimelines, key(viewer), "a part is missing");
  RecordReader in(Table::kTimelineParts, item->key, item->value);
  const std::uint64_t count = in.varint();
  batch.txn.erase(Table::kTimelineParts, key(viewer, PostId{u64_at(item->key, 4)}));
  return count;
}

// Returns the oldest entry in the parts.
PostId oldest_in_parts(const Txn& txn, UserNumber viewer) {
  Cursor parts(txn, Table::kTimelineParts);
  const auto item = parts.at_or_after(key(viewer, kBelowAllPosts));
  if (!belongs(item, viewer)) throw_corrupt(Table::kTimelines, key(viewer), "a part is missing");
  return entries_of(Table::kTimelineParts, *item).back().id;
}

}  // namespace

std::uint32_t day_of(Time time) {
  return static_cast<std::uint32_t>(snowflake::ticks_of(time) / static_cast<std::uint64_t>(kDayMs));
}
Time time_of_day(std::uint32_t day) { return {snowflake::kEpochMs + std::int64_t{day} * kDayMs}; }

std::optional<StoredHead> read_head(const Txn& txn, UserNumber viewer) {
  const auto k = key(viewer);
  const auto value = txn.get(Table::kTimelines, k);
  if (!value) return std::nullopt;
  RecordReader in(Table::kTimelines, k, *value);
  return read_fields(in);
}

std::optional<Timeline> read_timeline(const Txn& txn, UserNumber viewer) {
  const auto head = read_head(txn, viewer);
  if (!head) return std::nullopt;
  Timeline timeline{head->complete_from, head->generation, time_of_day(head->last_read_day), {}};
  timeline.entries =
      read_timeline_entries(txn, viewer, IdRange{}, Direction::kDown, ~std::uint32_t{0});
  return timeline;
}

std::vector<Entry> read_timeline_entries(const Txn& txn, UserNumber viewer, IdRange range,
                                         Direction direction, std::uint32_t limit) {
  std::vector<Entry> found;
  const auto k = key(viewer);
  const auto value = txn.get(Table::kTimelines, k);
  if (!value || limit == 0) return found;
  RecordReader in(Table::kTimelines, k, *value);
  const StoredHead head = read_fields(in);
  EntryReader newest(in);
  const auto inside = [&](const Entry& e) { return e.id > range.above && e.id < range.below; };

  if (direction == Direction::kDown) {
    found.reserve(std::min<std::uint64_t>(limit, newest.count() + head.in_parts));
    while (newest.left() != 0) {
      const Entry entry = newest.next();
      if (entry.id <= range.above) return found;
      if (entry.id < range.below) found.push_back(entry);
      if (found.size() == limit) return found;
    }
    if (head.in_parts == 0) return found;
    // The first part whose newest entry is not below `below` extends over it.
    Cursor parts(txn, Table::kTimelineParts);
    auto item = parts.at_or_after(key(viewer, range.below));
    if (!belongs(item, viewer)) item = parts.before(key(viewer, kAboveAllPosts));
    for (; belongs(item, viewer); item = parts.previous()) {
      for (const Entry& entry : entries_of(Table::kTimelineParts, *item)) {
        if (entry.id <= range.above) return found;
        if (entry.id < range.below) found.push_back(entry);
        if (found.size() == limit) return found;
      }
    }
    return found;
  }

  if (head.in_parts != 0) {
    Cursor parts(txn, Table::kTimelineParts);
    for (auto item = parts.at_or_after(key(viewer, range.above));
         belongs(item, viewer) && found.size() < limit; item = parts.next()) {
      const auto entries = entries_of(Table::kTimelineParts, *item);
      std::copy_if(entries.rbegin(), entries.rend(), std::back_inserter(found), inside);
    }
  }
  if (found.size() < limit) {
    const auto entries = newest.all();
    std::copy_if(entries.rbegin(), entries.rend(), std::back_inserter(found), inside);
  }
  if (found.size() > limit) found.resize(limit);
  return found;
}

void put_timeline(Batch& batch, UserNumber viewer, const Timeline& timeline) {
  erase_parts(batch, viewer);
  const std::uint64_t block = block_of(batch.state.settings.cap);
  const std::span<const Entry> all(timeline.entries);
  const std::size_t in_head = std::min<std::size_t>(all.size(), block);
  // Writes the oldest part first: ascending keys fill their pages, others leave them half empty.
  const std::size_t parts = (all.size() - in_head + block - 1) / block;
  for (std::size_t part = parts; part-- > 0;) {
    const std::size_t at = in_head + part * block;
    put_part(batch, viewer, all.subspan(at, std::min<std::size_t>(block, all.size() - at)));
  }
  start_head(batch.record, {timeline.complete_from, timeline.generation, day_of(timeline.last_read),
                            all.size() - in_head});
  encode_entries(batch.record, all.first(in_head));
  const auto k = key(viewer);
  batch.txn.put(Table::kTimelines, k, batch.record.seal(Table::kTimelines, k));
}

bool erase_timeline(Batch& batch, UserNumber viewer) {
  // Reads nothing, so that a damaged timeline can be erased too.
  if (!batch.txn.erase(Table::kTimelines, key(viewer))) return false;
  erase_parts(batch, viewer);
  return true;
}

void put_last_read(Batch& batch, UserNumber viewer, Time now) {
  const auto k = key(viewer);
  const auto value = batch.txn.get(Table::kTimelines, k);
  if (!value) return;
  RecordReader in(Table::kTimelines, k, *value);
  StoredHead head = read_fields(in);
  head.last_read_day = day_of(now);
  start_head(batch.record, head);
  batch.record.raw(in.rest());
  batch.txn.put(Table::kTimelines, k, batch.record.seal(Table::kTimelines, k));
}

// ---------------------------------------------------------------- delivery

bool Deliverer::deliver(UserNumber viewer, std::span<const Entry> entries) {
  const auto k = key(viewer);
  const auto item = heads_.at(k);
  if (!item) return false;
  RecordReader in(Table::kTimelines, k, item->value);
  const StoredHead head = read_fields(in);
  if (head.generation != batch_.state.generation) return false;
  while (!entries.empty() && entries.back().id < head.complete_from) {
    entries = entries.first(entries.size() - 1);
  }
  if (entries.empty()) return true;

  const std::uint64_t cap = batch_.state.settings.cap;
  const std::uint64_t block = block_of(batch_.state.settings.cap);
  RecordReader peek = in;
  EntryReader newest(peek);
  const std::uint64_t count = newest.count() + entries.size();
  const bool above =
      newest.count() == 0 ? head.in_parts == 0 : entries.back().id > newest.next().id;
  if (above && count <= 2 * block && count + head.in_parts <= cap) {
    // The usual delivery: a few entries newer than all others.
    start_head(batch_.record, head);
    encode_in_front(batch_.record, entries, in);
    heads_.put(k, batch_.record.seal(Table::kTimelines, k));
    return true;
  }
  const std::vector<Entry> old = EntryReader(in).all();
  if (!above && head.in_parts != 0 && (old.empty() || entries.back().id < old.back().id)) {
    // An entry belongs in a part: rare (a single imported old post), so everything is merged.
    Timeline whole = *read_timeline(batch_.txn, viewer);
    merge_entries(whole, entries, batch_.state.settings.cap);
    put_timeline(batch_, viewer, whole);
    return true;
  }
  std::vector<Entry> merged;
  merged.reserve(old.size() + entries.size());
  std::set_union(old.begin(), old.end(), entries.begin(), entries.end(), std::back_inserter(merged),
                 newer);
  write_grown(viewer, head, std::move(merged));
  return true;
}

// Writes a head that may have too many entries: older ones become parts, and those above the cap
// are dropped.
void Deliverer::write_grown(UserNumber viewer, StoredHead head, std::vector<Entry> entries) {
  const std::uint64_t cap = batch_.state.settings.cap;
  const std::uint64_t block = block_of(batch_.state.settings.cap);
  if (entries.size() > cap) {
    entries.resize(cap);
    head.complete_from = std::max(head.complete_from, entries.back().id);
    erase_parts(batch_, viewer);
    head.in_parts = 0;
  }
  while (entries.size() > 2 * block) {
    // From the oldest up, so that each part is above the existing ones.
    put_part(batch_, viewer, std::span(entries).last(block));
    entries.resize(entries.size() - block);
    head.in_parts += block;
  }
  bool dropped = false;
  while (head.in_parts != 0 && entries.size() + head.in_parts > cap) {
    head.in_parts -= drop_oldest_part(batch_, viewer);
    dropped = true;
  }
  if (dropped) {
    const PostId oldest =
        head.in_parts == 0 ? entries.back().id : oldest_in_parts(batch_.txn, viewer);
    head.complete_from = std::max(head.complete_from, oldest);
  }
  start_head(batch_.record, head);
  encode_entries(batch_.record, entries);
  const auto k = key(viewer);
  batch_.txn.put(Table::kTimelines, k, batch_.record.seal(Table::kTimelines, k));
}

}  // namespace chirp::lmdb
