#include "store/lmdb/batch.h"

#include "core/error.h"
#include "store/lmdb/edges.h"

namespace chirp::lmdb {
namespace {

const Key<32> kStateKey = meta_key("state");
// The offset of the pair marks in the state record, including its header.
constexpr std::size_t kPairMarksAt = kRecordHeader + 201;

}  // namespace

Key<32> meta_key(std::string_view name) {
  Key<32> k;
  check(name.size() < k.bytes.size(), "a name in the meta table is at most 31 bytes long");
  name.copy(k.bytes.data(), name.size());
  return k;
}

namespace {

RecordReader state_record(const Txn& txn) {
  const auto bytes = txn.get(Table::kMeta, kStateKey);
  if (!bytes) throw_corrupt(Table::kMeta, kStateKey, "it is not there");
  return {Table::kMeta, kStateKey, *bytes};
}

// The part of the record that every format has.
StoredState read_first_part(const Txn& txn, RecordReader& in) {
  StoredState state;
  state.version = txn.id();
  state.generation = in.fixed<std::uint64_t>();
  state.push_from_all.value = in.fixed<std::uint64_t>();
  state.last_id.value = in.fixed<std::uint64_t>();
  state.log_first.value = in.fixed<std::uint64_t>();
  state.log_end.value = in.fixed<std::uint64_t>();
  state.fan_out.value = in.fixed<std::uint64_t>();
  state.fan_out_reach.value = in.fixed<std::uint64_t>();
  state.counters.value = in.fixed<std::uint64_t>();
  state.fan_out_queue = in.fixed<std::uint64_t>();
  state.delivery_ns = in.fixed<std::uint32_t>();
  state.source_ns = in.fixed<std::uint32_t>();
  state.pulled = in.fixed<std::uint64_t>();
  state.removals = in.fixed<std::uint64_t>();
  state.settings.policy = static_cast<feed::Policy>(in.fixed<std::uint8_t>());
  state.settings.cap = in.fixed<std::uint32_t>();
  state.settings.influencer_from = in.fixed<std::uint64_t>();
  state.settings.celebrity_above = in.fixed<std::uint64_t>();
  state.settings.active_days = in.fixed<std::uint32_t>();
  state.settings.log_keep_ms = in.fixed<std::int64_t>();
  if (feed::name(state.settings.policy).empty() || state.settings.cap == 0) in.broken();
  return state;
}

}  // namespace

StoredState read_state(const Txn& txn) {
  RecordReader in = state_record(txn);
  StoredState state = read_first_part(txn, in);
  state.relations = in.fixed<std::uint64_t>();
  state.notifications.value = in.fixed<std::uint64_t>();
  state.trends.value = in.fixed<std::uint64_t>();
  state.post_removals = in.fixed<std::uint64_t>();
  // An older program, which does not maintain the rest, may have changed anything. So this number
  // is for that commit only. It is above all earlier ones: no commit raises it by 2^20.
  state.unlogged = state.version << 20;
  state.follows_since = state.version;
  if (in.done()) return state;
  state.passed.until.ms = in.fixed<std::int64_t>();
  state.passed.leap.ms = in.fixed<std::int64_t>();
  if (!in.done()) state.unlogged = in.fixed<std::uint64_t>();
  if (in.done()) return state;
  state.follows = in.fixed<std::uint64_t>();
  state.follows_since = in.fixed<std::uint64_t>();
  if (in.done()) return state;
  state.pairs.second = in.fixed<std::uint8_t>() != 0;
  state.pairs.built = in.fixed<std::uint8_t>() != 0;
  state.pairs.stale = in.fixed<std::uint8_t>() != 0;
  if (in.done()) return state;
  state.early_from.value = in.fixed<std::uint64_t>();
  state.early_below.value = in.fixed<std::uint64_t>();
  return state;
}

PairMarks read_pair_marks(const Txn& txn) {
  const auto bytes = txn.get(Table::kMeta, kStateKey);
  if (!bytes || bytes->size() < kPairMarksAt + 3) return {};
  const auto is_set = [&](std::size_t i) { return (*bytes)[kPairMarksAt + i] != 0; };
  return {is_set(0), is_set(1), is_set(2)};
}

namespace {

void write_state(WriteTxn& txn, RecordWriter& record, const StoredState& state) {
  record.start();
  record.fixed(state.generation);
  record.fixed(state.push_from_all.value);
  record.fixed(state.last_id.value);
  record.fixed(state.log_first.value);
  record.fixed(state.log_end.value);
  record.fixed(state.fan_out.value);
  record.fixed(state.fan_out_reach.value);
  record.fixed(state.counters.value);
  record.fixed(state.fan_out_queue);
  record.fixed(state.delivery_ns);
  record.fixed(state.source_ns);
  record.fixed(state.pulled);
  record.fixed(state.removals);
  record.fixed(static_cast<std::uint8_t>(state.settings.policy));
  record.fixed(state.settings.cap);
  record.fixed(state.settings.influencer_from);
  record.fixed(state.settings.celebrity_above);
  record.fixed(state.settings.active_days);
  record.fixed(state.settings.log_keep_ms);
  record.fixed(state.relations);
  record.fixed(state.notifications.value);
  record.fixed(state.trends.value);
  record.fixed(state.post_removals);
  record.fixed(state.passed.until.ms);
  record.fixed(state.passed.leap.ms);
  record.fixed(state.unlogged);
  record.fixed(state.follows);
  record.fixed(state.follows_since);
  record.fixed(static_cast<std::uint8_t>(state.pairs.second));
  record.fixed(static_cast<std::uint8_t>(state.pairs.built));
  record.fixed(static_cast<std::uint8_t>(state.pairs.stale));
  check(record.payload_size() + kRecordHeader == kPairMarksAt + 3, "the marks have their place");
  record.fixed(state.early_from.value);
  record.fixed(state.early_below.value);
  txn.put(Table::kMeta, kStateKey, record.seal(Table::kMeta, kStateKey));
}

}  // namespace

void write_first_state(WriteTxn& txn) {
  RecordWriter record;
  write_state(txn, record, StoredState{});
}

void extend_first_state(WriteTxn& txn) {
  RecordReader in = state_record(txn);
  StoredState state = read_first_part(txn, in);
  if (!in.done()) in.broken();
  state.follows = count_edges(txn, Table::kFollowing);
  state.notifications = state.log_first;
  state.trends = state.log_first;
  RecordWriter record;
  write_state(txn, record, state);
}

Cursor& Batch::walk(Table table) {
  auto& cursor = walks_[static_cast<std::size_t>(table)];
  if (!cursor) cursor.emplace(txn, table);
  return *cursor;
}

void Batch::finish() { write_state(txn, record, state); }

}  // namespace chirp::lmdb
