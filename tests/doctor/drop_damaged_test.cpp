// Goal: one damaged record is told once; what can be made again is, and never dropped; what can't
// be made again is dropped only on demand, after it was listed and copied, and nothing is wrong
// afterwards.
// Method: in each table a byte of a record is changed behind the engine's back; the program is run.

#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/doctor_village.h"

namespace chirp::test::drop_damaged_test {
namespace {

namespace fs = std::filesystem;
using lmdb::Table;

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
    CHECK(doctor(village, {}).status == 5);
    const Ended mended = doctor(village, {"--repair"});
    CHECK_MESSAGE(mended.ok(), to_string(mended));
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
  const Ended ended = doctor(village, {"--drop-damaged"});
  CHECK_MESSAGE(ended.status == 5, to_string(ended));
  CHECK(copies(village).empty());
}

}  // namespace chirp::test::drop_damaged_test
