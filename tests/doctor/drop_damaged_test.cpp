// Goal: a damaged record is reported once. Records that can be rebuilt are rebuilt and never
// dropped. Others are dropped only on request, after they were listed and copied, and nothing is
// wrong afterwards.
// Method: in each table, one byte of a record is changed in the file; then the program is run. The
// same with a node of each page changed, where nothing may be dropped. In addition, many sound
// files are made by random writes.

#include <algorithm>
#include <cstring>
#include <random>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/damage.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/doctor_village.h"

namespace chirp::test::drop_damaged_test {
namespace {

namespace fs = std::filesystem;
using lmdb::Table;

constexpr std::size_t kPage = 4096;

void spoil(const Village& village, Table table, unsigned row) {
  village.damage([&](lmdb::WriteTxn& txn) {
    const std::string key = row_key(txn, table, row);
    std::string value(txn.get(table, key).value());
    value.back() = static_cast<char>(value.back() ^ 1);
    txn.put(table, key, value);
  });
}

Ended doctor(const Village& village, std::vector<std::string> options) {
  options.insert(options.begin(), "doctor");
  return run(chirp_command(village.path().string(), std::move(options)));
}

std::size_t times(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// The files beside the directory.
std::vector<fs::path> copies(const Village& village) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(village.path().parent_path())) {
    if (entry.path() != village.path()) found.push_back(entry.path());
  }
  return found;
}

std::uint16_t number_at(const std::string& bytes, std::size_t at) {
  std::uint16_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

// Returns the offset of the newest node of a page, which is the first one in the file; 0 if the
// page has none.
std::size_t node_of(const std::string& bytes, std::size_t page) {
  constexpr std::uint16_t kTreePage = 3;
  if ((number_at(bytes, page * kPage + 10) & kTreePage) == 0) return 0;
  const std::size_t at = number_at(bytes, page * kPage + 14);
  return at < kPage ? page * kPage + at : 0;
}

}  // namespace

TEST_CASE("doctor: one damaged record is one line, which says what helps") {
  const Village village;
  spoil(village, Table::kPosts, 3);
  const Ended found = doctor(village, {});
  CHECK(found.status == 5);
  CHECK_MESSAGE(times(found.out, "of table posts is damaged") == 1, to_string(found));
  CHECK(found.out.find("--drop-damaged") != std::string::npos);
  CHECK(found.out.find("Run `chirp doctor`") == std::string::npos);
  CHECK(found.out.find(" times)") != std::string::npos);
}

TEST_CASE("doctor: a damaged record that can be made again is, and nothing is lost") {
  for (const Table table : {Table::kCards, Table::kFollowing, Table::kFollowers, Table::kTimelines,
                            Table::kCounters, Table::kNotifications, Table::kMarks}) {
    CAPTURE(lmdb::kTableNames[static_cast<unsigned>(table)]);
    const Village village;
    const auto before = village.contents();
    spoil(village, table, 0);
    const Ended found = doctor(village, {});
    CHECK(found.status == 5);
    CHECK_MESSAGE(found.out.find("Run `chirp doctor --repair`") != std::string::npos,
                  to_string(found));
    CHECK_MESSAGE(found.out.find("--drop-damaged") == std::string::npos, to_string(found));
    CHECK(found.out.find("estore a backup") == std::string::npos);
    const Ended mended = doctor(village, {"--repair"});
    CHECK_MESSAGE(mended.ok(), to_string(mended));
    CHECK(mended.out.find("chirp doctor") == std::string::npos);
    CHECK(doctor(village, {}).ok());
    CHECK(village.contents() == before);
  }
}

TEST_CASE("doctor: a damaged post is dropped on demand alone, and a copy of it is kept") {
  const Village village;
  spoil(village, Table::kPosts, 3);
  CHECK(doctor(village, {"--repair"}).status == 5);
  CHECK(copies(village).empty());
  const Ended tried = doctor(village, {"--drop-damaged", "--dry-run"});
  CHECK(tried.ok());
  CHECK_MESSAGE(tried.out.find("posts") != std::string::npos, to_string(tried));
  CHECK(doctor(village, {}).status == 5);
  const Ended dropped = doctor(village, {"--drop-damaged"});
  CHECK_MESSAGE(dropped.ok(), to_string(dropped));
  CHECK(dropped.err.find("of table posts") != std::string::npos);
  const auto kept = copies(village);
  REQUIRE(kept.size() == 1);
  const std::string copy = read_file(kept.front());
  CHECK(times(copy, "\n") == 1);
  CHECK(copy.starts_with("{\"table\":\"posts\",\"key\":\""));
  CHECK((fs::status(kept.front()).permissions() & fs::perms(0077)) == fs::perms::none);
  CHECK(doctor(village, {}).ok());
  // 7 users with 3 posts each.
  CHECK(Opened(village.path()).engine().storage().snapshot()->table_rows().at("posts") == 20);
}

TEST_CASE("doctor: what is dropped is copied first, or nothing is dropped") {
  const Village village;
  spoil(village, Table::kPosts, 3);
  const std::string taken = (village.path().parent_path() / "taken").string();
  write_file(taken, "somebody's own");
  CHECK(doctor(village, {"--drop-damaged", "--copy", taken}).status == 1);
  CHECK(read_file(taken) == "somebody's own");
  CHECK(doctor(village, {}).status == 5);
  CHECK(doctor(village, {"--copy", taken}).status == 2);
}

TEST_CASE("doctor: a damaged event can't be dropped") {
  const Village village;
  spoil(village, Table::kEvents, 2);
  const Ended found = doctor(village, {});
  CHECK_MESSAGE(found.out.find("Restore a backup") != std::string::npos, to_string(found));
  CHECK_MESSAGE(found.out.find("chirp doctor") == std::string::npos, to_string(found));
  const Ended ended = doctor(village, {"--drop-damaged"});
  CHECK_MESSAGE(ended.status == 5, to_string(ended));
  CHECK(copies(village).empty());
}

TEST_CASE("doctor: damaged pages: a drop or a repair changes nothing") {
  const Village village;
  spoil(village, Table::kPosts, 3);
  const fs::path path = village.path();
  const fs::path file = path / "engine" / "data.mdb";
  const std::string sound = read_file(file);
  const fs::path copy = path.parent_path() / "copy";
  int refused = 0;
  for (std::size_t page = 2; page < sound.size() / kPage; ++page) {
    const std::size_t node = node_of(sound, page);
    if (node == 0) continue;
    CAPTURE(page);
    std::string bytes = sound;
    bytes[node + 6] = static_cast<char>(bytes[node + 6] ^ 0x14);  // the length of the key
    write_file(file, bytes);
    const Ended found = doctor(village, {});
    CHECK_MESSAGE((found.status == 5 || found.status == 1), to_string(found));
    const Ended repaired = doctor(village, {"--repair"});
    const Ended dropped = doctor(village, {"--drop-damaged", "--yes", "--copy", copy.string()});
    if (dropped.err.find("Dropped") == std::string::npos) {
      ++refused;
      CHECK_MESSAGE(dropped.status == 1, to_string(dropped));
      CHECK_MESSAGE(dropped.err.find("estore a backup") != std::string::npos, to_string(dropped));
      CHECK_MESSAGE(read_file(file) == bytes, to_string(repaired));
      CHECK_FALSE(fs::exists(copy));
      // Advice that would not help must be missing.
      CHECK_MESSAGE(found.out.find("--drop-damaged") == std::string::npos, to_string(found));
    } else {
      // The page is not in use.
      CHECK_MESSAGE(dropped.ok(), to_string(dropped));
      const Ended after = doctor(village, {});
      CHECK_MESSAGE(after.ok(), to_string(after));
    }
    for (const Ended* ended : {&found, &repaired, &dropped}) {
      CHECK_MESSAGE(ended->err.find("error in chirp") == std::string::npos, to_string(*ended));
    }
    fs::remove(copy);
  }
  CHECK(refused > 10);
}

TEST_CASE("doctor: damaged pages: pages that LMDB wrote are sound") {
  const Village village;
  REQUIRE_FALSE(store::page_damage(village.path()));
  std::mt19937 random(5);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  for (int round = 0; round < 40; ++round) {
    village.damage([&](lmdb::WriteTxn& txn) {
      const bool grows = round % 4 != 3;
      for (int i = 0; i < 400; ++i) {
        const auto table = static_cast<Table>(1 + below(lmdb::kTables - 1));
        const std::string key = fmt::format("{:0{}}", below(600), 1 + below(40) * below(12));
        if (grows) {
          txn.put(table, key, std::string(below(20) == 0 ? below(20'000) : below(300), 'v'));
        }
        txn.erase(table, fmt::format("{:0{}}", below(600), 1 + below(40)));
        if (grows) continue;
        lmdb::Cursor cursor(txn, table);
        const auto item = cursor.at_or_after(key);
        if (item) txn.erase(table, std::string(item->key));
      }
    });
    const auto damage = store::page_damage(village.path());
    CHECK_MESSAGE(!damage, damage.value_or(""));
  }
}

}  // namespace chirp::test::drop_damaged_test
