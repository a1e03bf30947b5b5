#include "store/lmdb/storage.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "store/lmdb/changes.h"
#include "store/lmdb/comments.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/reactions.h"
#include "store/lmdb/removals.h"
#include "store/lmdb/reposts.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

const Key<32> kIdentityKey = meta_key("identity");

void write_identity(WriteTxn& txn, const Identity& identity) {
  RecordWriter record;
  record.fixed(identity.format_version);
  record.fixed(identity.machine);
  record.text(identity.uuid);
  txn.put(Table::kMeta, kIdentityKey, record.seal(Table::kMeta, kIdentityKey));
}

Identity read_identity(const Txn& txn) {
  const auto value = txn.get(Table::kMeta, kIdentityKey);
  if (!value) throw_corrupt(Table::kMeta, kIdentityKey, "it is not there");
  RecordReader in(Table::kMeta, kIdentityKey, *value);
  Identity identity;
  identity.format_version = in.fixed<std::uint32_t>();
  identity.machine = in.fixed<std::uint32_t>();
  identity.uuid = in.text();
  return identity;
}

}  // namespace

void create_store(const std::filesystem::path& folder, const std::filesystem::path& write_lock,
                  const Identity& identity) {
  const auto env = Env::open(folder, write_lock, OpenMode::kCreate);
  env->write([&](WriteTxn& txn) {
    write_identity(txn, identity);
    write_first_state(txn);
  });
}

bool migrate_store(const std::filesystem::path& folder, const std::filesystem::path& write_lock,
                   std::uint32_t version) {
  const auto env = Env::open(folder, write_lock, OpenMode::kOlder);
  Identity identity = identity_of(env);
  if (identity.format_version == version) return false;
  identity.format_version = version;
  env->write([&](WriteTxn& txn) {
    env->make_tables(txn);
    write_identity(txn, identity);
    extend_first_state(txn);
  });
  return true;
}

Identity identity_of(const std::shared_ptr<Env>& env) {
  const Env::Reader reader(env);
  return read_identity(reader.txn());
}

UserNumber highest_number(const std::shared_ptr<Env>& env) {
  const Env::Reader reader(env);
  Cursor cursor(reader.txn(), Table::kCards);
  const auto last = cursor.last();
  return last ? user_at(last->key) : kNobody;
}

std::unique_ptr<Storage> open_storage(std::shared_ptr<Env> env) {
  const std::uint32_t machine = identity_of(env).machine;
  return std::make_unique<LmdbStorage>(std::move(env), machine);
}

bool LmdbStorage::run(Time now, const std::function<Verdict(Batch&)>& body,
                      std::chrono::milliseconds patience) {
  bool changed = false;
  const auto change = [&](WriteTxn& txn) {
    Batch batch(txn, now, machine_);
    changed = body(batch) == Verdict::kCommit;
    // Without a change nothing has been put, and an empty transaction commits without a sync.
    if (changed) batch.finish();
  };
  env_->write(change, patience);
  return changed;
}

std::vector<Outcome> LmdbStorage::write(std::span<const Change> changes, Time now) {
  std::vector<Outcome> outcomes;
  run(now, [&](Batch& batch) {
    outcomes.clear();
    bool changed = false;
    for (const Change& change : changes) {
      outcomes.push_back(std::visit([&](const auto& c) { return apply(batch, c); }, change));
      changed = changed || outcomes.back().result == Result::kDone;
    }
    return changed ? Verdict::kCommit : Verdict::kNothing;
  });
  return outcomes;
}

bool LmdbStorage::remove_traces(UserNumber user, std::uint32_t rows, Time now) {
  bool gone = false;
  run(now, [&](Batch& batch) {
    gone = remove_some_traces(batch, user, rows);
    return Verdict::kCommit;
  });
  return gone;
}

bool LmdbStorage::remove_post_traces(std::uint32_t rows, Time now) {
  bool gone = true;
  run(now, [&](Batch& batch) {
    if (batch.state.post_removals == 0) return Verdict::kNothing;
    gone = remove_some_post_traces(batch, rows);
    return Verdict::kCommit;
  });
  return gone;
}

void LmdbStorage::drop_timeline(UserNumber viewer) {
  const auto drop = [&](Batch& batch) {
    return erase_timeline(batch, viewer) ? Verdict::kCommit : Verdict::kNothing;
  };
  run({}, drop, kUpkeep);
}

}  // namespace chirp::lmdb
