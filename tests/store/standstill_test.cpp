// Goal: a process that is stopped in the middle of something does not make others wait forever:
// they get the error that the directory is busy. Method: the locks that a stopped process would
// hold are held by the test.

#include <atomic>
#include <fcntl.h>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/files.h"
#include "store/lmdb/gate.h"
#include "store/lmdb/watchdog.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/fake_clock.h"
#include "tests/support/faults.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

// Holds bytes of a file, for reading or for writing, while it lives.
class Held {
 public:
  Held(const fs::path& file, off_t from, off_t bytes, short type)
      : file_(store::File::open(file, O_RDWR)) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = from;
    lock.l_len = bytes;
    REQUIRE(::fcntl(file_.fd(), F_OFD_SETLK, &lock) == 0);
  }

 private:
  store::File file_;
};

void check_busy(const Ended& ended) {
  CHECK_FALSE(ended.late);
  CHECK_MESSAGE(ended.status == 1, to_string(ended));
  CHECK_MESSAGE(ended.err.find("ry again") != std::string::npos, to_string(ended));
}

}  // namespace

TEST_CASE("standstill: somebody stopped inside the first opening of the engine means busy") {
  const TempFolder folder;
  store::make_data_directory(folder / "chirp", {});
  fill(*store::DataDirectory::open(folder / "chirp"), 4, 1);
  const std::string data = (folder / "chirp").string();
  {
    const Held opening(folder / "chirp" / "engine" / "lock.mdb", 0, 1, F_WRLCK);
    check_busy(run(chirp_command(data, {"feed", "show", "a0"})));
  }
  CHECK(run(chirp_command(data, {"feed", "show", "a0"})).ok());
}

TEST_CASE("standstill: who is stopped in the gate is waited for with a deadline") {
  const StillClock clock;
  const store::Deadline passed(clock, std::chrono::nanoseconds(0));
  const TempFolder folder;
  const fs::path file = folder / "lock.mdb";
  lmdb::Gate stopped(file);
  lmdb::Gate others(file);
  {
    const lmdb::Gate::Pass pass(stopped, passed);
    CHECK_THROWS_AS(lmdb::Gate::Pass(others, passed), Error);
    CHECK_THROWS_AS(lmdb::Gate::Pass(stopped, passed), Error);  // another thread's
  }
  CHECK_NOTHROW(lmdb::Gate::Pass(others, passed));
}

TEST_CASE("standstill: somebody stopped at the head of the writers' queue means busy") {
  const TempFolder folder;
  store::make_data_directory(folder / "chirp", {});
  fill(*store::DataDirectory::open(folder / "chirp"), 4, 1);
  const std::string data = (folder / "chirp").string();
  for (const off_t byte : {off_t{0}, off_t{1}}) {
    CAPTURE(byte);
    const Held turn(folder / "chirp" / "write.lock", byte, 1, F_WRLCK);
    check_busy(run(chirp_command(data, {"post", "add", "a0", "hello"})));
    // What a read would keep is left out, and the read does not wait for it.
    Command reading = chirp_command(data, {"feed", "show", "a0"});
    reading.patience.quiet = std::chrono::seconds(3);
    static_assert(limits::kBusyMs > 4000);
    CHECK(run(reading).ok());
  }
}

TEST_CASE("standstill: somebody stopped with the locks of the users' log means busy") {
  constexpr off_t kFirst = 120;  // of the index of SQLite's log: the writer's
  constexpr off_t kLocks = 8;
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  fill(*store::DataDirectory::open(path), 4, 1);
  const std::string data = path.string();
  REQUIRE(run(chirp_command(data, {"user", "list"})).ok());
  REQUIRE(fs::exists(path / "users.db-shm"));  // who only reads leaves it
  {
    const Held locks(path / "users.db-shm", kFirst, kLocks, F_WRLCK);
    check_busy(run(chirp_command(data, {"user", "list"})));
  }
  {
    const Held writer(path / "users.db-shm", kFirst, 1, F_WRLCK);
    check_busy(run(chirp_command(data, {"user", "edit", "a0", "--bio", "hello"})));
  }
  CHECK(run(chirp_command(data, {"user", "edit", "a0", "--bio", "hello"})).ok());
}

TEST_CASE("standstill: a change that goes round for ever ends its process and says why") {
  if (built_with_sanitizer()) return;
  const Ended ended = run_forked([] {
    const lmdb::Watchdog watchdog(std::chrono::milliseconds(20));
    std::atomic<unsigned> rounds = 0;
    while (++rounds != 0 || rounds == 0) {
    }
    return 0;
  });
  CHECK_MESSAGE(ended.status == 1, to_string(ended));
  CHECK(ended.err.find("damaged") != std::string::npos);
}

TEST_CASE("standstill: searches that follow each other are none that goes round for ever") {
  std::uint64_t one = 0;
  std::uint64_t other = 0;
  const auto looked = [](std::uint64_t& seen) {
    return lmdb::watched([&] {
      seen = lmdb::searches.load();
      return 0;
    });
  };
  REQUIRE(looked(one) == 0);
  CHECK(lmdb::searches.load() % 2 == 0);
  REQUIRE(looked(other) == 0);
  CHECK(one % 2 == 1);
  CHECK(other % 2 == 1);
  CHECK(one != other);
}

}  // namespace chirp::test
