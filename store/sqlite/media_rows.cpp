#include "store/sqlite/media_rows.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "core/limits.h"
#include "core/model/last_sweep.h"
#include "core/model/names.h"
#include "store/secrets.h"
#include "store/sqlite/errors.h"

namespace chirp::sqlite {
namespace {

constexpr std::uint32_t kScan = 1000;
constexpr std::uint32_t kRemovedAtOnce = 100;
// Longer than the retry interval of a process that waits for the turn.
constexpr auto kGiveWay = std::chrono::milliseconds(2);

enum Column : int { kId, kOwner, kHash, kType, kBytes, kWidth, kHeight, kCreatedAt, kIdleSince };

std::string select_media(std::string_view rest) {
  return fmt::format(
      "SELECT id, owner, hash, type, bytes, width, height, created_at, idle_since FROM media {}",
      rest);
}

Upload upload_of(const Connection& connection, const Rows& rows) {
  const auto natural = [&](int column) { return static_cast<std::uint64_t>(rows.integer(column)); };
  const auto type = media_type_of(natural(kType));
  if (!type)
    throw corrupt(fmt::format("the upload {} has no type", natural(kId)), connection.file());
  Upload upload;
  upload.id = MediaId{natural(kId)};
  upload.owner = UserNumber{static_cast<std::uint32_t>(natural(kOwner))};
  upload.hash = rows.text(kHash);
  upload.facts = {*type, static_cast<std::uint32_t>(natural(kWidth)),
                  static_cast<std::uint32_t>(natural(kHeight))};
  upload.bytes = natural(kBytes);
  if (upload.bytes > limits::kMediaBytesMax) {
    throw corrupt(fmt::format("the upload {} has no size that a file can have", upload.id.value),
                  connection.file());
  }
  upload.created_at = Time{rows.integer(kCreatedAt)};
  upload.idle_since = Time{rows.integer(kIdleSince)};
  return upload;
}

template <class... Values>
std::optional<Upload> one_upload(Connection& connection, const std::string& sql,
                                 const Values&... values) {
  Rows rows = connection.rows(sql, values...);
  if (!rows.next()) return std::nullopt;
  return upload_of(connection, rows);
}

// Throws if the owner is missing or being removed: the upload would outlive them.
void check_owner(Connection& connection, UserNumber owner) {
  Rows rows = connection.rows(
      "SELECT 1 FROM users WHERE number = ?1 AND number NOT IN (SELECT number FROM leaving)",
      owner.value);
  if (rows.next()) return;
  throw Error(ErrorCode::kNotFound, "That user is not there any more. Nothing was changed.");
}

bool has_room(Connection& connection, UserNumber owner, std::uint64_t bytes, std::uint64_t most) {
  Rows rows =
      connection.rows("SELECT coalesce(sum(bytes), 0) FROM media WHERE owner = ?1", owner.value);
  const std::uint64_t held = rows.next() ? static_cast<std::uint64_t>(rows.integer(0)) : 0;
  return bytes <= most && held <= most - bytes;
}

void insert(Connection& connection, const Upload& upload) {
  const bool inserted = connection.run_unless_taken(
      "INSERT INTO media (id, owner, hash, type, bytes, width, height, created_at, idle_since) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
      upload.id.value, upload.owner.value, upload.hash,
      static_cast<std::int64_t>(upload.facts.type), upload.bytes, upload.facts.width,
      upload.facts.height, upload.created_at.ms, upload.idle_since.ms);
  if (inserted) return;
  throw Error(ErrorCode::kAlreadyExists,
              fmt::format("There is an upload {} already. Nothing was changed.", upload.id.value));
}

// Files are found by path, so a directory that replaced this one would be written.
void check_place(const Connection& connection) {
  if (connection.watch() != nullptr) connection.watch()->check();
}

bool is_named(Connection& connection, const std::string& hash) {
  Rows rows = connection.rows("SELECT 1 FROM media WHERE hash = ?1 LIMIT 1", hash);
  return rows.next();
}

bool has_any(Connection& connection, UserNumber owner) {
  Rows rows = connection.rows("SELECT 1 FROM media WHERE owner = ?1 LIMIT 1", owner.value);
  return rows.next();
}

std::vector<Upload> uploads_above(Connection& connection, MediaId after, std::uint32_t limit) {
  static const std::string kAll = select_media("WHERE id > ?1 ORDER BY id LIMIT ?2");
  std::vector<Upload> uploads;
  Rows rows = connection.rows(kAll, after.value, limit);
  while (rows.next()) uploads.push_back(upload_of(connection, rows));
  return uploads;
}

}  // namespace

// ---- files

store::LockFile SqliteMediaStore::take_turn(Connection& connection) const {
  check_place(connection);
  store::LockFile turn = files_.turn();
  check_place(connection);
  finish_half_done(connection);
  return turn;
}

void SqliteMediaStore::finish_half_done(Connection& connection) const {
  if (files_.has_begun()) {
    const auto hash = files_.unsettled();
    if (hash && !is_named(connection, *hash)) files_.remove(*hash);
    files_.settle();
  }
  remove_doomed(connection);
}

void SqliteMediaStore::finish_half_done() {
  if (connections_.access() == FileAccess::kReadOnly || !files_.has_begun()) return;
  const auto turn = files_.try_turn();
  if (!turn) return;  // another process is working on it
  const auto lent = connections_.lend();
  finish_half_done(*lent);
}

// ---- storing

KeptMedia SqliteMediaStore::keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                                 std::uint64_t most, Time now) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  using Result = KeptMedia::Result;
  static const std::string kSame = select_media("WHERE owner = ?1 AND hash = ?2");
  const std::string hash = store::sha256(bytes);
  const auto turn = take_turn(connection);
  check_owner(connection, owner);
  const bool fresh = !one_upload(connection, kSame, owner.value, hash);
  // Adding a file needs the turn, so the total can't grow meanwhile.
  if (fresh && !has_room(connection, owner, bytes.size(), most)) return {Result::kTooMuch, {}};
  connection.admit(SpaceUse::kAdds, bytes.size());
  files_.put(hash, bytes);
  Transaction transaction(connection);
  check_owner(connection, owner);
  std::optional<Upload> upload = one_upload(connection, kSame, owner.value, hash);
  if (upload) {
    upload->created_at = upload->idle_since = std::max(upload->idle_since, now);
    connection.run("UPDATE media SET created_at = ?2, idle_since = ?2 WHERE id = ?1",
                   upload->id.value, upload->idle_since.ms);
  } else {
    upload = Upload{MediaId{store::random_id()}, owner, hash, facts, bytes.size(), now, now};
    insert(connection, *upload);
  }
  version_.commit_unmoved(transaction);
  files_.settle();
  return {fresh ? Result::kNew : Result::kThereBefore, *std::move(upload)};
}

void SqliteMediaStore::restore(const Upload& upload, std::string_view bytes) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  const auto turn = take_turn(connection);
  connection.admit(SpaceUse::kAdds, bytes.size());
  files_.put(upload.hash, bytes);
  Transaction transaction(connection);
  insert(connection, upload);
  transaction.commit();
  files_.settle();
}

bool SqliteMediaStore::touch_all(std::optional<UserNumber> owner, std::span<const MediaId> uploads,
                                 Time now) {
  if (uploads.empty()) return true;
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection);
  for (const MediaId id : uploads) {
    connection.run(
        "UPDATE media SET idle_since = max(idle_since, ?3, created_at + 1) "
        "WHERE id = ?1 AND owner = coalesce(?2, owner) AND idle_since > 0",
        id.value, owner ? std::optional(owner->value) : std::nullopt, now.ms);
    if (owner && connection.changed() != 1) return false;
  }
  version_.commit_unmoved(transaction);
  return true;
}

// ---- looking up

std::optional<Upload> SqliteMediaStore::find(MediaId id) const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  static const std::string kOne = select_media("WHERE id = ?1 AND idle_since > 0");
  if (!std::in_range<std::int64_t>(id.value)) return std::nullopt;
  return one_upload(connection, kOne, id.value);
}

std::shared_ptr<const MediaFile> SqliteMediaStore::open(const Upload& upload) const {
  return files_.open(upload.hash);
}

std::vector<Upload> SqliteMediaStore::scan(MediaId after, std::uint32_t limit) const {
  const auto lent = connections_.lend();
  return uploads_above(*lent, after, limit);
}

// ---- removing

std::vector<MediaId> SqliteMediaStore::idle(Time before, std::uint32_t limit) const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  std::vector<MediaId> ids;
  Rows rows = connection.rows(
      "SELECT id FROM media WHERE idle_since < ?1 AND idle_since > 0 ORDER BY idle_since LIMIT ?2",
      before.ms, limit);
  while (rows.next()) ids.push_back(MediaId{static_cast<std::uint64_t>(rows.integer(0))});
  return ids;
}

std::uint64_t SqliteMediaStore::remove_idle(std::span<const MediaId> uploads, Time before) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  std::uint64_t removed = 0;
  const auto turn = take_turn(connection);
  {
    Transaction transaction(connection);
    for (const MediaId id : uploads) {
      connection.run(
          "UPDATE media SET idle_since = 0 WHERE id = ?1 AND idle_since < ?2 AND idle_since > 0 "
          "AND NOT EXISTS (SELECT 1 FROM users WHERE picture = ?1)",
          id.value, before.ms);
      removed += static_cast<std::uint64_t>(connection.changed());
    }
    transaction.commit();
  }
  remove_doomed(connection);
  return removed;
}

// Removes a hundred at a time, so that waiting processes get the turn in between.
void SqliteMediaStore::remove_of(UserNumber owner) {
  const auto lent = connections_.lend();
  while (has_any(*lent, owner)) {
    remove_some_of(*lent, owner);
    std::this_thread::sleep_for(kGiveWay);
  }
}

void SqliteMediaStore::remove_some_of(Connection& connection, UserNumber owner) {
  const auto turn = take_turn(connection);
  {
    Transaction transaction(connection);
    connection.run("UPDATE users SET picture = NULL WHERE number = ?1", owner.value);
    connection.run(
        "UPDATE media SET idle_since = 0 WHERE id IN "
        "(SELECT id FROM media WHERE owner = ?1 LIMIT ?2)",
        owner.value, kRemovedAtOnce);
    transaction.commit();
  }
  remove_doomed(connection);
}

void SqliteMediaStore::remove_doomed(Connection& connection) const {
  for (;;) {
    std::vector<std::pair<std::int64_t, std::string>> doomed;
    {
      Rows rows =
          connection.rows("SELECT id, hash FROM media WHERE idle_since = 0 LIMIT ?1", kScan);
      while (rows.next()) doomed.emplace_back(rows.integer(0), rows.text(1));
    }
    if (doomed.empty()) return;
    for (const auto& [id, hash] : doomed) {
      Rows others =
          connection.rows("SELECT 1 FROM media WHERE hash = ?1 AND idle_since > 0 LIMIT 1", hash);
      if (!others.next()) files_.remove(hash);
    }
    Transaction transaction(connection);
    for (const auto& [id, hash] : doomed) {
      connection.run("DELETE FROM media WHERE id = ?1 AND idle_since = 0", id);
    }
    transaction.commit();
  }
}

bool SqliteMediaStore::begin_sweep(Time now, Time since) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  LastSweep last;
  {
    Rows rows = connection.rows("SELECT media_swept FROM meta WHERE one = 1");
    if (!rows.next()) return false;
    last.noted = rows.integer(0);
    Rows any = connection.rows("SELECT 1 FROM media LIMIT 1");
    if (!any.next()) return false;
  }
  const std::int64_t before = last.noted;
  const bool begins = last.begin(now, since);
  if (last.noted == before) return false;
  Transaction transaction(connection);
  connection.run("UPDATE meta SET media_swept = ?1 WHERE one = 1", last.noted);
  transaction.commit();
  return begins;
}

// ---- checking

std::vector<std::string> SqliteMediaStore::orphans(Connection& connection) const {
  std::vector<std::string> left;
  for (const std::string& name : files_.names()) {
    if (!is_named(connection, name)) left.push_back(name);
  }
  return left;
}

std::vector<MediaProblem> SqliteMediaStore::problems() const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  std::vector<MediaProblem> problems;
  for (MediaId after{};;) {
    const std::vector<Upload> uploads = uploads_above(connection, after, kScan);
    if (uploads.empty()) break;
    after = uploads.back().id;
    for (const Upload& upload : uploads) {
      // The next process that removes uploads finishes an interrupted removal.
      if (upload.idle_since != Time{} && !files_.is_sound(upload.hash)) {
        problems.push_back({fmt::format("the bytes of upload {} are missing or damaged: media/{}",
                                        upload.id.value, upload.hash),
                            false});
      }
    }
  }
  std::vector<std::string> left = orphans(connection);
  if (!left.empty() && connection.access() == FileAccess::kReadWrite) {
    const auto turn = take_turn(connection);  // every file being put has its row by now
    left = orphans(connection);
  }
  for (const std::string& name : left) {
    problems.push_back({fmt::format("nothing names media/{}", printable(name)), true});
  }
  Rows rows = connection.rows(
      "SELECT u.id, u.picture FROM users u WHERE u.picture IS NOT NULL AND NOT EXISTS "
      "(SELECT 1 FROM media m WHERE m.id = u.picture AND m.owner = u.number) LIMIT 100");
  while (rows.next()) {
    problems.push_back({fmt::format("the picture {} of user {} is no upload of theirs",
                                    rows.integer(1), rows.integer(0)),
                        true});
  }
  return problems;
}

void SqliteMediaStore::repair() {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  const auto turn = take_turn(connection);
  for (const std::string& name : orphans(connection)) files_.remove(name);
  Transaction transaction(connection);
  connection.run(
      "UPDATE users SET picture = NULL WHERE picture IS NOT NULL AND NOT EXISTS "
      "(SELECT 1 FROM media m WHERE m.id = users.picture AND m.owner = users.number)");
  transaction.commit();
}

}  // namespace chirp::sqlite
