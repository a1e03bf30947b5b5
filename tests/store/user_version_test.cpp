// Goal: the version of a user directory moves with every commit that may have changed what somebody
// has read of it, whatever program commits and wherever it is killed, and with no other.
// Method: two directories over one file, plain SQLite beside them, forked writers that are killed
// as they commit; the index of SQLite's log set back by hand to what a kill leaves.

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "core/limits.h"
#include "store/sqlite/file_version.h"
#include "store/sqlite/user_directory.h"
#include "store/sqlite/vfs.h"
#include "tests/support/directories.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::user_version_test {
namespace {

struct World {
  World() {
    sqlite::create_user_directory(file, {std::string(kDirectoryUuid), kDirectoryMachine});
    std::filesystem::create_directory(folder / "media");
  }
  [[nodiscard]] std::unique_ptr<sqlite::SqliteUserDirectory> open() const {
    return sqlite::open_user_directory(file);
  }

  TempFolder folder;
  std::filesystem::path file = folder / "users.db";
};

// A directory that tells its version, and somebody in it with a token.
struct Told {
  explicit Told(const World& world) : users(world.open()) {
    if (!users->find_name("mira")) (void)users->add(named("mira"), kNow);
    mira = users->find_name("mira")->number;
    token = users->add_token(mira, kNow, std::nullopt);
    users->tell_version();
    version = users->version();
    REQUIRE(version);
  }
  // Whether it has moved since the last look.
  [[nodiscard]] bool moved() {
    const auto before = std::exchange(version, users->version());
    return !version || version != before;
  }

  std::unique_ptr<sqlite::SqliteUserDirectory> users;
  UserNumber mira;
  std::string token;
  std::optional<std::uint64_t> version;
};

// What another program does to the file, with nothing of ours.
void run_plain(const std::filesystem::path& file, const char* sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &handle) == SQLITE_OK);
  CHECK(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

// A process that writes on request, and is killed meanwhile. Made before the test opens a store, so
// that it has nothing of the test's.
class KilledWriter {
 public:
  template <class Body>
  explicit KilledWriter(Body body) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      char byte = 0;
      if (::read(ends[0], &byte, 1) == 1) body();
      ::_exit(1);
    }
    ::close(ends[0]);
    go_ = ends[1];
  }
  ~KilledWriter() {
    if (pid_ > 0) (void)go();
  }
  KilledWriter(const KilledWriter&) = delete;
  KilledWriter& operator=(const KilledWriter&) = delete;

  // The signal that has ended it; 0 if it ended by itself.
  int go() {
    (void)!::write(go_, "g", 1);
    ::close(go_);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    pid_ = -1;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

 private:
  pid_t pid_ = -1;
  int go_ = -1;
};

// The two marks at the beginning of the index, as the processes that have it mapped see them.
class Marks {
 public:
  explicit Marks(const std::filesystem::path& file) {
    const int fd = ::open((file.string() + "-shm").c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(fd >= 0);
    at_ = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ::close(fd);  // with SQLite's locks on it, which other processes alone would ask for
    REQUIRE(at_ != MAP_FAILED);
  }
  ~Marks() { ::munmap(at_, kBytes); }
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;

  using Mark = std::array<unsigned char, 48>;
  [[nodiscard]] Mark first() const {
    Mark mark{};
    std::memcpy(mark.data(), at_, mark.size());
    return mark;
  }
  void set(std::size_t which, const Mark& mark) {
    std::memcpy(static_cast<unsigned char*>(at_) + which * mark.size(), mark.data(), mark.size());
  }

 private:
  static constexpr std::size_t kBytes = 4096;
  void* at_ = nullptr;
};

}  // namespace

TEST_CASE("user version: nothing is reported before the first call, nor of an unchanged file") {
  const World world;
  const auto users = world.open();
  CHECK_FALSE(users->version());
  CHECK(users->find_name("mira") == std::nullopt);
  users->tell_version();
  const auto version = users->version();
  REQUIRE(version);
  CHECK(users->version() == version);
}

TEST_CASE("user version: what changes a token or a user moves it, in this directory and another") {
  const World world;
  Told told(world);
  const auto other = world.open();
  for (sqlite::SqliteUserDirectory* users : {told.users.get(), other.get()}) {
    CAPTURE(users == other.get());
    CHECK_FALSE(told.moved());
    const std::string token = users->add_token(told.mira, kNow, std::nullopt);
    (void)told.moved();
    CHECK(users->revoke_token(token));
    CHECK(told.moved());
    UserEdit edit;
    edit.bio = users == other.get() ? "Gardens." : "Bakes.";
    (void)users->edit(told.mira, edit);
    CHECK(told.moved());
    edit = {};
    edit.password_hash = users == other.get() ? "hash" : "another";
    (void)users->edit(told.mira, edit);
    CHECK(told.moved());
    users->begin_removal(told.mira);
    CHECK(told.moved());
    users->cancel_removal(told.mira);
    CHECK(told.moved());
    const UserNumber yuki = users->add(named(users == other.get() ? "yuki" : "olek"), kNow).number;
    (void)told.moved();
    CHECK(users->remove(yuki));
    CHECK(told.moved());
    (void)load_one(*users, loaded(users == other.get() ? 7 : 8));
    CHECK(told.moved());
  }
  CHECK_FALSE(told.moved());
}

TEST_CASE("user version: what only adds to a directory leaves its own version as it is") {
  const World world;
  Told told(world);
  const UserNumber yuki = told.users->add(named("yuki"), kNow).number;
  CHECK_FALSE(told.moved());
  (void)told.users->add_token(yuki, kNow, std::nullopt);
  CHECK_FALSE(told.moved());
  told.users->note_events(Sequence{7});
  CHECK_FALSE(told.moved());
  told.users->settle_cards(told.users->due_cards(10));
  CHECK_FALSE(told.moved());
  const MediaFacts facts{MediaType::kPng, 1, 1};
  const Upload upload = told.users->media().put(yuki, facts, "bytes", kNow);
  CHECK_FALSE(told.moved());
  told.users->media().touch({&upload.id, 1}, Time{kNow.ms + 10});
  CHECK_FALSE(told.moved());
  // One more than are kept takes the oldest away.
  for (std::size_t i = 0; i < limits::kSessionsMax; ++i) {
    (void)told.users->add_token(yuki, kNow, Time{kNow.ms + 1000});
  }
  CHECK_FALSE(told.moved());
  (void)told.users->add_token(yuki, kNow, Time{kNow.ms + 1000});
  CHECK(told.moved());
}

TEST_CASE("user version: an addition does not hide what another process has changed before it") {
  const World world;
  Told told(world);
  const auto other = world.open();
  CHECK(other->revoke_token(told.token));
  (void)told.users->add(named("yuki"), kNow);
  CHECK(told.moved());
}

TEST_CASE("user version: what a commit has written is looked at while the turn is still its own") {
  const World world;
  Told told(world);
  sqlite::Connection other(world.file);
  const Marks marks(world.file);
  const Marks::Mark before = marks.first();
  int looks = 0;
  {
    const sqlite::BeforeTurnEnds look([&] {
      ++looks;
      CHECK(marks.first() != before);
      CHECK(code_of([&] {
              const sqlite::Transaction turn(other, sqlite::Transaction::Wait::kNever);
            }) == ErrorCode::kUnavailable);
    });
    CHECK(told.users->revoke_token(told.token));
  }
  CHECK(looks == 1);
  CHECK(told.users->add(named("yuki"), kNow).number != told.mira);
  CHECK(looks == 1);
}

TEST_CASE("user version: a program that knows nothing of it moves it") {
  const World world;
  Told told(world);
  run_plain(world.file, "DELETE FROM tokens");
  CHECK(told.moved());
  CHECK_FALSE(told.users->token_owner(told.token, kNow));
}

TEST_CASE("user version: a checkpoint, and a log that starts over, leave nothing of before") {
  const World world;
  Told told(world);
  for (int round = 0; round < 5; ++round) {
    run_plain(world.file, "PRAGMA wal_checkpoint(TRUNCATE)");
    (void)told.moved();
    run_plain(world.file, "UPDATE users SET bio = bio || 'x'");
    CHECK(told.moved());
  }
  CHECK_FALSE(told.moved());
}

TEST_CASE("user version: a kill between what a commit writes and its end is a commit") {
  const World world;
  (void)world.open()->add(named("mira"), kNow);
  KilledWriter writer([&] {
    const auto users = world.open();
    const sqlite::BeforeTurnEnds kill([] { (void)::raise(SIGKILL); });
    (void)users->revoke(AllTokens{users->find_name("mira")->number, {}});
  });
  const auto users = world.open();
  const UserNumber mira = users->find_name("mira")->number;
  const std::string token = users->add_token(mira, kNow, std::nullopt);
  users->tell_version();
  const auto before = users->version();
  REQUIRE(before);
  CHECK(writer.go() == SIGKILL);
  const auto after = users->version();
  CHECK(after != before);
  CHECK_FALSE(users->token_owner(token, kNow));
  CHECK(users->version() == after);
}

TEST_CASE("user version: a kill before anything is committed changes nothing") {
  const World world;
  (void)world.open()->add(named("mira"), kNow);
  KilledWriter writer([&] {
    sqlite::Connection connection(world.file);
    const sqlite::Transaction turn(connection);
    connection.run("DELETE FROM tokens");
    (void)::raise(SIGKILL);
  });
  Told told(world);
  CHECK(writer.go() == SIGKILL);
  CHECK(told.users->token_owner(told.token, kNow) == told.mira);
  CHECK_FALSE(told.moved());
}

TEST_CASE("user version: a half-written mark is not valid") {
  const World world;
  Told told(world);
  Marks marks(world.file);
  const Marks::Mark before = marks.first();
  CHECK(world.open()->revoke_token(told.token));
  const Marks::Mark after = marks.first();
  REQUIRE(before != after);
  SUBCASE("killed before the first of the two: for SQLite nothing was committed, nor for us") {
    marks.set(0, before);
    marks.set(1, before);
    CHECK_FALSE(told.moved());
    CHECK(told.users->token_owner(told.token, kNow) == told.mira);
  }
  SUBCASE("killed between the two") {
    marks.set(0, before);
    CHECK_FALSE(told.users->version());
    // The next reader repairs it, and what was in the log is committed.
    CHECK_FALSE(told.users->token_owner(told.token, kNow));
    CHECK(told.moved());
    CHECK(told.users->version());
  }
  SUBCASE("killed in the midst of the first") {
    Marks::Mark half = before;
    std::copy_n(after.begin(), 12, half.begin());
    marks.set(0, before);
    marks.set(1, half);
    CHECK_FALSE(told.users->version());
    CHECK_FALSE(told.users->token_owner(told.token, kNow));
    CHECK(told.moved());
  }
  SUBCASE("two halves that are the same") {
    Marks::Mark half = before;
    std::copy_n(after.begin(), 12, half.begin());
    marks.set(0, half);
    marks.set(1, half);
    CHECK_FALSE(told.users->version());
  }
}

TEST_CASE("user version: the mark of an index that was made anew is not valid") {
  const World world;
  const auto users = world.open();
  Marks marks(world.file);
  alignas(std::uint64_t) const std::array<Marks::Mark, 2> fresh{marks.first(), marks.first()};
  CHECK_FALSE(sqlite::commit_mark(fresh.data()));
  users->tell_version();
  const auto version = users->version();
  REQUIRE(version);
  // As after a kill in the midst of a mark, of a log that was emptied just then.
  marks.set(0, fresh.front());
  marks.set(1, fresh.front());
  CHECK_FALSE(users->version());
}

}  // namespace chirp::test::user_version_test
