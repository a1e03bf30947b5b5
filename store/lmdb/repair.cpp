// Repairs what other records determine: indexes, the reverse direction of edges, counts.
#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/counters.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/mending.h"
#include "store/lmdb/rows.h"
#include "store/lmdb/table_rows.h"

namespace chirp::lmdb {
namespace {

// Erases unreadable rows: their content is written again from the log and the posts.
MendingStep weed_unreadable(Table table, std::function<void(const Item&)> read) {
  return mend_by(table,
                 [table, read = std::move(read)](const Txn&, const Item& item, WantedRows& wanted) {
                   try {
                     read(item);
                   } catch (const Error& error) {
                     if (error.code() != ErrorCode::kCorrupt) throw;
                     wanted.none(table, item.key);
                   }
                 });
}

// An edge in only one direction is added to the other: no user loses a follow.
MendingStep mend_edges(Table from, Table to) {
  return [from, to](Batch& batch, const std::string& after) {
    std::vector<std::pair<UserNumber, Edge>> missing;  // to be added to the other direction
    Mended mended;
    mended.reached = visit_some(batch.txn, from, after, [&](const Item& item) {
      const UserNumber user = user_at(item.key);
      const std::vector<Edge> edges = decode_chunk(from, item);
      for (const Edge& edge : edges) {
        if (!read_edge(batch.txn, to, edge.other, user)) {
          missing.push_back({edge.other, Edge{user, edge.since}});
        }
      }
      return std::max<std::size_t>(edges.size(), 1);
    });
    std::stable_sort(missing.begin(), missing.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    EdgeMerger merger(batch, to);
    for (const auto& [user, edge] : missing) merger.add(user, {&edge, 1});
    mended.rows = missing.size();
    return mended;
  };
}

// Stores a reader's number of notifications. Returns the number of rows written.
std::uint64_t put_count(Batch& batch, UserNumber user, std::uint64_t count) {
  auto reader = row_or_zeros<tables::Readers>(batch.txn, {user});
  if (reader.notifications == count) return 0;
  reader.notifications = count;
  rows_of(batch)->put(tables::Readers::Key{user}, reader);
  return 1;
}

// Counts all notifications of a user in one step; their number is bounded.
Mended count_notifications(Batch& batch, const std::string& after) {
  std::vector<std::pair<UserNumber, std::uint64_t>> counts;
  Mended mended;
  {
    Cursor cursor(batch.txn, Table::kNotifications);
    auto item = first_above(cursor, after);
    for (std::size_t seen = 0; item && seen < kMendedRows;) {
      const UserNumber user = user_at(item->key);
      std::uint64_t count = 0;
      for (; item && user_at(item->key) == user; item = cursor.next()) {
        mended.reached = item->key;
        ++count;
      }
      counts.emplace_back(user, count);
      seen += count;
    }
    if (!item) mended.reached.reset();
  }
  for (const auto& [user, count] : counts) mended.rows += put_count(batch, user, count);
  return mended;
}

// Stores a count of 0 for readers without notifications.
Mended count_none(Batch& batch, const std::string& after) {
  std::vector<UserNumber> none;
  Mended mended;
  Cursor told(batch.txn, Table::kNotifications);
  mended.reached = visit_some(batch.txn, Table::kReaders, after, [&](const Item& item) {
    const UserNumber user = user_at(item.key);
    const auto first = told.at_or_after(key(user, Sequence{}));
    if (!first || user_at(first->key) != user) none.push_back(user);
    return std::size_t{1};
  });
  for (const UserNumber user : none) mended.rows += put_count(batch, user, 0);
  return mended;
}

// Marks that the current policy can't have left are set as at a change of policy.
Mended settle_marks(Batch& batch, const std::string& /*after*/) {
  const feed::Policy policy = batch.state.settings.policy;
  Mended mended;
  const PostId all = feed::push_from_all(batch.state.push_from_all, policy, batch.next_id());
  if (all != batch.state.push_from_all) {
    batch.state.push_from_all = all;
    ++mended.rows;
  }
  const auto rows = rows_of(batch);
  for (const feed::AuthorMark& mark :
       reads::rows_above<tables::Marks>(*rows, {kNobody}, ~std::uint32_t{0})) {
    const feed::AuthorMark due = feed::under_policy(mark, policy, batch.next_id());
    if (due == mark) continue;
    rules::put_mark(*rows, due);
    ++mended.rows;
  }
  return mended;
}

// Counts the tables for the state. Returns true if the state had other counts.
bool count_tables(Batch& batch) {
  bool changed = false;
  for (const auto& [said, table] : said_rows(batch.state)) {
    const std::uint64_t rows = batch.txn.stat(table).ms_entries;
    changed = changed || *said != rows;
    *said = rows;
  }
  return changed;
}

std::vector<MendingStep> steps() {
  std::vector<MendingStep> all;
  for (const IndexCheck& check : index_checks()) all.push_back(mend_by(check.table, check.look));
  all.push_back(mend_edges(Table::kFollowing, Table::kFollowers));
  all.push_back(mend_edges(Table::kFollowers, Table::kFollowing));
  all.push_back(weed_unreadable(Table::kNotifications, [](const Item& item) {
    (void)decode_notification(item.key, item.value);
  }));
  all.push_back(weed_unreadable(Table::kTagUses, check_tag_use));
  all.emplace_back(count_notifications);
  all.emplace_back(count_none);
  all.emplace_back(settle_marks);
  return all;
}

}  // namespace

std::uint64_t LmdbStorage::repair_indexes(Time now) {
  std::uint64_t rows = 0;
  for (const MendingStep& step : steps()) {
    std::optional<std::string> reached = std::string();
    while (reached) {
      Mended mended;
      run(now, Purpose::kRepair, [&](Batch& batch) {
        mended = step(batch, *reached);
        const bool miscounted = count_tables(batch);
        // Timelines may have been built from damaged rows.
        if (mended.rows > 0) ++batch.state.generation;
        const bool changed = mended.rows > 0 || miscounted;
        if (changed) ++batch.state.unlogged;
        return changed ? Verdict::kCommit : Verdict::kNothing;
      });
      rows += mended.rows;
      reached = std::move(mended.reached);
    }
  }
  if (mark_spare_rows()) ++rows;
  settle();
  return rows + recount_follows(now);
}

// Returns the number of corrected counts. If an edge is unreadable, no count is stored.
std::uint64_t LmdbStorage::recount_follows(Time now) try {
  bool wrong = false;
  {
    const Env::Reader reader(env_);
    const StoredState state = read_state(reader.txn());
    const bool kept = state.follows_since == 0;
    wrong = kept && state.follows != count_edges(reader.txn(), Table::kFollowing);
  }
  const auto forget = [](Batch& batch) {
    batch.state.follows_since = batch.txn.id();
    return Verdict::kCommit;
  };
  if (wrong) run(now, Purpose::kRepair, forget);
  settle_follows();
  return wrong ? 1 : 0;
} catch (const Error& error) {
  if (error.code() != ErrorCode::kCorrupt) throw;
  return 0;
}

}  // namespace chirp::lmdb
