// Goal: a file of the engine that is whole is never called damaged, however it grows while it is
// looked at and whatever its last transactions gave back; one that is cut always is.
// Method: the file is given its next contents before each single look that a command takes at it;
// transactions that take and give back pages, until the file is shorter than its pages reach.

#include "store/lmdb/preflight.h"

#include <random>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/faults.h"
#include "tests/support/lmdb_rows.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::preflight_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPage = 4096;

}  // namespace

TEST_CASE("preflight: a commit between any two looks at the file harms nobody") {
  if (!can_inject_faults()) return;
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  fill(*store::DataDirectory::open(path), 4, 2);
  const fs::path file = path / "engine" / "data.mdb";
  const std::string before = read_file(file);
  for (int i = 0; i < 100; ++i) {
    publish(*store::DataDirectory::open(path), UserNumber{1}, std::string(1000, 'x'));
  }
  const std::string after = read_file(file);
  REQUIRE(after.size() > before.size());

  const fs::path next = folder / "next";
  int at = 1;
  for (; at < 100; ++at) {
    CAPTURE(at);
    write_file(file, before);
    write_file(next, after);
    Command command = chirp_command(path.string(), {"stats"});
    command.environment = {std::string("LD_PRELOAD=") + CHIRP_GROW_BETWEEN,
                           "CHIRP_LOOK_FILE=" + file.string(), "CHIRP_LOOK_NEXT=" + next.string(),
                           fmt::format("CHIRP_LOOK_AT={}", at)};
    const Ended ended = run(command);
    if (fs::exists(next)) break;  // it does not look so often
    CHECK_MESSAGE(ended.ok(), to_string(ended));
  }
  CHECK(at > 2);
  CHECK(at < 100);
}

TEST_CASE("preflight: a file may be shorter than its pages reach, if those at its end are free") {
  int shorter = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const TempFolder folder;
    LmdbRows rows(folder.path());
    std::mt19937 random(seed);
    const auto below = [&](int most) { return static_cast<int>(random() % unsigned(most)); };
    const int all = 500 + below(3000);
    LmdbRows::Model put;
    for (int i = 0; i < all; ++i) put[fmt::format("{:08}", i)] = std::string(150, 'x');
    rows.change(put, {});
    for (int round = 0; round < 10; ++round) {
      // Pages are split here and there, and most of them are given back at once.
      put.clear();
      for (int i = 0; i < 200; ++i) {
        put[fmt::format("{:08}b", below(all))] = std::string(200, 'y');
      }
      std::vector<std::string> take;
      const int from = below(all);
      for (int i = from; i < from + below(2 * all); ++i) {
        take.push_back(fmt::format("{:08}", i));
        take.push_back(fmt::format("{:08}b", i));
      }
      rows.change(put, take);
      CHECK_NOTHROW(lmdb::check_data_file(rows.file()));
      const auto size = fs::file_size(rows.file());
      if (size >= rows.pages() * kPage || rows.model().empty()) continue;
      ++shorter;
      fs::copy_file(rows.file(), folder / "cut", fs::copy_options::overwrite_existing);
      fs::resize_file(folder / "cut", 2 * kPage);
      CHECK(error_of([&] { lmdb::check_data_file(folder / "cut"); }).code() == ErrorCode::kCorrupt);
    }
  }
  CHECK(shorter > 0);
}

}  // namespace chirp::test::preflight_test
