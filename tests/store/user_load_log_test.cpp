// Goal: a load of users copies SQLite's log into the file once for a few of its transactions, and
// leaves no long one.
// Method: the length of the log after each of many batches.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "store/sqlite/user_directory.h"
#include "tests/support/directories.h"
#include "tests/support/temp_folder.h"

namespace chirp {

using test::kNow;
using test::loaded;

TEST_CASE("user directory: the log of a large load is copied now and then, and stays short") {
  const test::TempFolder folder;
  const auto file = folder / "users.db";
  sqlite::create_user_directory(file, {std::string(test::kDirectoryUuid), test::kDirectoryMachine});
  const auto users = sqlite::open_user_directory(file);
  constexpr std::uintmax_t kMiB = std::uintmax_t{1} << 20;
  std::string bio;
  for (int i = 0; i < 160; ++i) bio += "😀";
  std::uintmax_t longest = 0;
  int ends = 0;
  std::uint64_t id = 0;
  for (int batch = 0; batch < 12; ++batch) {
    std::vector<LoadedUser> many;
    for (int i = 0; i < 8'000; ++i) {
      many.push_back(loaded(++id));
      many.back().bio = bio;
    }
    CHECK(users->load(many, kNow).back().change == LoadedUserChange::kAdded);
    const auto bytes = std::filesystem::file_size(file.string() + "-wal");
    longest = std::max(longest, bytes);
    ends += bytes == 0 ? 1 : 0;
  }
  CHECK(longest > 4 * kMiB);
  CHECK(longest < 32 * kMiB);
  CHECK(ends > 0);
  CHECK(ends < 12);
  CHECK(users->count() == id);
}

}  // namespace chirp
