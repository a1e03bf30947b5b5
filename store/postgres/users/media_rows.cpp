#include "store/postgres/users/media_rows.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/last_sweep.h"
#include "store/postgres/connection/waiting.h"
#include "store/postgres/users/media_bytes.h"
#include "store/postgres/users/users_state.h"
#include "store/secrets.h"
#include "store/users/stored_user.h"

namespace chirp::postgres {
namespace {

constexpr std::int64_t kRemovedAtOnce = 100;

enum MediaColumn : int {
  kId,
  kOwner,
  kHash,
  kType,
  kBytes,
  kWidth,
  kHeight,
  kCreatedAt,
  kIdleSince
};

std::int64_t stored(MediaId id) { return static_cast<std::int64_t>(id.value); }

std::string select_media(std::string_view rest) {
  return fmt::format(
      "select id, owner, hash, type, bytes, width, height, created_at, idle_since from media {}",
      rest);
}

Upload upload_of(const Result& result, int row) {
  const auto natural = [&](MediaColumn column) {
    return static_cast<std::uint64_t>(result.number(row, column));
  };
  const auto type = media_type_of(natural(kType));
  Upload upload;
  upload.id = MediaId{natural(kId)};
  upload.owner = UserNumber{static_cast<std::uint32_t>(natural(kOwner))};
  upload.hash = result.text(row, kHash);
  upload.bytes = natural(kBytes);
  if (!type || upload.bytes > limits::kMediaBytesMax) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("The database is damaged: the upload {} has no type, or no size that a "
                            "file can have. Run `chirp doctor`.",
                            upload.id.value));
  }
  upload.facts = {*type, static_cast<std::uint32_t>(natural(kWidth)),
                  static_cast<std::uint32_t>(natural(kHeight))};
  upload.created_at = Time{result.number(row, kCreatedAt)};
  upload.idle_since = Time{result.number(row, kIdleSince)};
  return upload;
}

std::vector<Upload> uploads_above(Connection& connection, MediaId after, std::uint32_t limit) {
  static const std::string kAll = select_media("where id > $1::int8 order by id limit $2::int8");
  std::vector<Upload> uploads;
  if (!users::can_be_stored(after.value)) return uploads;
  const Result rows = connection.run(kAll, Params().int8(stored(after)).int8(limit));
  for (int row = 0; row < rows.rows(); ++row) uploads.push_back(upload_of(rows, row));
  return uploads;
}

std::optional<Upload> one_upload(const Result& result) {
  if (result.empty()) return std::nullopt;
  return upload_of(result, 0);
}

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

void send_insert(Connection& connection, const Upload& upload) {
  connection.send(
      "insert into media (id, owner, hash, type, bytes, width, height, created_at, idle_since) "
      "values ($1::int8, $2::int8, $3::text, $4::int2, $5::int8, $6::int8, $7::int8, $8::int8, "
      "$9::int8) on conflict do nothing",
      Params()
          .int8(stored(upload.id))
          .int8(upload.owner.value)
          .text(upload.hash)
          .int2(static_cast<std::int16_t>(upload.facts.type))
          .int8(static_cast<std::int64_t>(upload.bytes))
          .int8(upload.facts.width)
          .int8(upload.facts.height)
          .int8(upload.created_at.ms)
          .int8(upload.idle_since.ms));
}

// An owner's file as found under the locks of both.
struct FoundUpload {
  std::optional<Upload> upload;
  std::uint64_t held_bytes = 0;  // all files of the owner
};

// Throws if the owner is missing or being removed, because the upload would outlast them.
FoundUpload find_locked(Connection& connection, UserNumber owner, const std::string& hash) {
  static const std::string kSame = select_media("where owner = $1::int8 and hash = $2::text");
  connection.send("select 1 from users where number = $1::int8 for no key update",
                  Params().int8(owner.value));
  // A separate statement sees what was committed during the wait for the row lock.
  connection.send("select 1 from leaving where number = $1::int8", Params().int8(owner.value));
  send_lock(connection, hash);
  connection.send(kSame, Params().int8(owner.value).text(hash));
  connection.send("select coalesce(sum(bytes), 0)::int8 from media where owner = $1::int8",
                  Params().int8(owner.value));
  const std::vector<Result> results = connection.receive();
  const std::size_t last = results.size() - 1;
  if (results[last - 4].empty() || !results[last - 3].empty()) {
    throw Error(ErrorCode::kNotFound, "That user is not there any more. Nothing was changed.");
  }
  return {one_upload(results[last - 1]), static_cast<std::uint64_t>(results[last].number(0, 0))};
}

}  // namespace

// ---- keep

KeptMedia PostgresMediaStore::keep(UserNumber owner, const MediaFacts& facts,
                                   std::string_view bytes, std::uint64_t most, Time now) {
  using Kept = KeptMedia::Result;
  const std::string hash = store::sha256(bytes);
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  begin_waiting(connection);
  FoundUpload found = find_locked(connection, owner, hash);
  const bool fresh = !found.upload;
  const bool has_room = bytes.size() <= most && found.held_bytes <= most - bytes.size();
  if (fresh && !has_room) return {Kept::kTooMuch, {}};
  if (!are_sound(connection, hash)) send_bytes(connection, hash, bytes);
  Upload upload =
      fresh ? Upload{MediaId{store::random_id()}, owner, hash, facts, bytes.size(), now, now}
            : *std::move(found.upload);
  if (fresh) {
    send_insert(connection, upload);
  } else {
    upload.created_at = upload.idle_since = std::max(upload.idle_since, now);
    connection.send(
        "update media set created_at = $2::int8, idle_since = $2::int8 where id = $1::int8",
        Params().int8(stored(upload.id)).int8(upload.idle_since.ms));
  }
  connection.commit();
  return {fresh ? Kept::kNew : Kept::kThereBefore, std::move(upload)};
}

void PostgresMediaStore::restore(const Upload& upload, std::string_view bytes) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  begin_waiting(connection);
  send_lock(connection, upload.hash);
  if (!are_sound(connection, upload.hash)) send_bytes(connection, upload.hash, bytes);
  send_insert(connection, upload);
  if (connection.receive().back().changed() != 1) {
    throw Error(
        ErrorCode::kAlreadyExists,
        fmt::format("There is an upload {} already. Nothing was changed.", upload.id.value));
  }
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

// ---- find

std::optional<Upload> PostgresMediaStore::find(MediaId id) const {
  static const std::string kById = select_media("where id = $1::int8");
  if (!users::can_be_stored(id.value)) return std::nullopt;
  const auto lent = connections_.lend();
  return one_upload(lent->run(kById, Params().int8(stored(id))));
}

std::shared_ptr<const MediaFile> PostgresMediaStore::open(const Upload& upload) const {
  const auto lent = connections_.lend();
  return open_bytes(*lent, upload.hash);
}

std::vector<Upload> PostgresMediaStore::scan(MediaId after, std::uint32_t limit) const {
  const auto lent = connections_.lend();
  return uploads_above(*lent, after, limit);
}

// ---- remove

std::vector<MediaId> PostgresMediaStore::idle(Time before, std::uint32_t limit) const {
  const auto lent = connections_.lend();
  const Result rows = lent->run(
      "select id from media where idle_since < $1::int8 order by idle_since limit $2::int8",
      Params().int8(before.ms).int8(limit));
  std::vector<MediaId> ids;
  for (int row = 0; row < rows.rows(); ++row) {
    ids.push_back(MediaId{static_cast<std::uint64_t>(rows.number(row, 0))});
  }
  return ids;
}

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
  transaction.commit(UsersTransaction::Change::kNone);
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
  transaction.commit(UsersTransaction::Change::kMoved);
  return true;
}

bool PostgresMediaStore::begin_sweep(Time now, Time since) {
  const auto lent = connections_.lend();
  const Result noted =
      lent->run("select media_swept from users_state where exists (select 1 from media)");
  if (noted.empty()) return false;
  LastSweep last{noted.number(0, 0)};
  const std::int64_t before = last.noted;
  const bool begins = last.begin(now, since);
  if (last.noted == before) return false;
  // Only one of several concurrent processes starts the sweep.
  const Result first =
      lent->run("update users_state set media_swept = $2::int8 where media_swept = $1::int8",
                Params().int8(before).int8(last.noted));
  return begins && first.changed() == 1;
}

// ---- check

std::vector<MediaProblem> PostgresMediaStore::problems() const {
  constexpr std::uint32_t kScan = 1000;
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  std::vector<MediaProblem> problems;
  for (MediaId after{};;) {
    const std::vector<Upload> uploads = uploads_above(connection, after, kScan);
    if (uploads.empty()) break;
    after = uploads.back().id;
    for (const Upload& upload : uploads) {
      if (are_sound(connection, upload.hash)) continue;
      problems.push_back({fmt::format("the bytes of upload {} are missing or damaged: {}",
                                      upload.id.value, upload.hash),
                          false});
    }
  }
  const Result left = connection.run(
      "select distinct hash from media_bytes b where not exists "
      "(select 1 from media m where m.hash = b.hash) limit 100");
  for (const std::string& hash : hashes_in(left, 0)) {
    problems.push_back({fmt::format("no upload names the bytes {}", hash), true});
  }
  const Result pictures = connection.run(
      "select u.id, u.picture from users u where u.picture is not null and not exists "
      "(select 1 from media m where m.id = u.picture and m.owner = u.number) limit 100");
  for (int row = 0; row < pictures.rows(); ++row) {
    problems.push_back({fmt::format("the picture {} of user {} is no upload of theirs",
                                    pictures.number(row, 1), pictures.number(row, 0)),
                        true});
  }
  return problems;
}

void PostgresMediaStore::repair() {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  UsersTransaction transaction(connections_, connection);
  connection.send(
      "update users u set picture = null where picture is not null and not exists "
      "(select 1 from media m where m.id = u.picture and m.owner = u.number)");
  const auto left =
      hashes_in(connection.run("select distinct hash from media_bytes b where not exists "
                               "(select 1 from media m where m.hash = b.hash)"),
                0);
  remove_unnamed(connection, left);
  transaction.commit(UsersTransaction::Change::kMoved);
}

}  // namespace chirp::postgres
