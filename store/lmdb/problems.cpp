// Damage that only the store itself can see: records that fail their check, index rows without a
// record and records without an index row, counts in the state that differ from the tables.
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/ports/walk.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/entries.h"
#include "store/lmdb/indexes.h"
#include "store/lmdb/lmdb_snapshot.h"
#include "store/lmdb/records.h"
#include "store/lmdb/spare_rows.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

constexpr std::size_t kProblemsMax = 1000;

class Inspector {
 public:
  // If there is a `walk`, it replaces the transaction and the state when it renews them.
  Inspector(const Txn& txn, const StoredState& state, Walk* walk)
      : txn_(txn), state_(state), walk_(walk) {}

  std::vector<std::string> run() {
    indexes();
    timelines();
    follows();
    each(Table::kFollowers, [&](const Item& item) { chunk(Table::kFollowers, item); });
    each(Table::kCounters, [](const Item& item) { (void)decode_counters(item.key, item.value); });
    each(Table::kReaders, [](const Item& item) { (void)decode_reader(item.key, item.value); });
    each(Table::kContentCounters,
         [](const Item& item) { (void)decode_content_counters(item.key, item.value); });
    counts();
    notices();
    log();
    spare();
    return std::move(problems_);
  }

 private:
  void note(std::string what) {
    if (problems_.size() < kProblemsMax) problems_.push_back(std::move(what));
  }
  void expect_rows(Table table, std::uint64_t expected) {
    const std::uint64_t rows = txn_.stat(table).ms_entries;
    if (rows == expected) return;
    note(fmt::format("table {} has {} rows instead of {}",
                     kTableNames[static_cast<unsigned>(table)], rows, expected));
  }
  // Walks a table; an error about a row is noted, and the walk continues. Each row is examined in
  // one state.
  void each(Table table, const std::function<void(const Item&)>& look) {
    std::optional<Cursor> cursor(std::in_place, txn_, table);
    std::string last;
    try {
      for (auto item = cursor->first(); item;) {
        last.assign(item->key);
        try {
          look(*item);
        } catch (const Error& error) {
          note(error.what());
        }
        if (walk_ != nullptr && walk_->rest()) {
          cursor.emplace(txn_, table);
          item = cursor->at_or_after(last);
          if (item && item->key == last) item = cursor->next();
        } else {
          item = cursor->next();
        }
      }
    } catch (const Error& error) {
      note(error.what());  // stops here, because the rest is out of order
    }
  }

  // Checks that each record has its rows in the indexes. Examines an index that has additional
  // rows, or may have because others have written meanwhile.
  void indexes() {
    WantedRows wanted;
    std::size_t named = 0;
    const std::uint64_t begun = txn_.id();
    for (const IndexCheck& check : index_checks()) {
      const bool is_still = txn_.id() == begun;
      if (check.is_index && is_still &&
          txn_.stat(check.table).ms_entries == wanted.rows(check.table)) {
        continue;
      }
      each(check.table, [&](const Item& item) {
        check.look(txn_, item, wanted);
        for (; named < wanted.fixes().size(); ++named) name(wanted.fixes()[named]);
      });
    }
  }

  void name(const Fix& fix) {
    std::string key;
    for (const char byte : fix.key) key += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    const char* const wrong =
        fix.value ? "a record is missing or differs in" : "a record does not belong in";
    note(fmt::format("{} the index {} at {}", wrong, kTableNames[static_cast<unsigned>(fix.table)],
                     key));
  }

  void counts() {
    StoredState said = state_;
    for (const auto& [number, table] : said_rows(said)) expect_rows(table, *number);
  }

  void timelines() {
    each(Table::kTimelines, [&](const Item& item) {
      const UserNumber viewer = user_at(item.key);
      const auto head = read_head(txn_, viewer);
      const auto whole = read_timeline(txn_, viewer);
      for (std::size_t i = 1; i < whole->entries.size(); ++i) {
        if (newer(whole->entries[i - 1], whole->entries[i])) continue;
        note(fmt::format("the timeline of user number {} is out of order", viewer.value));
        break;
      }
      if (const std::uint64_t found = entries_in_parts(viewer); found != head->in_parts) {
        note(
            fmt::format("the parts of the timeline of user number {} hold {} entries instead of {}",
                        viewer.value, found, head->in_parts));
      }
    });
    UserNumber last = kNobody;
    each(Table::kTimelineParts, [&](const Item& item) {
      const UserNumber viewer = user_at(item.key);
      if (std::exchange(last, viewer) == viewer || txn_.get(Table::kTimelines, key(viewer))) return;
      (void)entries_in_parts(viewer);
      note(fmt::format("there are parts of a timeline of user number {}, who has none",
                       viewer.value));
    });
  }

  std::uint64_t entries_in_parts(UserNumber viewer) {
    std::uint64_t found = 0;
    Cursor cursor(txn_, Table::kTimelineParts);
    for (auto item = cursor.at_or_after(key(viewer, kBelowAllPosts));
         item && user_at(item->key) == viewer; item = cursor.next()) {
      RecordReader in(Table::kTimelineParts, item->key, item->value);
      const auto entries = EntryReader(in).all();
      found += entries.size();
      if (!entries.empty() && entries.front().id.value == u64_at(item->key, 4)) continue;
      note(fmt::format("a part of the timeline of user number {} is not what its key says",
                       viewer.value));
    }
    return found;
  }

  // Compares the state's count with all chunks of one state, reading only the head of each.
  void follows() {
    const std::size_t before = problems_.size();
    each(Table::kFollowing, [&](const Item& item) { chunk(Table::kFollowing, item); });
    // The number of edges in unreadable chunks is unknown.
    if (problems_.size() != before || state_.follows_since != 0) return;
    const std::uint64_t found = count_edges(txn_, Table::kFollowing);
    if (found == state_.follows) return;
    note(fmt::format("there are {} follows instead of {}", found, state_.follows));
  }

  void chunk(Table table, const Item& item) {
    const auto edges = decode_chunk(table, item);
    for (std::size_t i = 1; i < edges.size(); ++i) {
      if (edges[i - 1].other < edges[i].other) continue;
      note(fmt::format("edges of user number {} are out of order", user_at(item.key).value));
      break;
    }
  }

  void notices() {
    each(Table::kReaders, [&](const Item& item) {
      const UserNumber user = user_at(item.key);
      std::uint64_t rows = 0;
      Cursor cursor(txn_, Table::kNotifications);
      for (auto row = cursor.at_or_after(key(user, Sequence{0})); row && user_at(row->key) == user;
           row = cursor.next()) {
        ++rows;
      }
      if (decode_reader(item.key, item.value).notifications == rows) return;
      note(fmt::format("the notifications of user number {} are miscounted", user.value));
    });
    UserNumber last = kNobody;
    each(Table::kNotifications, [&](const Item& item) {
      const UserNumber user = decode_notification(item.key, item.value).user;
      if (std::exchange(last, user) == user || txn_.get(Table::kReaders, key(user))) return;
      note(fmt::format("the notifications of user number {} are not counted", user.value));
    });
    each(Table::kTagUses, [](const Item& item) { check_tag_use(item); });
  }

  void spare() {
    if (state_.pairs.built || state_.pairs.stale) return;
    const std::uint64_t rows = spare_rows(txn_);
    if (rows != 0) note(fmt::format("the spare tables of edges hold {} rows without use", rows));
  }

  void log() {
    Sequence expected = state_.log_first;
    each(Table::kEvents, [&](const Item& item) {
      const events::Event event = decode_event(item.key, item.value);
      // older ones may have been deleted meanwhile
      expected = std::max(expected, state_.log_first);
      if (event.sequence != expected) {
        note(fmt::format("event {} is where {} belongs", event.sequence.value, expected.value));
      }
      expected = {event.sequence.value + 1};
    });
    if (expected != state_.log_end) note("the log does not end where the state says");
    each(Table::kFanOutQueue,
         [](const Item& item) { (void)decode_fan_out_row(item.key, item.value); });
  }

  const Txn& txn_;
  const StoredState& state_;
  Walk* walk_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> LmdbSnapshot::problems() const {
  return Inspector(txn_, state_, nullptr).run();
}

std::vector<std::string> LmdbSnapshot::problems_on(Walk& walk) {
  return Inspector(txn_, state_, &walk).run();
}

}  // namespace chirp::lmdb
