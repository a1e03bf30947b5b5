// Completes what a dead program, or an older version, has left.
#include "core/pace.h"
#include "store/layout.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/spare_rows.h"
#include "store/lock_file.h"

namespace chirp::lmdb {

void LmdbStorage::settle() {
  if (env_->read_only()) return;
  const StoredState state = read_state(Env::Reader(env_).txn());
  if (state.pairs.built || state.pairs.stale) settle_pairs();
  if (state.early_below != PostId{}) (void)early_entries();
  settle_follows();
}

// A builder holds the lock, so a build without it belongs to a dead program.
bool LmdbStorage::settle_pairs() {
  const auto alone = store::LockFile::try_lock(store::Layout(env_->place()).load_lock(),
                                               store::LockFile::Kind::kExclusive);
  if (!alone) return false;
  end_build();
  empty_spare();
  return true;
}

void LmdbStorage::end_build() {
  run({}, Purpose::kRepair, [](Batch& batch) {
    PairMarks& pairs = batch.state.pairs;
    if (!pairs.built) return Verdict::kNothing;
    pairs.built = false;
    pairs.stale = true;
    return Verdict::kCommit;
  });
}

void LmdbStorage::empty_spare() {
  Pace pace(kSpareRowsFirst, kSpareRowsFirst / 8, kSpareRowsFirst * 8,
            limits::kUpkeepTransactionMs);
  const Clock& clock = store::pace_clock();
  for (bool more = true; more;) {
    const std::size_t rows = pace.rows();
    std::int64_t start = 0;
    more = run({}, Purpose::kRepair, [&](Batch& batch) {
      start = clock.steady_ns();
      PairMarks& pairs = batch.state.pairs;
      if (!pairs.stale || pairs.built) return Verdict::kNothing;
      if (empty_some(batch.txn, rows)) pairs.stale = false;
      return Verdict::kCommit;
    });
    if (more) pace.note(rows, clock.steady_ns() - start);
  }
}

bool LmdbStorage::mark_spare_rows() {
  return run({}, Purpose::kRepair, [](Batch& batch) {
    PairMarks& pairs = batch.state.pairs;
    if (pairs.built || pairs.stale || spare_rows(batch.txn) == 0) return Verdict::kNothing;
    pairs.stale = true;
    return Verdict::kCommit;
  });
}

void LmdbStorage::settle_follows() {
  const auto counted = [](const StoredState& state) { return state.follows_since == 0; };
  if (counted(read_state(Env::Reader(env_).txn()))) return;
  // From this commit on, programs that maintain the count maintain the difference.
  run({}, Purpose::kRepair, [](Batch&) { return Verdict::kCommit; });
  StoredState seen;
  std::uint64_t follows = 0;
  {
    const Env::Reader reader(env_);
    seen = read_state(reader.txn());
    follows = count_edges(reader.txn(), Table::kFollowing);
  }
  run({}, Purpose::kRepair, [&](Batch& batch) {
    StoredState& state = batch.state;
    // Otherwise it is settled, or an older program has written since.
    if (state.follows_since != seen.follows_since || counted(state)) return Verdict::kNothing;
    state.follows += follows - seen.follows;
    state.follows_since = 0;
    return Verdict::kCommit;
  });
}

}  // namespace chirp::lmdb
