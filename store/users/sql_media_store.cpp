#include "store/users/sql_media_store.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/limits.h"
#include "core/model/last_sweep.h"
#include "store/users/user_row.h"

namespace chirp::users {
namespace {

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

constexpr std::string_view kInsert =
    "insert into media (id, owner, hash, type, bytes, width, height, created_at, idle_since) "
    "values ($1::int8, $2::int8, $3::text, $4::int8, $5::int8, $6::int8, $7::int8, $8::int8, "
    "$9::int8) on conflict do nothing";

template <class Run>
auto with_values(const Upload& upload, Run run) {
  return run(upload.id.value, upload.owner.value, upload.hash,
             static_cast<std::int64_t>(upload.facts.type), upload.bytes, upload.facts.width,
             upload.facts.height, upload.created_at.ms, upload.idle_since.ms);
}

std::vector<MediaProblem> picture_problems(SqlSession& session) {
  const auto rows = session.rows(
      "select u.id, u.picture from users u where u.picture is not null and not exists "
      "(select 1 from media m where m.id = u.picture and m.owner = u.number) limit 100");
  std::vector<MediaProblem> problems;
  while (rows->next()) {
    problems.push_back({fmt::format("the picture {} of user {} is no upload of theirs",
                                    rows->integer(1), rows->integer(0)),
                        true});
  }
  return problems;
}

}  // namespace

std::optional<Upload> SqlMediaStore::find(MediaId id) const {
  if (!can_be_stored(id.value)) return std::nullopt;
  const auto session = lend();
  const std::string sql =
      select_media(fmt::format("where id = $1::int8{}", session->dialect().not_doomed));
  return next_upload(*session, *session->rows(sql, id.value));
}

std::vector<Upload> SqlMediaStore::scan(MediaId after, std::uint32_t limit) const {
  static const std::string kSql = select_media("where id > $1::int8 order by id limit $2::int8");
  std::vector<Upload> uploads;
  if (!can_be_stored(after.value)) return uploads;
  const auto session = lend();
  const auto rows = session->rows(kSql, after.value, limit);
  while (auto upload = next_upload(*session, *rows)) uploads.push_back(*std::move(upload));
  return uploads;
}

std::vector<MediaId> SqlMediaStore::idle(Time before, std::uint32_t limit) const {
  const auto session = lend();
  const std::string sql = fmt::format(
      "select id from media where idle_since < $1::int8{} order by idle_since limit $2::int8",
      session->dialect().not_doomed);
  const auto rows = session->rows(sql, before.ms, limit);
  std::vector<MediaId> ids;
  while (rows->next()) ids.push_back(MediaId{rows->natural(0)});
  return ids;
}

bool SqlMediaStore::begin_sweep(Time now, Time since) {
  const auto session = lend();
  const std::string_view state = session->dialect().state;
  LastSweep last;
  {
    const auto noted = session->rows(
        fmt::format("select media_swept from {} where exists (select 1 from media)", state));
    if (!noted->next()) return false;
    last.noted = noted->integer(0);
  }
  const std::int64_t before = last.noted;
  const bool begins = last.begin(now, since);
  if (last.noted == before) return false;
  session->begin(SqlSession::Turn::kNone);
  // Only one of several concurrent processes starts the sweep.
  const std::int64_t changed = session->change(
      fmt::format("update {} set media_swept = $2::int8 where media_swept = $1::int8", state),
      before, last.noted);
  session->commit(CachedRows::kValid);
  return begins && changed == 1;
}

std::vector<MediaProblem> SqlMediaStore::problems() const {
  constexpr std::uint32_t kScan = 1000;
  std::vector<MediaProblem> problems;
  for (std::vector<Upload> uploads = scan({}, kScan); !uploads.empty();
       uploads = scan(uploads.back().id, kScan)) {
    for (const Upload& upload : uploads) {
      const std::string bytes = damaged_bytes(upload);
      if (bytes.empty()) continue;
      problems.push_back(
          {fmt::format("the bytes of upload {} are missing or damaged: {}", upload.id.value, bytes),
           false});
    }
  }
  std::ranges::move(orphans(), std::back_inserter(problems));
  std::ranges::move(picture_problems(*lend()), std::back_inserter(problems));
  return problems;
}

std::string select_media(std::string_view rest) {
  return fmt::format(
      "select id, owner, hash, type, bytes, width, height, created_at, idle_since from media {}",
      rest);
}

std::optional<Upload> next_upload(const SqlSession& session, SqlRows& rows) {
  if (!rows.next()) return std::nullopt;
  Upload upload;
  upload.id = MediaId{rows.natural(kId)};
  upload.owner = UserNumber{static_cast<std::uint32_t>(rows.natural(kOwner))};
  upload.hash = rows.text(kHash);
  upload.bytes = rows.natural(kBytes);
  const auto type = media_type_of(rows.natural(kType));
  if (!type) throw session.damage(fmt::format("the upload {} has no type", upload.id.value));
  if (upload.bytes > limits::kMediaBytesMax) {
    throw session.damage(
        fmt::format("the upload {} has no size that a file can have", upload.id.value));
  }
  upload.facts = {*type, static_cast<std::uint32_t>(rows.natural(kWidth)),
                  static_cast<std::uint32_t>(rows.natural(kHeight))};
  upload.created_at = Time{rows.integer(kCreatedAt)};
  upload.idle_since = Time{rows.integer(kIdleSince)};
  return upload;
}

void insert_upload(SqlSession& session, const Upload& upload) {
  const std::int64_t inserted = with_values(
      upload, [&](const auto&... values) { return session.change(kInsert, values...); });
  if (inserted == 1) return;
  throw Error(ErrorCode::kAlreadyExists,
              fmt::format("There is an upload {} already. Nothing was changed.", upload.id.value));
}

void send_upload(SqlSession& session, const Upload& upload) {
  with_values(upload, [&](const auto&... values) { session.send(kInsert, values...); });
}

void send_renewal(SqlSession& session, Upload& upload, Time now) {
  upload.created_at = upload.idle_since = std::max(upload.idle_since, now);
  session.send("update media set created_at = $2::int8, idle_since = $2::int8 where id = $1::int8",
               upload.id.value, upload.idle_since.ms);
}

void send_clear_pictures(SqlSession& session) {
  session.send(
      "update users set picture = null where picture is not null and not exists "
      "(select 1 from media m where m.id = users.picture and m.owner = users.number)");
}

}  // namespace chirp::users
