#include "store/sqlite/media_rows.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "core/model/names.h"
#include "store/secrets.h"
#include "store/users/user_row.h"

namespace chirp::sqlite {
namespace {

using users::CachedRows;

constexpr std::uint32_t kDoomedAtOnce = 1000;
constexpr std::uint32_t kRemovedAtOnce = 100;
// Longer than the retry interval of a process that waits for the turn.
constexpr auto kGiveWay = std::chrono::milliseconds(2);

// Throws if the owner is missing or being removed: the upload would outlive them.
void check_owner(SqliteSession& session, UserNumber owner) {
  const auto rows = session.rows(
      "select 1 from users where number = $1::int8 and number not in (select number from leaving)",
      owner.value);
  if (rows->next()) return;
  throw Error(ErrorCode::kNotFound, "That user is not there any more. Nothing was changed.");
}

bool has_room(SqliteSession& session, UserNumber owner, std::uint64_t bytes, std::uint64_t most) {
  const auto rows =
      session.rows("select coalesce(sum(bytes), 0) from media where owner = $1::int8", owner.value);
  const std::uint64_t held = rows->next() ? rows->natural(0) : 0;
  return bytes <= most && held <= most - bytes;
}

std::optional<Upload> upload_with(SqliteSession& session, UserNumber owner,
                                  const std::string& hash) {
  static const std::string kSame =
      users::select_media("where owner = $1::int8 and hash = $2::text");
  return users::next_upload(session, *session.rows(kSame, owner.value, hash));
}

// Files are found by path, so a directory that replaced this one would be written.
void check_place(const Connection& connection) {
  if (connection.watch() != nullptr) connection.watch()->check();
}

bool is_named(SqliteSession& session, const std::string& hash) {
  return session.rows("select 1 from media where hash = $1::text limit 1", hash)->next();
}

bool has_any(SqliteSession& session, UserNumber owner) {
  return session.rows("select 1 from media where owner = $1::int8 limit 1", owner.value)->next();
}

}  // namespace

std::unique_ptr<users::SqlSession> SqliteMediaStore::lend() const {
  return std::make_unique<SqliteSession>(connections_, version_);
}

// ---- files

store::LockFile SqliteMediaStore::take_turn(SqliteSession& session) const {
  check_place(session.connection());
  store::LockFile turn = files_.turn();
  check_place(session.connection());
  finish_half_done(session);
  return turn;
}

void SqliteMediaStore::finish_half_done(SqliteSession& session) const {
  if (files_.has_begun()) {
    const auto hash = files_.unsettled();
    if (hash && !is_named(session, *hash)) files_.remove(*hash);
    files_.settle();
  }
  remove_doomed(session);
}

void SqliteMediaStore::finish_half_done() {
  if (connections_.access() == FileAccess::kReadOnly || !files_.has_begun()) return;
  const auto turn = files_.try_turn();
  if (!turn) return;  // another process is working on it
  SqliteSession session(connections_, version_);
  finish_half_done(session);
}

// ---- storing

KeptMedia SqliteMediaStore::keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                                 std::uint64_t most, Time now) {
  SqliteSession session(connections_, version_);
  using Result = KeptMedia::Result;
  const std::string hash = store::sha256(bytes);
  const auto turn = take_turn(session);
  check_owner(session, owner);
  const bool fresh = !upload_with(session, owner, hash);
  // Adding a file needs the turn, so the total can't grow meanwhile.
  if (fresh && !has_room(session, owner, bytes.size(), most)) return {Result::kTooMuch, {}};
  session.connection().admit(SpaceUse::kAdds, bytes.size());
  files_.put(hash, bytes);
  session.begin();
  check_owner(session, owner);
  std::optional<Upload> upload = upload_with(session, owner, hash);
  if (upload) {
    users::send_renewal(session, *upload, now);
  } else {
    upload = Upload{MediaId{store::random_id()}, owner, hash, facts, bytes.size(), now, now};
    users::insert_upload(session, *upload);
  }
  session.commit(CachedRows::kValid);
  files_.settle();
  return {fresh ? Result::kNew : Result::kThereBefore, *std::move(upload)};
}

void SqliteMediaStore::restore(const Upload& upload, std::string_view bytes) {
  SqliteSession session(connections_, version_);
  const auto turn = take_turn(session);
  session.connection().admit(SpaceUse::kAdds, bytes.size());
  files_.put(upload.hash, bytes);
  session.begin();
  users::insert_upload(session, upload);
  session.commit(CachedRows::kStale);
  files_.settle();
}

std::shared_ptr<const MediaFile> SqliteMediaStore::open(const Upload& upload) const {
  return files_.open(upload.hash);
}

bool SqliteMediaStore::touch_all(std::optional<UserNumber> owner, std::span<const MediaId> uploads,
                                 Time now) {
  if (uploads.empty()) return true;
  SqliteSession session(connections_, version_);
  session.begin();
  for (const MediaId id : uploads) {
    const std::int64_t touched = session.change(
        "update media set idle_since = max(idle_since, $3::int8, created_at + 1) "
        "where id = $1::int8 and owner = coalesce($2::int8, owner) and idle_since > 0",
        id.value, owner ? std::optional(owner->value) : std::nullopt, now.ms);
    if (owner && touched != 1) return false;
  }
  session.commit(CachedRows::kValid);
  return true;
}

// ---- removing

std::uint64_t SqliteMediaStore::remove_idle(std::span<const MediaId> uploads, Time before) {
  SqliteSession session(connections_, version_);
  std::int64_t removed = 0;
  const auto turn = take_turn(session);
  session.begin();
  for (const MediaId id : uploads) {
    removed += session.change(
        "update media set idle_since = 0 where id = $1::int8 and idle_since < $2::int8 "
        "and idle_since > 0 and not exists (select 1 from users where picture = $1::int8)",
        id.value, before.ms);
  }
  session.commit(CachedRows::kStale);
  remove_doomed(session);
  return static_cast<std::uint64_t>(removed);
}

// Removes a hundred at a time, so that waiting processes get the turn in between.
void SqliteMediaStore::remove_of(UserNumber owner) {
  SqliteSession session(connections_, version_);
  while (has_any(session, owner)) {
    remove_some_of(session, owner);
    std::this_thread::sleep_for(kGiveWay);
  }
}

void SqliteMediaStore::remove_some_of(SqliteSession& session, UserNumber owner) {
  const auto turn = take_turn(session);
  session.begin();
  session.send("update users set picture = null where number = $1::int8", owner.value);
  session.send(
      "update media set idle_since = 0 where id in "
      "(select id from media where owner = $1::int8 limit $2::int8)",
      owner.value, kRemovedAtOnce);
  session.commit(CachedRows::kStale);
  remove_doomed(session);
}

void SqliteMediaStore::remove_doomed(SqliteSession& session) const {
  for (;;) {
    std::vector<std::pair<std::int64_t, std::string>> doomed;
    {
      const auto rows = session.rows(
          "select id, hash from media where idle_since = 0 limit $1::int8", kDoomedAtOnce);
      while (rows->next()) doomed.emplace_back(rows->integer(0), rows->text(1));
    }
    if (doomed.empty()) return;
    for (const auto& [id, hash] : doomed) {
      const auto others = session.rows(
          "select 1 from media where hash = $1::text and idle_since > 0 limit 1", hash);
      if (!others->next()) files_.remove(hash);
    }
    session.begin();
    for (const auto& [id, hash] : doomed) {
      session.send("delete from media where id = $1::int8 and idle_since = 0", id);
    }
    session.commit(CachedRows::kStale);
  }
}

// ---- checking

// The next process that removes uploads finishes an interrupted removal.
std::string SqliteMediaStore::damaged_bytes(const Upload& upload) const {
  const bool is_whole = upload.idle_since == Time{} || files_.is_sound(upload.hash);
  return is_whole ? std::string() : "media/" + upload.hash;
}

std::vector<std::string> SqliteMediaStore::unnamed_files(SqliteSession& session) const {
  std::vector<std::string> left = files_.names();
  std::erase_if(left, [&](const std::string& name) { return is_named(session, name); });
  return left;
}

std::vector<MediaProblem> SqliteMediaStore::orphans() const {
  SqliteSession session(connections_, version_);
  std::vector<std::string> left = unnamed_files(session);
  if (!left.empty() && connections_.access() == FileAccess::kReadWrite) {
    const auto turn = take_turn(session);  // every file being put has its row by now
    left = unnamed_files(session);
  }
  std::vector<MediaProblem> problems;
  for (const std::string& name : left) {
    problems.push_back({fmt::format("nothing names media/{}", printable(name)), true});
  }
  return problems;
}

void SqliteMediaStore::repair() {
  SqliteSession session(connections_, version_);
  const auto turn = take_turn(session);
  for (const std::string& name : unnamed_files(session)) files_.remove(name);
  session.begin();
  users::send_clear_pictures(session);
  session.commit(CachedRows::kStale);
}

}  // namespace chirp::sqlite
