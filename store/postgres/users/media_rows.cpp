#include "store/postgres/users/media_rows.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "store/postgres/connection/waiting.h"
#include "store/postgres/users/media_bytes.h"
#include "store/postgres/users/session.h"
#include "store/postgres/users/users_state.h"
#include "store/secrets.h"
#include "store/users/user_row.h"

namespace chirp::postgres {
namespace {

constexpr std::int64_t kRemovedAtOnce = 100;

constexpr std::string_view kUnnamed =
    "select distinct hash from media_bytes b where not exists "
    "(select 1 from media m where m.hash = b.hash)";

std::int64_t stored(MediaId id) { return static_cast<std::int64_t>(id.value); }

// The ids that a row can have, without duplicates.
std::set<MediaId> storable(std::span<const MediaId> uploads) {
  std::set<MediaId> ids;
  for (const MediaId id : uploads) {
    if (users::can_be_stored(id.value)) ids.insert(id);
  }
  return ids;
}

Array array_of(const std::set<MediaId>& ids) {
  Array array(Type::kInt8);
  for (const MediaId id : ids) array.number(stored(id));
  return array;
}

std::vector<std::string> hashes_in(const Result& rows, int column) {
  std::vector<std::string> hashes;
  for (int row = 0; row < rows.rows(); ++row) hashes.push_back(rows.text(row, column));
  return hashes;
}

void lock_all(Connection& connection, std::vector<std::string> hashes) {
  std::sort(hashes.begin(), hashes.end());
  for (const std::string& hash : hashes) send_lock(connection, hash);
}

// An owner's file as found under the locks of both.
struct FoundUpload {
  std::optional<Upload> upload;
  std::uint64_t held_bytes = 0;  // all files of the owner
};

// Throws if the owner is missing or being removed, because the upload would outlast them.
FoundUpload find_locked(PostgresSession& session, UserNumber owner, const std::string& hash) {
  static const std::string kSame =
      users::select_media("where owner = $1::int8 and hash = $2::text");
  session.send("select 1 from users where number = $1::int8 for no key update", owner.value);
  // A separate statement sees what was committed during the wait for the row lock.
  session.send("select 1 from leaving where number = $1::int8", owner.value);
  send_lock(session.connection(), hash);
  session.send(kSame, owner.value, hash);
  session.send("select coalesce(sum(bytes), 0)::int8 from media where owner = $1::int8",
               owner.value);
  std::vector<Result> results = session.connection().receive();
  const std::size_t last = results.size() - 1;
  if (results[last - 4].empty() || !results[last - 3].empty()) {
    throw Error(ErrorCode::kNotFound, "That user is not there any more. Nothing was changed.");
  }
  ResultRows rows(std::move(results[last - 1]));
  return {users::next_upload(session, rows),
          static_cast<std::uint64_t>(results[last].number(0, 0))};
}

}  // namespace

std::unique_ptr<users::SqlSession> PostgresMediaStore::lend() const {
  return std::make_unique<PostgresSession>(connections_);
}

// ---- keep

KeptMedia PostgresMediaStore::keep(UserNumber owner, const MediaFacts& facts,
                                   std::string_view bytes, std::uint64_t most, Time now) {
  using Kept = KeptMedia::Result;
  const std::string hash = store::sha256(bytes);
  PostgresSession session(connections_);
  Connection& connection = session.connection();
  begin_waiting(connection);
  FoundUpload found = find_locked(session, owner, hash);
  const bool fresh = !found.upload;
  const bool has_room = bytes.size() <= most && found.held_bytes <= most - bytes.size();
  if (fresh && !has_room) return {Kept::kTooMuch, {}};
  if (!are_sound(connection, hash)) send_bytes(connection, hash, bytes);
  Upload upload =
      fresh ? Upload{MediaId{store::random_id()}, owner, hash, facts, bytes.size(), now, now}
            : *std::move(found.upload);
  if (fresh) {
    users::send_upload(session, upload);
  } else {
    users::send_renewal(session, upload, now);
  }
  connection.commit();
  return {fresh ? Kept::kNew : Kept::kThereBefore, std::move(upload)};
}

void PostgresMediaStore::restore(const Upload& upload, std::string_view bytes) {
  PostgresSession session(connections_);
  Connection& connection = session.connection();
  begin_waiting(connection);
  send_lock(connection, upload.hash);
  if (!are_sound(connection, upload.hash)) send_bytes(connection, upload.hash, bytes);
  users::insert_upload(session, upload);
  connection.commit();
}

bool PostgresMediaStore::touch_all(std::optional<UserNumber> owner,
                                   std::span<const MediaId> uploads, Time now) {
  if (uploads.empty()) return true;
  const std::set<MediaId> ids = storable(uploads);
  Params params;
  params.add(array_of(ids)).int8(now.ms);
  owner ? params.int8(owner->value) : params.null();
  const auto lent = connections_.lend();
  begin_waiting(*lent);
  const Result touched = lent->run(
      "with there as (select id from media where id = any($1::int8[]) "
      "and owner = coalesce($3::int8, owner) order by id for update) "
      "update media m set idle_since = greatest(m.idle_since, $2::int8, m.created_at + 1) "
      "from there where m.id = there.id",
      std::move(params));
  const std::size_t asked = std::set<MediaId>(uploads.begin(), uploads.end()).size();
  if (owner && touched.changed() != static_cast<std::int64_t>(asked)) return false;
  lent->commit();
  return true;
}

// ---- read

std::shared_ptr<const MediaFile> PostgresMediaStore::open(const Upload& upload) const {
  const auto lent = connections_.lend();
  return open_bytes(*lent, upload.hash);
}

// ---- remove

// Takes the users' turn, so that no upload becomes a picture meanwhile.
std::uint64_t PostgresMediaStore::remove_idle(std::span<const MediaId> uploads, Time before) {
  const Array ids = array_of(storable(uploads));
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  UsersTransaction transaction(connections_, connection);
  const auto hashes =
      hashes_in(connection.run("select distinct hash from media where id = any($1::int8[])",
                               Params().add(ids)),
                0);
  lock_all(connection, hashes);
  const Result removed = connection.run(
      "with doomed as (select id from media o where id = any($1::int8[]) and idle_since < $2::int8 "
      "and not exists (select 1 from users where picture = o.id) order by id for update) "
      "delete from media m using doomed where m.id = doomed.id",
      Params().add(ids).int8(before.ms));
  remove_unnamed(connection, hashes);
  transaction.commit(users::CachedRows::kValid);
  return static_cast<std::uint64_t>(removed.changed());
}

// Removes a hundred at a time, so that others wait for the turn only briefly.
void PostgresMediaStore::remove_of(UserNumber owner) {
  while (remove_some_of(owner)) {
  }
}

bool PostgresMediaStore::remove_some_of(UserNumber owner) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  const Params whose = Params().int8(owner.value);
  if (connection.run("select 1 from media where owner = $1::int8 limit 1", whose).empty()) {
    return false;
  }
  UsersTransaction transaction(connections_, connection);
  connection.send("update users set picture = null where number = $1::int8 and picture is not null",
                  whose);
  const Result rows =
      connection.run("select id, hash from media where owner = $1::int8 order by id limit $2::int8",
                     Params().int8(owner.value).int8(kRemovedAtOnce));
  const auto hashes = hashes_in(rows, 1);
  Array ids(Type::kInt8);
  for (int row = 0; row < rows.rows(); ++row) ids.number(rows.number(row, 0));
  lock_all(connection, hashes);
  connection.send(
      "with doomed as (select id from media where id = any($1::int8[]) order by id for update) "
      "delete from media m using doomed where m.id = doomed.id",
      Params().add(ids));
  remove_unnamed(connection, hashes);
  transaction.commit(users::CachedRows::kStale);
  return true;
}

// ---- check

std::string PostgresMediaStore::damaged_bytes(const Upload& upload) const {
  return are_sound(*connections_.lend(), upload.hash) ? std::string() : upload.hash;
}

std::vector<MediaProblem> PostgresMediaStore::orphans() const {
  const auto left = lend()->rows(fmt::format("{} limit 100", kUnnamed));
  std::vector<MediaProblem> problems;
  while (left->next()) {
    problems.push_back({fmt::format("no upload names the bytes {}", left->text(0)), true});
  }
  return problems;
}

void PostgresMediaStore::repair() {
  PostgresSession session(connections_);
  session.begin();
  users::send_clear_pictures(session);
  remove_unnamed(session.connection(), hashes_in(session.connection().run(kUnnamed), 0));
  session.commit(users::CachedRows::kStale);
}

}  // namespace chirp::postgres
