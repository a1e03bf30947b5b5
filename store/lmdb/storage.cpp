#include "store/lmdb/storage.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/files.h"
#include "store/layout.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/rows.h"

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
  const bool is_first = identity.format_version == 1;
  identity.format_version = version;
  env->write([&](WriteTxn& txn) {
    env->make_tables(txn);
    write_identity(txn, identity);
    if (is_first) extend_first_state(txn);
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

std::map<std::string, std::uint64_t> counted_rows(const std::shared_ptr<Env>& env,
                                                  const std::function<void()>& look) {
  const Env::Reader reader(env);
  std::map<std::string, std::uint64_t> rows;
  for (std::size_t i = 0; i < kTables; ++i) {
    const auto table = static_cast<Table>(i);
    if (is_logical(table)) rows.emplace(kTableNames[i], reader.txn().stat(table).ms_entries);
  }
  rows["follows"] = count_edges(reader.txn(), Table::kFollowing, look);
  return rows;
}

std::unique_ptr<Storage> open_storage(std::shared_ptr<Env> env, store::DiskReserve* reserve) {
  const std::uint32_t machine = identity_of(env).machine;
  return std::make_unique<LmdbStorage>(std::move(env), machine, reserve);
}

std::optional<Error> LmdbStorage::refusal(SpaceUse use) const {
  if (reserve_ == nullptr) return std::nullopt;
  return reserve_->refusal(use, store::DiskReserve::Into::kEngine);
}

bool LmdbStorage::run(Time now, Purpose purpose, const std::function<Verdict(Batch&)>& body) {
  bool changed = false;
  const auto change = [&](WriteTxn& txn) {
    Batch batch(txn, {now, machine_});
    changed = body(batch) == Verdict::kCommit;
    // Without changes nothing was written, and an empty transaction commits without a sync.
    if (changed) batch.finish();
  };
  // Checked again before the file grows: the space may be used by then.
  const auto admit = [&] {
    if (const auto refused = refusal(space_use(purpose))) throw Error(*refused);
  };
  admit();
  const int patience = is_patient(purpose) ? limits::kBusyMs : limits::kStarveMs;
  env_->write(change, {std::chrono::milliseconds(patience), admit});
  return changed;
}

bool LmdbStorage::decide(Time now, Purpose purpose, const Decision& decision) {
  EdgeBudget budget;
  const Clock& clock = store::pace_clock();
  std::int64_t start = 0;  // of the transaction, without the wait for the turn
  const bool changed = run(now, purpose, [&](Batch& batch) {
    start = clock.steady_ns();
    budget = {edge_pace_.at_once(), 0};
    const auto rows = rows_of(batch, &budget);
    return decision(*rows) ? Verdict::kCommit : Verdict::kNothing;
  });
  if (budget.taken != 0) {
    const std::chrono::nanoseconds took(clock.steady_ns() - start);
    edge_pace_.took(budget.taken, budget.at_most, took);
  }
  return changed;
}

std::optional<store::LockFile> try_load_lock(const std::filesystem::path& place) {
  const auto path = store::Layout(place).load_lock();
  auto lock = store::LockFile::try_lock(path, store::LockFile::Kind::kExclusive);
  if (!lock) return lock;
  if (::ftruncate(lock->file().fd(), 0) != 0) store::throw_errno("Writing", path, errno);
  store::write_all(lock->file(), fmt::format("pid {}\n", ::getpid()), path);
  return lock;
}

}  // namespace chirp::lmdb
