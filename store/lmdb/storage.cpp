#include "store/lmdb/storage.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "core/rules/changes.h"
#include "core/rules/removals.h"
#include "core/rules/settings.h"
#include "core/rules/steps.h"
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

bool LmdbStorage::decide(Time now, const std::function<bool(Rows&)>& decision,
                         std::chrono::milliseconds patience) {
  const auto body = [&](Batch& batch) {
    const auto rows = rows_of(batch);
    return decision(*rows) ? Verdict::kCommit : Verdict::kNothing;
  };
  return run(now, body, patience);
}

std::vector<Outcome> LmdbStorage::write(std::span<const Change> changes, Time now) {
  std::vector<Outcome> outcomes;
  decide(now, [&](Rows& rows) { return rules::apply_all(rows, changes, outcomes); });
  return outcomes;
}

bool LmdbStorage::remove_traces(UserNumber user, std::uint32_t limit, Time now) {
  bool gone = false;
  decide(now, [&](Rows& rows) {
    gone = rules::remove_traces(rows, user, limit);
    return true;
  });
  return gone;
}

bool LmdbStorage::remove_post_traces(std::uint32_t limit, Time now) {
  bool gone = true;
  decide(now, [&](Rows& rows) {
    if (rows.state().post_removals == 0) return false;
    gone = rules::remove_post_traces(rows, limit);
    return true;
  });
  return gone;
}

bool LmdbStorage::commit(const FanOutStep& step, Time now) {
  return decide(now, [&](Rows& rows) { return rules::take(rows, step); });
}

bool LmdbStorage::commit(const CounterStep& step, Time now) {
  return decide(now, [&](Rows& rows) { return rules::take(rows, step); });
}

bool LmdbStorage::commit(const NotificationStep& step, Time now) {
  return decide(now, [&](Rows& rows) { return rules::take(rows, step); });
}

bool LmdbStorage::commit(const TrendStep& step, Time now) {
  return decide(now, [&](Rows& rows) { return rules::take(rows, step); });
}

bool LmdbStorage::store(const BuiltTimeline& built, Replace replace, Time now) {
  const bool upkeep = replace == Replace::kKeepValid;
  return decide(
      now, [&](Rows& rows) { return rules::store(rows, built, replace); },
      upkeep ? kUpkeep : std::chrono::milliseconds(limits::kBusyMs));
}

void LmdbStorage::drop_timeline(UserNumber viewer) {
  decide(
      {}, [&](Rows& rows) { return rules::drop_timeline(rows, viewer); }, kUpkeep);
}

void LmdbStorage::note_read(UserNumber viewer, Time now) {
  decide(
      now, [&](Rows& rows) { return rules::note_read(rows, viewer); }, kUpkeep);
}

bool LmdbStorage::mark_feed(UserNumber user, PostId up_to) {
  rules::Marked marked{};
  decide({}, [&](Rows& rows) {
    marked = rules::mark_feed(rows, user, up_to);
    return marked == rules::Marked::kMoved;
  });
  return marked != rules::Marked::kNobody;
}

bool LmdbStorage::mark_notified(UserNumber user, Sequence up_to) {
  return decide({}, [&](Rows& rows) { return rules::mark_notified(rows, user, up_to); });
}

std::uint64_t LmdbStorage::trim_log(Time before, std::uint32_t limit) {
  std::uint64_t dropped = 0;
  decide({}, [&](Rows& rows) {
    dropped = rules::trim_log(rows, before, limit);
    return dropped > 0;
  });
  return dropped;
}

std::uint64_t LmdbStorage::forget_keys(Time before, std::uint32_t limit) {
  std::uint64_t forgotten = 0;
  decide({}, [&](Rows& rows) {
    forgotten = rows.forget_requests(before, limit);
    return forgotten > 0;
  });
  return forgotten;
}

}  // namespace chirp::lmdb
