// Goal: the file of the user directory keeps what was written, differs from any other file, and
// serves many handles at once, readers without rights among them; its log stays short in a large
// load.
// Method: the file is opened again, copied, edited byte by byte, opened by many threads, and by a
// child that may only read.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "store/sqlite/user_directory.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/directories.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::sqlite_users_test {
namespace {

namespace fs = std::filesystem;

const sqlite::Identity kIdentity{std::string(test::kDirectoryUuid), test::kDirectoryMachine};

// Runs `body` in a child that is nobody, who may read `folder` and write nowhere in it. What it
// returns is the child's exit status.
int as_nobody(const fs::path& folder, int (*body)(const fs::path&)) {
  fs::permissions(folder, fs::perms(0555));
  for (const auto& entry : fs::directory_iterator(folder)) {
    fs::permissions(entry.path(), fs::perms(0444));
  }
  return run_as_nobody([&] { return body(folder); }).status;
}

// 0 if the directory is read and refuses to be written.
int read_only_check(const fs::path& folder) {
  const auto users = sqlite::open_user_directory(folder / "users.db");
  if (users->access() != sqlite::FileAccess::kReadOnly) return 1;
  if (!users->find_name("mira") || users->count() != 1) return 2;
  UserQuery query;
  query.match = "mira";
  if (users->list(query).users.size() != 1) return 3;
  if (code_of([&] { users->add(named("bob"), kNow); }) != ErrorCode::kReadOnly) return 4;
  if (!users->problems().empty()) return 5;
  return 0;
}

}  // namespace

TEST_CASE("sqlite users: what is acknowledged is there when the file is opened again") {
  const test::TempFolder folder;
  const fs::path file = folder / "users.db";
  sqlite::create_user_directory(file, kIdentity);
  CHECK((fs::status(file).permissions() & fs::perms(0077)) == fs::perms::none);
  User mira;
  User removed;
  {
    const auto users = sqlite::open_user_directory(file);
    CHECK(users->identity() == kIdentity);
    CHECK(users->access() == sqlite::FileAccess::kReadWrite);
    CHECK(users->noted_events() == Sequence{0});
    mira = users->add(named("mira"), kNow);
    removed = users->add(named("gone"), kNow);
    users->remove(removed.number);
    users->begin_removal(mira.number);
    users->note_events(Sequence{7});
    users->note_events(Sequence{5});
  }
  const auto users = sqlite::open_user_directory(file);
  CHECK(users->find_name("mira") == mira);
  CHECK(users->removals() == std::vector{mira.number});
  CHECK(users->noted_events() == Sequence{7});
  users->reset_noted_events(Sequence{5});
  CHECK(users->noted_events() == Sequence{5});
  const User next = users->add(named("next"), kNow);
  CHECK(next.number > removed.number);
  CHECK(next.id > removed.id);
  CHECK(users->bytes_in_use() > 0);
}

TEST_CASE("sqlite users: a copy is whole while others write") {
  const test::TempFolder folder;
  sqlite::create_user_directory(folder / "users.db", kIdentity);
  const auto users = sqlite::open_user_directory(folder / "users.db");
  const auto other = sqlite::open_user_directory(folder / "users.db");
  users->add(named("mira"), kNow);
  other->copy_to(folder / "copy.db");
  users->add(named("bob"), kNow);
  const auto copy = sqlite::open_user_directory(folder / "copy.db");
  CHECK(copy->identity() == kIdentity);
  CHECK(copy->find_name("mira"));
  CHECK(copy->count() == 1);
  CHECK(copy->problems().empty());
  CHECK(code_of([&] { users->copy_to(folder / "copy.db"); }) == ErrorCode::kConflict);
}

TEST_CASE("sqlite users: compacting gives back what removals freed") {
  const test::TempFolder folder;
  const fs::path file = folder / "users.db";
  sqlite::create_user_directory(file, kIdentity);
  std::vector<LoadedUser> batch;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    batch.push_back(loaded(i, "someone" + std::to_string(i) + "x"));
  }
  UserNumber last;
  std::uintmax_t before = 0;
  {
    const auto users = sqlite::open_user_directory(file);
    const auto results = users->load(batch, kNow);
    for (std::size_t i = 0; i < 300; ++i) users->remove(results[i].user.number);
    last = results.back().user.number;
    before = fs::file_size(file);
    users->compact();
  }
  CHECK(fs::file_size(file) < before);
  CHECK(read_file(file).find("someone7x") == std::string::npos);
  CHECK(read_file(file).find("someone2999x") != std::string::npos);
  const auto users = sqlite::open_user_directory(file);
  CHECK(users->count() == 2700);
  CHECK(users->problems().empty());
  CHECK(users->add(named("next"), kNow).number > last);
}

TEST_CASE("sqlite users: another file is refused and left as it is") {
  const test::TempFolder folder;
  const fs::path file = folder / "users.db";
  CHECK(code_of([&] { (void)sqlite::open_user_directory(file); }) == ErrorCode::kCorrupt);
  CHECK_FALSE(fs::exists(file));
  CHECK(code_of([&] { sqlite::create_user_directory(folder / "none" / "users.db", kIdentity); }) ==
        ErrorCode::kIo);
  sqlite::create_user_directory(file, kIdentity);
  CHECK(code_of([&] { sqlite::create_user_directory(file, kIdentity); }) == ErrorCode::kConflict);
  const std::string sound = read_file(file);

  const auto with = [&](std::size_t at, char byte) {
    std::string bytes = sound;
    bytes[at] = byte;
    return bytes;
  };
  constexpr std::size_t kUserVersionEnd = 63;  // of SQLite's header, big-endian
  constexpr std::size_t kApplicationIdEnd = 71;
  const std::vector<std::pair<std::string, ErrorCode>> cases = {
      {"", ErrorCode::kCorrupt},
      {"not a database, and longer than a header would be: " + std::string(200, 'x'),
       ErrorCode::kCorrupt},
      {with(kApplicationIdEnd, 'x'), ErrorCode::kCorrupt},
      {with(kUserVersionEnd, 0), ErrorCode::kVersion},
      {with(kUserVersionEnd, 1), ErrorCode::kVersion},
      {with(kUserVersionEnd, 2), ErrorCode::kVersion},
      {with(kUserVersionEnd, 3), ErrorCode::kVersion},
      {with(kUserVersionEnd, 4), ErrorCode::kVersion},
      {with(kUserVersionEnd, 5), ErrorCode::kVersion},
      {with(kUserVersionEnd, 6), ErrorCode::kVersion},
      {with(kUserVersionEnd, 8), ErrorCode::kVersion},
      {with(kUserVersionEnd - 3, 127), ErrorCode::kVersion},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(i);
    write_file(file, cases[i].first);
    CHECK(code_of([&] { (void)sqlite::open_user_directory(file); }) == cases[i].second);
    CHECK(read_file(file) == cases[i].first);
  }
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("sqlite users: if many want one name at once, one gets it") {
  const test::TempFolder folder;
  const fs::path file = folder / "users.db";
  sqlite::create_user_directory(file, kIdentity);
  constexpr int kThreads = 8;
  constexpr int kRounds = 5;
  std::vector<std::atomic<int>> wins(kRounds);
  std::atomic<int> refused{0};
  std::atomic<int> broken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      try {
        const auto users = sqlite::open_user_directory(file);
        for (int round = 0; round < kRounds; ++round) {
          NewUser user = named((t % 2 == 0 ? "Name" : "nAME") + std::to_string(round));
          user.email = "own" + std::to_string(t) + "_" + std::to_string(round) + "@example.org";
          const auto code = code_of([&] { users->add(user, kNow); });
          if (!code) {
            ++wins[static_cast<std::size_t>(round)];
          } else {
            ++(code == ErrorCode::kAlreadyExists ? refused : broken);
          }
        }
      } catch (...) {
        ++broken;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::atomic<int>& count : wins) CHECK(count == 1);
  CHECK(refused == (kThreads - 1) * kRounds);
  CHECK(broken == 0);
  const auto users = sqlite::open_user_directory(file);
  CHECK(users->count() == kRounds);
  // No number was used up by who came too late.
  CHECK(users->newest(1).front().number == UserNumber{kRounds});
  CHECK(users->problems().empty());
}

TEST_SUITE_END();

TEST_CASE("sqlite users: where no file may grow, not even a copy to read from, that is said") {
  const test::TempFolder folder;
  sqlite::create_user_directory(folder / "users.db", kIdentity);
  sqlite::open_user_directory(folder / "users.db")->add(named("mira"), kNow);
  CHECK_FALSE(fs::exists(folder / "users.db-wal"));
  // Neither the small files that SQLite's readers need nor a copy elsewhere can be made.
  const Ended ended = run_forked([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit none{0, 0};
    if (::setrlimit(RLIMIT_FSIZE, &none) != 0) return 98;
    const auto open = [&] { (void)sqlite::open_user_directory(folder / "users.db"); };
    return code_of(open) == ErrorCode::kStorageFull ? 0 : 1;
  });
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  const auto users = sqlite::open_user_directory(folder / "users.db");
  REQUIRE(users->find_name("mira"));
  CHECK(users->add(named("bob"), kNow).number == UserNumber{2});
}

TEST_CASE("sqlite users: a directory that can't be written is read") {
  const test::TempFolder folder;
  sqlite::create_user_directory(folder / "users.db", kIdentity);
  {
    const auto users = sqlite::open_user_directory(folder / "users.db");
    users->add(named("mira"), kNow);
  }
  SUBCASE("after the last writer went") {
    CHECK_FALSE(fs::exists(folder / "users.db-wal"));
    CHECK(as_nobody(folder.path(), read_only_check) == 0);
  }
  SUBCASE("with what a reader leaves beside it") {
    (void)sqlite::open_user_directory(folder / "users.db")->count();
    CHECK(as_nobody(folder.path(), read_only_check) == 0);
  }
  SUBCASE("while a writer has it open") {
    const auto users = sqlite::open_user_directory(folder / "users.db");
    const User bob = users->add(named("bob"), kNow);
    users->remove(bob.number);
    CHECK(as_nobody(folder.path(), read_only_check) == 0);
  }
}

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

}  // namespace chirp::test::sqlite_users_test
