#include "store/lmdb/storage.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "store/lmdb/changes.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

const Key<32> kIdentityKey = meta_key("identity");

}  // namespace

void create_store(const std::filesystem::path& folder, const std::filesystem::path& write_lock,
                  const Identity& identity) {
  const auto env = Env::open(folder, write_lock, OpenMode::kCreate);
  env->write([&](WriteTxn& txn) {
    RecordWriter record;
    record.fixed(identity.format_version);
    record.fixed(identity.machine);
    record.text(identity.uuid);
    txn.put(Table::kMeta, kIdentityKey, record.seal(Table::kMeta, kIdentityKey));
    write_first_state(txn);
  });
}

Identity identity_of(const std::shared_ptr<Env>& env) {
  const Env::Reader reader(env);
  const auto value = reader.txn().get(Table::kMeta, kIdentityKey);
  if (!value) throw_corrupt(Table::kMeta, kIdentityKey, "it is not there");
  RecordReader in(Table::kMeta, kIdentityKey, *value);
  Identity identity;
  identity.format_version = in.fixed<std::uint32_t>();
  identity.machine = in.fixed<std::uint32_t>();
  identity.uuid = in.text();
  return identity;
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

bool LmdbStorage::run(Time now, const std::function<Verdict(Batch&)>& body) {
  bool changed = false;
  env_->write([&](WriteTxn& txn) {
    Batch batch(txn, now, machine_);
    changed = body(batch) == Verdict::kCommit;
    // Without a change nothing has been put, and an empty transaction commits without a sync.
    if (changed) batch.finish();
  });
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

void LmdbStorage::drop_timeline(UserNumber viewer) {
  run({}, [&](Batch& batch) {
    return erase_timeline(batch, viewer) ? Verdict::kCommit : Verdict::kNothing;
  });
}

}  // namespace chirp::lmdb
