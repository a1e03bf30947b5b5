#include "store/lmdb/log.h"

#include "core/error.h"

namespace chirp::lmdb {
namespace {

// Which of the optional fields an event record has.
constexpr std::uint64_t kHasOther = 1;
constexpr std::uint64_t kHasPost = 2;
constexpr std::uint64_t kHasRows = 4;

}  // namespace

void append_event(WriteTxn& txn, RecordWriter& record, const events::Event& event) {
  const auto k = key(event.sequence);
  record.start();
  record.varint((event.other != kNobody ? kHasOther : 0) |
                (event.post != kBelowAllPosts ? kHasPost : 0) | (event.rows != 0 ? kHasRows : 0));
  record.zigzag(event.time.ms - snowflake::kEpochMs);
  record.varint(event.actor.value);
  if (event.other != kNobody) record.varint(event.other.value);
  if (event.post != kBelowAllPosts) record.fixed(event.post.value);
  if (event.rows != 0) record.varint(event.rows);
  txn.append(Table::kEvents, k,
             record.seal(Table::kEvents, k, static_cast<std::uint8_t>(event.topic)));
}

events::Event decode_event(Bytes key, Bytes value) {
  RecordReader in(Table::kEvents, key, value);
  events::Event event;
  event.sequence = {u64_at(key)};
  event.topic = static_cast<events::Topic>(in.flags());
  if (events::name(event.topic).empty()) in.broken();
  const std::uint64_t fields = in.varint();
  event.time.ms = snowflake::kEpochMs + in.zigzag();
  event.actor = {in.varint32()};
  if (fields & kHasOther) event.other = {in.varint32()};
  if (fields & kHasPost) event.post = {in.fixed<std::uint64_t>()};
  if (fields & kHasRows) event.rows = in.varint();
  return event;
}

std::vector<events::Event> read_events(const Txn& txn, Sequence from, std::uint64_t limit) {
  std::vector<events::Event> events;
  if (limit == 0) return events;
  Cursor cursor(txn, Table::kEvents);
  for (auto item = cursor.at_or_after(key(from)); item && events.size() < limit;
       item = cursor.next()) {
    events.push_back(decode_event(item->key, item->value));
  }
  return events;
}

void put_fan_out_row(WriteTxn& txn, RecordWriter& record, const FanOutRow& row) {
  const auto k = key(row.sequence);
  record.start();
  record.fixed(row.post.value);
  record.fixed(row.author.value);
  record.fixed(row.done_to.value);
  txn.put(Table::kFanOutQueue, k, record.seal(Table::kFanOutQueue, k));
}

std::vector<FanOutRow> read_fan_out_queue(const Txn& txn, std::uint64_t limit) {
  std::vector<FanOutRow> rows;
  Cursor cursor(txn, Table::kFanOutQueue);
  for (auto item = cursor.first(); item && rows.size() < limit; item = cursor.next()) {
    RecordReader in(Table::kFanOutQueue, item->key, item->value);
    FanOutRow row;
    row.sequence = {u64_at(item->key)};
    row.post = {in.fixed<std::uint64_t>()};
    row.author = {in.fixed<std::uint32_t>()};
    row.done_to = {in.fixed<std::uint32_t>()};
    rows.push_back(row);
  }
  return rows;
}

}  // namespace chirp::lmdb
