// Goal: the bytes of uploads in a database are there as long as a row names them, whoever removes
// others meanwhile; damage is found, served to nobody, and mended as far as it can be.
// Method: a directory over a database whose rows are damaged by hand; a transaction beside it that
// is held open.
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "store/postgres/storage.h"
#include "store/postgres/users/media_bytes.h"
#include "store/postgres/users/users.h"
#include "store/secrets.h"
#include "tests/support/directories.h"
#include "tests/support/eventually.h"
#include "tests/support/postgres_server.h"
#include "tests/support/thrown.h"

namespace chirp::test::postgres_media_test {
namespace {

constexpr MediaFacts kFacts{MediaType::kMp4, 3, 2};
constexpr Time kLater{kNow.ms + 1000};
constexpr const char* kWaiting =
    "select count(*) from pg_stat_activity where datname = current_database()"
    " and wait_event_type = 'Lock'";

struct Opened {
  [[nodiscard]] UserNumber sign_up(const std::string& name) {
    return users.add(named(name), kNow).number;
  }
  void run(const std::string& sql) { (void)all.lend()->run(sql); }
  [[nodiscard]] std::int64_t number(const std::string& sql) {
    return all.lend()->run(sql).number(0, 0);
  }

  PostgresDatabase database{kDirectoryMachine};
  postgres::Connections all{postgres::storage_address(database.url())};
  postgres::PostgresUserDirectory users{all, kDirectoryMachine};
  MediaStore& media = users.media();
};

std::string large() {
  std::string bytes;
  for (int i = 0; i < 700'000; ++i) bytes.push_back(static_cast<char>(i * 7 + i / 256));
  return bytes;
}

}  // namespace

TEST_CASE("postgres media: bytes are parts, stored once, and go after the last row") {
  if (!has_postgres()) return;
  Opened opened;
  const UserNumber mira = opened.sign_up("mira");
  const UserNumber yuki = opened.sign_up("yuki");
  const std::string bytes = large();
  const Upload hers = opened.media.put(mira, kFacts, bytes, kNow);
  const Upload his = opened.media.put(yuki, kFacts, bytes, kNow);
  CHECK(opened.number("select count(*) from media_bytes") == 3);
  CHECK(opened.number("select max(length(bytes)) from media_bytes") == 256 << 10);
  const auto file = opened.media.open(hers);
  std::string piece(300'000, '\0');
  file->read(200'000, piece);
  CHECK(piece == bytes.substr(200'000, 300'000));
  CHECK(opened.media.remove_idle(std::vector{hers.id}, kLater) == 1);
  CHECK(opened.media.read(his) == bytes);
  CHECK(opened.media.remove_idle(std::vector{his.id}, kLater) == 1);
  CHECK(opened.number("select count(*) from media_bytes") == 0);
  // A reader that has it open reads on.
  file->read(200'000, piece);
  CHECK(piece == bytes.substr(200'000, 300'000));
  CHECK(code_of([&] { (void)opened.media.read(his); }) == ErrorCode::kCorrupt);
}

TEST_CASE("postgres media: a file without bytes is a file") {
  if (!has_postgres()) return;
  Opened opened;
  const Upload upload = opened.media.put(opened.sign_up("mira"), kFacts, "", kNow);
  CHECK(opened.media.read(upload).empty());
  CHECK(opened.media.problems().empty());
}

TEST_CASE("postgres media: damage is found, served to nobody, and healed by the same file") {
  if (!has_postgres()) return;
  Opened opened;
  const UserNumber mira = opened.sign_up("mira");
  const Upload upload = opened.media.put(mira, kFacts, large(), kNow);
  CHECK(opened.media.problems().empty());
  SUBCASE("other bytes") {
    opened.run("update media_bytes set bytes = 'x'::bytea || substr(bytes, 2) where part = 1");
  }
  SUBCASE("a part too few") { opened.run("delete from media_bytes where part = 2"); }
  SUBCASE("nothing left") { opened.run("delete from media_bytes"); }
  CHECK(code_of([&] { (void)opened.media.read(upload); }) == ErrorCode::kCorrupt);
  REQUIRE(opened.media.problems().size() == 1);
  CHECK_FALSE(opened.media.problems().front().mendable);
  opened.media.repair();
  CHECK(opened.media.problems().size() == 1);
  CHECK(opened.media.put(mira, kFacts, large(), kNow).id == upload.id);
  CHECK(opened.media.read(upload) == large());
  CHECK(opened.media.problems().empty());
}

TEST_CASE("postgres media: what nothing names, and pictures that are none, are mended") {
  if (!has_postgres()) return;
  Opened opened;
  const UserNumber mira = opened.sign_up("mira");
  const Upload upload = opened.media.put(mira, kFacts, "picture", kNow);
  opened.run("insert into media_bytes (hash, part, bytes) values (repeat('a', 64), 0, 'x')");
  opened.run("update users set picture = 77");
  CHECK(opened.media.problems().size() == 2);
  for (const MediaProblem& problem : opened.media.problems()) CHECK(problem.mendable);
  opened.media.repair();
  CHECK(opened.media.problems().empty());
  CHECK(opened.media.read(upload) == "picture");
  CHECK(opened.users.find(mira)->picture == MediaId{});
}

TEST_CASE("postgres media: an export is put back with the ids, and once") {
  if (!has_postgres()) return;
  Opened opened;
  const UserNumber mira = opened.sign_up("mira");
  const Upload upload{MediaId{77}, mira, store::sha256("x"), kFacts, 1, kNow, kLater};
  opened.media.restore(upload, "x");
  CHECK(opened.media.find(upload.id) == upload);
  CHECK(opened.media.read(upload) == "x");
  CHECK(code_of([&] { opened.media.restore(upload, "x"); }) == ErrorCode::kAlreadyExists);
  CHECK(opened.media.problems().empty());
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres media: bytes stay that somebody is about to name while the last row goes") {
  if (!has_postgres()) return;
  Opened opened;
  const UserNumber mira = opened.sign_up("mira");
  const UserNumber yuki = opened.sign_up("yuki");
  const Upload hers = opened.media.put(mira, kFacts, "picture", kNow);
  std::uint64_t removed = 0;
  std::thread remover;
  {
    // As in the midst of keeping the same file for another owner.
    const auto lent = opened.all.lend();
    lent->begin();
    postgres::send_lock(*lent, hers.hash);
    (void)lent->run(
        "insert into media select 5, $1::int8, bytes, created_at, idle_since, width, height, type, "
        "hash from media where id <> 5",
        postgres::Params().int8(yuki.value));
    remover =
        std::thread([&] { removed = opened.media.remove_idle(std::vector{hers.id}, kLater); });
    CHECK(eventually([&] { return opened.number(kWaiting) == 1; }));
    // A waiting call holds no row that others wait for with the lock of its bytes.
    CHECK(lent->run("select 1 from media where id <> 5 for update nowait").rows() == 1);
    lent->commit();
  }
  remover.join();
  CHECK(removed == 1);
  CHECK_FALSE(opened.media.find(hers.id));
  REQUIRE(opened.media.find(MediaId{5}));
  CHECK(opened.media.read(*opened.media.find(MediaId{5})) == "picture");
  CHECK(opened.media.problems().empty());
}

TEST_CASE("postgres media: a removal begins after the upload that is being kept") {
  if (!has_postgres()) return;
  Opened opened;
  const UserNumber mira = opened.sign_up("mira");
  std::thread leaver;
  {
    const auto lent = opened.all.lend();
    lent->begin();
    (void)lent->run("select 1 from users where number = $1::int8 for no key update",
                    postgres::Params().int8(mira.value));
    leaver = std::thread([&] { opened.users.begin_removal(mira); });
    CHECK(eventually([&] { return opened.number(kWaiting) == 1; }));
    CHECK(opened.users.removals().empty());
    lent->commit();
  }
  leaver.join();
  CHECK(opened.users.removals() == std::vector{mira});
  CHECK(code_of([&] { opened.media.put(mira, kFacts, "x", kNow); }) == ErrorCode::kNotFound);
}

TEST_CASE("postgres media: many who keep and remove the same files leave none without bytes") {
  if (!has_postgres()) return;
  Opened opened;
  constexpr int kPeople = 4;
  std::vector<UserNumber> people;
  for (int i = 0; i < kPeople; ++i) people.push_back(opened.sign_up("user" + std::to_string(i)));
  std::vector<std::thread> threads;
  std::vector<std::optional<ErrorCode>> failed(kPeople);
  for (std::size_t i = 0; i < kPeople; ++i) {
    threads.emplace_back([&, i] {
      failed[i] = code_of([&] {
        for (int round = 0; round < 20; ++round) {
          std::vector<MediaId> kept;
          for (const char* bytes : {"one", "two", "three"}) {
            kept.push_back(opened.media.put(people[i], kFacts, bytes, kNow).id);
          }
          opened.media.touch(kept, kNow);
          opened.media.remove_idle(kept, kLater);
        }
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& code : failed) CHECK_FALSE(code);
  CHECK(opened.media.problems().empty());
  CHECK(opened.media.scan(MediaId{}, 100).empty());
}

TEST_SUITE_END();

}  // namespace chirp::test::postgres_media_test
