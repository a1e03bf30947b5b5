// The end of a bulk load: changes by others since it began, and the exchange of the tables.
#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/rules/counters.h"
#include "core/rules/loads.h"
#include "core/rules/settings.h"
#include "store/lmdb/edge_build.h"
#include "store/lmdb/records.h"
#include "store/lmdb/rows.h"

namespace chirp::lmdb {
namespace {

constexpr std::size_t kNotesAtOnce = 50'000;
constexpr std::size_t kRowsAtOnce = 2'000;
constexpr std::uint64_t kEdgesAtOnce = 100'000;  // edges of rows computed in one transaction
// If others write faster than this catches up, the last transaction is longer.
constexpr int kRoundsMax = 200;
// If more tiers change, they are set in turns afterwards, as after a change of their bounds.
constexpr std::size_t kTiersAtOnce = 2'000;

constexpr std::uint64_t row_number(UserNumber user, Table table) {
  return edge_number(user, UserNumber{static_cast<std::uint32_t>(table)});
}

bool is_kept_now(const Txn& txn, UserNumber user) {
  const auto k = key(user);
  const auto card = txn.get(Table::kCards, k);
  return card && presence_of({k, *card}) != Presence::kRemoved;
}

// Erases a user's chunks.
void erase_row_of(WriteTxn& txn, Table table, UserNumber user) {
  std::vector<std::string> keys;
  {
    Cursor cursor(txn, table);
    for (auto item = cursor.at_or_after(key(user, kNobody)); item && user_at(item->key) == user;
         item = cursor.next()) {
      keys.emplace_back(item->key);
    }
  }
  for (const std::string& k : keys) txn.erase(table, k);
}

Table spare_of(Table table) {
  for (const TablePair& pair : kPairs) {
    if (pair.in_use == table) return pair.spare;
  }
  return table;
}

}  // namespace

std::vector<Edge> EdgeBuild::staged_of(Table table, UserNumber user) const {
  const EdgeRuns& runs = table == Table::kFollowing ? by_follower_ : by_followee_;
  std::vector<Edge> staged;
  if (runs.runs() == 0) return staged;
  EdgeRuns::Cursor cursor(runs, 0, edge_number(user, kNobody), 0);
  for (; !cursor.done() && upper_of(cursor.edge()) == user; cursor.next()) {
    staged.push_back({lower_of(cursor.edge()), cursor.since()});
  }
  return staged;
}

void EdgeBuild::take_note(Bytes note, Changes& changes) const {
  const UserNumber user = user_at(note);
  const auto table = static_cast<Table>(user_at(note, 4).value);
  if (table == Table::kRelations) {
    const UserNumber other = user_at(note, 8);
    changes.blocks.insert(edge_number(user, other));
    changes.blocks.insert(edge_number(other, user));
    for (const UserNumber one : {user, other}) {
      changes.due.insert(row_number(one, Table::kFollowing));
      changes.due.insert(row_number(one, Table::kFollowers));
    }
    return;
  }
  if (table != Table::kRemovals) {
    changes.due.insert(row_number(user, table));
    return;
  }
  if (!changes.removed.insert(user.value).second) return;
  changes.due.insert(row_number(user, Table::kFollowing));
  changes.due.insert(row_number(user, Table::kFollowers));
  for (const Edge& edge : staged_of(Table::kFollowing, user)) {
    changes.due.insert(row_number(edge.other, Table::kFollowers));
  }
  for (const Edge& edge : staged_of(Table::kFollowers, user)) {
    changes.due.insert(row_number(edge.other, Table::kFollowing));
  }
}

std::vector<std::string> EdgeBuild::read_notes(const Txn& txn, std::size_t limit,
                                               Changes& changes) const {
  std::vector<std::string> notes;
  Cursor cursor(txn, Table::kRebuilt);
  for (auto item = cursor.first(); item && notes.size() < limit; item = cursor.next()) {
    notes.emplace_back(item->key);
    take_note(item->key, changes);
  }
  return notes;
}

// Computes a row of edges: the current ones and the permitted staged ones. Returns their number.
std::uint64_t EdgeBuild::compute_side(Batch& batch, Table table, UserNumber user,
                                      Changes& changes) const {
  std::vector<Edge> row;
  {
    Cursor cursor(batch.txn, table);
    for (auto item = cursor.at_or_after(key(user, kNobody)); item && user_at(item->key) == user;
         item = cursor.next()) {
      const auto chunk = decode_chunk(table, *item);
      row.insert(row.end(), chunk.begin(), chunk.end());
    }
  }
  const auto is_gone = [&](UserNumber one) {
    return changes.removed.contains(one.value) && !is_kept_now(batch.txn, one);
  };
  Recomputed result;
  const bool is_user_gone = is_gone(user);
  std::vector<Edge> all;
  auto old = row.begin();
  std::uint64_t added = 0;
  for (const auto& [other, since] : staged_of(table, user)) {
    for (; old != row.end() && old->other < other; ++old) all.push_back(*old);
    if (old != row.end() && old->other == other) {
      ++result.duplicates;
    } else if (is_user_gone || is_gone(other)) {
      ++result.missing;
    } else if (changes.blocks.contains(edge_number(user, other)) &&
               is_severed(batch.txn, user, other)) {
      ++result.severed;
    } else {
      all.push_back({other, since});
      ++added;
    }
  }
  all.insert(all.end(), old, row.end());
  Recomputed& known = changes.recomputed[user.value];
  if (table == Table::kFollowing) {
    result.following = added;
    result.followers = known.followers;
    known = result;
  } else {
    known.followers = added;
  }

  const Table spare = spare_of(table);
  erase_row_of(batch.txn, spare, user);
  encode_chunks(batch.record, table, user, all,
                [&](Bytes k, Bytes value) { batch.txn.put(spare, k, value); });
  return all.size();
}

void EdgeBuild::compute_counters(Batch& batch, UserNumber user, Changes& changes) const {
  const auto found = changes.recomputed.find(user.value);
  const auto added = [&](Table table, std::uint64_t recomputed) {
    return static_cast<std::int64_t>(
        found != changes.recomputed.end() ? recomputed : staged_of(table, user).size());
  };
  const Recomputed known = found != changes.recomputed.end() ? found->second : Recomputed{};
  const std::int64_t following = added(Table::kFollowing, known.following);
  const std::int64_t followers = added(Table::kFollowers, known.followers);
  if (followers != 0) changes.counted.insert(user);
  const auto k = key(user);
  const auto row = batch.txn.get(Table::kCounters, k);
  if (!row && following == 0 && followers == 0) {
    batch.txn.erase(Table::kSpareCounters, k);
    return;
  }
  UserCounters counters = row ? decode_counters(k, *row) : UserCounters{};
  counters.following += following;
  counters.followers += followers;
  batch.record.start();
  const std::uint8_t flags = encode_counters(batch.record, counters);
  batch.txn.put(Table::kSpareCounters, k, batch.record.seal(Table::kCounters, k, flags));
}

// Computes both sides and the counters of a due user together, because they must agree.
void EdgeBuild::compute(Batch& batch, std::uint64_t due, Changes& changes) const {
  const UserNumber user = upper_of(due);
  const auto table = static_cast<Table>(lower_of(due).value);
  if (table != Table::kCounters) {
    if (!changes.recomputed.contains(user.value)) {
      // All edges that were staged when the row was built are stored, except those found now.
      changes.recomputed[user.value] = {.following = staged_of(Table::kFollowing, user).size(),
                                        .followers = staged_of(Table::kFollowers, user).size()};
    }
    compute_side(batch, table, user, changes);
  }
  compute_counters(batch, user, changes);
}

void EdgeBuild::catch_up(const Turn& turn) {
  phase_ = BulkPhase::kChanges;
  share_ = 0;
  bool done = false;
  for (int round = 0; !done; ++round) {
    const bool at_any_rate = round >= kRoundsMax;
    if (changes_.due.size() <= options_.changes_at_end || at_any_rate) {
      turn([&] {
        done = storage_.run(now_, Purpose::kLoad, [&](Batch& batch) {
          return exchange(batch, at_any_rate) ? LmdbStorage::Verdict::kCommit
                                              : LmdbStorage::Verdict::kNothing;
        });
        if (done) share_ = 1;
      });
      if (done) break;
    }
    // A transaction may run several times, so its results are kept only after its commit.
    Changes after = changes_;
    bool is_again = false;
    turn([&] {
      storage_.run(now_, Purpose::kLoad, [&](Batch& batch) {
        if (std::exchange(is_again, true)) after = changes_;
        for (const std::string& note : read_notes(batch.txn, kNotesAtOnce, after)) {
          batch.txn.erase(Table::kRebuilt, note);
        }
        std::uint64_t edges = 0;
        for (std::size_t i = 0; i < kRowsAtOnce && edges < kEdgesAtOnce && !after.due.empty();
             ++i) {
          const std::uint64_t due = *after.due.begin();
          after.due.erase(after.due.begin());
          compute(batch, due, after);
          edges += staged_of(Table::kFollowers, upper_of(due)).size();
        }
        return LmdbStorage::Verdict::kCommit;
      });
    });
    changes_ = std::move(after);
  }
}

LoadCounts EdgeBuild::counts_with(const Changes& changes) const {
  LoadCounts counts = counts_;
  counts.stored = by_follower_.edges();
  for (const auto& [user, result] : changes.recomputed) {
    counts.stored -= result.duplicates + result.missing + result.severed;
    counts.duplicates += result.duplicates;
    counts.missing += result.missing;
    counts.severed += result.severed;
  }
  return counts;
}

// The last transaction. Returns false, with nothing written, if there is too much work for one.
bool EdgeBuild::exchange(Batch& batch, bool at_any_rate) {
  Changes changes = changes_;
  const std::size_t most = 4 * std::max<std::size_t>(options_.changes_at_end, 1);
  if (!at_any_rate && batch.txn.stat(Table::kRebuilt).ms_entries > most) return false;
  (void)read_notes(batch.txn, ~std::size_t{0}, changes);
  if (!at_any_rate && changes.due.size() > most) return false;
  batch.txn.erase_all(Table::kRebuilt);
  while (!changes.due.empty()) {
    const std::uint64_t due = *changes.due.begin();
    changes.due.erase(changes.due.begin());
    compute(batch, due, changes);
  }
  const LoadCounts counts = counts_with(changes);
  StoredState& state = batch.state;
  const auto rows = rows_of(batch);
  if (counts.stored != 0) {
    rules::log_load(*rows, counts.stored, rules::Entries::kMade);
    change_tiers(batch, changes);
  }
  state.follows += counts.stored;
  state.pairs.second = !state.pairs.second;
  state.pairs.built = false;
  state.pairs.stale = true;
  told_ = counts;
  return true;
}

// Uses the new counters, which are current from this transaction on.
void EdgeBuild::change_tiers(Batch& batch, const Changes& changes) const {
  std::set<UserNumber> users = changes.counted;
  users.insert(tiers_.begin(), tiers_.end());
  const auto rows = rows_of(batch);
  if (users.size() > kTiersAtOnce || !(batch.state.settings == settings_)) {
    rules::note_tiers_due(*rows, UserNumber{1});
    return;
  }
  for (const UserNumber user : users) {
    const auto k = key(user);
    const auto row = batch.txn.get(Table::kSpareCounters, k);
    if (row) rules::retier(*rows, user, decode_counters(k, *row).followers);
  }
}

}  // namespace chirp::lmdb
