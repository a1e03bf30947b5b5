// Damage that only the store itself can see: records that fail their check, indexes that name no
// record and records without an index, counts in the state that are not the tables'.
#include <functional>
#include <map>

#include <fmt/format.h>

#include "core/error.h"
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
  Inspector(const Txn& txn, const StoredState& state) : txn_(txn), state_(state) {}

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
  // Walks a table; what is thrown about a row is noted, and the walk goes on.
  std::uint64_t each(Table table, const std::function<void(const Item&)>& look) {
    std::uint64_t rows = 0;
    Cursor cursor(txn_, table);
    try {
      for (auto item = cursor.first(); item; item = cursor.next(), ++rows) {
        try {
          look(*item);
        } catch (const Error& error) {
          note(error.what());
        }
      }
    } catch (const Error& error) {
      note(error.what());  // here it ends, since what follows is out of order
    }
    return rows;
  }

  // Each record has its rows in the indexes. An index that has others besides is looked through.
  void indexes() {
    Wanted wanted;
    std::size_t named = 0;
    for (const IndexCheck& check : index_checks()) {
      if (check.is_index && txn_.stat(check.table).ms_entries == wanted.rows(check.table)) continue;
      each(check.table, [&](const Item& item) {
        check.look(txn_, item, wanted);
        for (; named < wanted.fixes().size(); ++named) name(wanted.fixes()[named]);
      });
    }
  }

  void name(const Fix& fix) {
    std::string key;
    for (const char byte : fix.key) key += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    const char* const wrong = fix.value ? "a record is not there, or not as it should be, in"
                                        : "nothing is what stands in";
    note(fmt::format("{} the index {} at {}", wrong, kTableNames[static_cast<unsigned>(fix.table)],
                     key));
  }

  void counts() {
    StoredState said = state_;
    for (const auto& [number, table] : said_rows(said)) expect_rows(table, *number);
  }

  void timelines() {
    std::uint64_t in_parts = 0;
    each(Table::kTimelines, [&](const Item& item) {
      const UserNumber viewer = user_at(item.key);
      const auto head = read_head(txn_, viewer);
      in_parts += head->in_parts;
      const auto whole = read_timeline(txn_, viewer);
      for (std::size_t i = 1; i < whole->entries.size(); ++i) {
        if (newer(whole->entries[i - 1], whole->entries[i])) continue;
        note(fmt::format("the timeline of user number {} is out of order", viewer.value));
        break;
      }
    });
    std::uint64_t found = 0;
    each(Table::kTimelineParts, [&](const Item& item) {
      RecordReader in(Table::kTimelineParts, item.key, item.value);
      const auto entries = EntryReader(in).all();
      found += entries.size();
      if (entries.empty() || entries.front().id.value != u64_at(item.key, 4)) {
        note(fmt::format("a part of the timeline of user number {} is not what its key says",
                         user_at(item.key).value));
      }
    });
    if (found != in_parts) {
      note(fmt::format("the parts of timelines hold {} entries instead of {}", found, in_parts));
    }
  }

  void follows() {
    const std::size_t before = problems_.size();
    std::uint64_t found = 0;
    each(Table::kFollowing, [&](const Item& item) { found += chunk(Table::kFollowing, item); });
    // Of chunks that can't be read nobody knows how many edges they hold.
    const bool all_read = problems_.size() == before;
    if (!all_read || state_.follows_since != 0 || found == state_.follows) return;
    note(fmt::format("there are {} follows instead of {}", found, state_.follows));
  }

  // How many edges it holds.
  std::size_t chunk(Table table, const Item& item) {
    const auto edges = decode_chunk(table, item);
    for (std::size_t i = 1; i < edges.size(); ++i) {
      if (edges[i - 1].other < edges[i].other) continue;
      note(fmt::format("edges of user number {} are out of order", user_at(item.key).value));
      break;
    }
    return edges.size();
  }

  void notices() {
    std::map<UserNumber, std::uint64_t> counts;
    each(Table::kNotifications,
         [&](const Item& item) { ++counts[decode_notification(item.key, item.value).user]; });
    each(Table::kReaders, [&](const Item& item) {
      const auto found = counts.extract(user_at(item.key));
      const std::uint64_t rows = found.empty() ? 0 : found.mapped();
      if (decode_reader(item.key, item.value).notifications == rows) return;
      note(fmt::format("the notifications of user number {} are miscounted",
                       user_at(item.key).value));
    });
    for (const auto& [user, rows] : counts) {
      note(fmt::format("the notifications of user number {} are not counted", user.value));
    }
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
      if (event.sequence != expected) {
        note(fmt::format("event {} stands where {} belongs", event.sequence.value, expected.value));
      }
      expected = {event.sequence.value + 1};
    });
    if (expected != state_.log_end) note("the log does not end where the state says");
    each(Table::kFanOutQueue,
         [](const Item& item) { (void)decode_fan_out_row(item.key, item.value); });
  }

  const Txn& txn_;
  const StoredState& state_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> LmdbSnapshot::problems() const { return Inspector(txn_, state_).run(); }

}  // namespace chirp::lmdb
