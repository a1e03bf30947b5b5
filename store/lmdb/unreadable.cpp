#include "store/lmdb/unreadable.h"

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "core/ports/rows.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/records.h"
#include "store/lmdb/tags.h"

namespace chirp::lmdb {
namespace {

using Fate = UnreadableRecord::Fate;

constexpr std::size_t kErasedAtOnce = 250;

// How to read a table's records, and what happens to unreadable ones.
struct ReadPlan {
  Table table;
  Fate fate;
  std::function<void(const Item&)> read;
};

// For tables whose records other code reads in pieces: checks only the checksum of the whole
// record.
std::function<void(const Item&)> sum_of(Table table) {
  return [table](const Item& item) { (void)RecordReader(table, item.key, item.value); };
}

template <class Decode>
std::function<void(const Item&)> by(Decode decode) {
  return [decode](const Item& item) { (void)decode(item.key, item.value); };
}

const std::vector<ReadPlan>& readings() {
  static const std::vector<ReadPlan> all{
      {Table::kMeta, Fate::kNeeded, sum_of(Table::kMeta)},
      {Table::kCards, Fate::kRebuilt, by(&decode_card)},
      {Table::kPosts, Fate::kLost, by(&decode_post)},
      // Each direction of the edges is rebuilt from the other.
      {Table::kFollowing, Fate::kRebuilt,
       [](const Item& item) { (void)decode_chunk(Table::kFollowing, item); }},
      {Table::kFollowers, Fate::kRebuilt,
       [](const Item& item) { (void)decode_chunk(Table::kFollowers, item); }},
      {Table::kTimelines, Fate::kRebuilt, sum_of(Table::kTimelines)},
      {Table::kTimelineParts, Fate::kRebuilt, sum_of(Table::kTimelineParts)},
      {Table::kEvents, Fate::kNeeded, by(&decode_event)},
      {Table::kFanOutQueue, Fate::kRebuilt, by(&decode_fan_out_row)},
      {Table::kCounters, Fate::kRebuilt, by(&decode_counters)},
      {Table::kMarks, Fate::kRebuilt, by(&decode_mark)},
      {Table::kRelations, Fate::kLost, by(&decode_since)},
      {Table::kReactions, Fate::kLost, by(&decode_reaction)},
      {Table::kComments, Fate::kLost, by(&decode_comment)},
      {Table::kContentCounters, Fate::kRebuilt, by(&decode_content_counters)},
      {Table::kNotifications, Fate::kRebuilt, by(&decode_notification)},
      {Table::kReaders, Fate::kLost, by(&decode_reader)},
      {Table::kTagUses, Fate::kRebuilt, &check_tag_use},
      {Table::kKeys, Fate::kLost, sum_of(Table::kKeys)},
  };
  return all;
}

void find_in(const Txn& txn, const ReadPlan& reading, std::vector<UnreadableRecord>& found) {
  Cursor cursor(txn, reading.table);
  for (auto item = cursor.first(); item; item = cursor.next()) {
    try {
      reading.read(*item);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCorrupt) throw;
      found.push_back({reading.table, std::string(item->key), std::string(item->value),
                       error.what(), reading.fate});
    }
  }
}

bool is_of(Table table, const UnreadableRecord& record) { return record.table == table; }

struct Enough {};

std::uint64_t erase(WriteTxn& txn, std::span<const UnreadableRecord> records, Time now) {
  std::uint64_t erased = 0;
  Batch batch(txn, Turn{now});
  for (const UnreadableRecord& record : records) {
    const auto there = txn.get(record.table, record.key);
    if (!there || *there != record.value) continue;
    txn.erase(record.table, record.key);
    ++erased;
  }
  // Timelines and the caches of processes may contain data from these records.
  ++batch.state.generation;
  ++batch.state.unlogged;
  batch.finish();
  return erased;
}

}  // namespace

std::vector<UnreadableRecord> unreadable_records(const std::shared_ptr<Env>& env) {
  std::vector<UnreadableRecord> found;
  const Env::Reader reader(env);
  for (const ReadPlan& reading : readings()) find_in(reader.txn(), reading, found);
  // An edge is lost if neither direction can be read.
  const auto has = [&](Table table) {
    return std::ranges::any_of(found, [&](const auto& record) { return is_of(table, record); });
  };
  if (has(Table::kFollowing) && has(Table::kFollowers)) {
    for (UnreadableRecord& record : found) {
      if (is_of(Table::kFollowing, record)) record.fate = Fate::kLost;
    }
  }
  return found;
}

void try_erasing(const std::shared_ptr<Env>& env, std::span<const UnreadableRecord> records,
                 Time now) {
  try {
    env->write([&](WriteTxn& txn) {
      (void)erase(txn, records, now);
      throw Enough{};
    });
  } catch (const Enough&) {
    return;  // the transaction is aborted
  }
}

std::uint64_t erase_records(const std::shared_ptr<Env>& env,
                            std::span<const UnreadableRecord> records, Time now) {
  std::uint64_t erased = 0;
  while (!records.empty()) {
    const auto some = records.first(std::min(records.size(), kErasedAtOnce));
    records = records.subspan(some.size());
    std::uint64_t now_erased = 0;
    env->write([&](WriteTxn& txn) { now_erased = erase(txn, some, now); });
    erased += now_erased;
  }
  return erased;
}

}  // namespace chirp::lmdb
