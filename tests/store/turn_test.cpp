// Goal: whoever waits for the turn to write has it before somebody who had it a moment ago, so that
// one who writes again and again starves nobody.
// Method: two handles of one lock file. The waiter is known to wait by the locks of the file, seen
// through a third; deadlines are by a clock that the test moves.
#include "store/lmdb/turn.h"

#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <future>
#include <mutex>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "core/error.h"
#include "store/files.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_folder.h"

namespace chirp::turn_test {
namespace {

constexpr std::chrono::minutes kMinute{1};

store::File lock_file(const test::TempFolder& folder) {
  return store::File::open(folder / "write.lock", O_RDWR | O_CREAT);
}

// Whether some handle but `file` holds a lock on `byte`.
bool is_locked(const store::File& file, off_t byte) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  REQUIRE(::fcntl(file.fd(), F_OFD_GETLK, &lock) == 0);
  return lock.l_type != F_UNLCK;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("turn: one who writes again and again comes after the one who waits") {
  constexpr off_t kNext = 1;
  const test::StillClock clock;
  const store::Deadline never(clock, kMinute);
  const test::TempFolder folder;
  const store::File mine = lock_file(folder);
  const store::File theirs = lock_file(folder);
  const store::File looking = lock_file(folder);
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    std::mutex telling;  // which the thread sanitizer understands, other than locks of a file
    std::string order;
    const auto tell = [&](const char* what) {
      const std::lock_guard guard(telling);
      order += what;
    };
    std::thread waiter;
    {
      const lmdb::WriteTurn turn(mine.fd(), never);
      waiter = std::thread([&] {
        const lmdb::WriteTurn turn_of_waiter(theirs.fd(), never);
        tell("waiter ");
      });
      CHECK(test::eventually([&] { return is_locked(looking, kNext); }));
      tell("writer ");
    }
    {
      const lmdb::WriteTurn again(mine.fd(), never);
      tell("writer again");
    }
    waiter.join();
    CHECK(order == "writer waiter writer again");
  }
}

TEST_CASE("turn: a turn that does not come is an error, and nothing is held afterwards") {
  test::StillClock clock;
  const store::Deadline deadline(clock, kMinute);
  const test::TempFolder folder;
  const store::File mine = lock_file(folder);
  const store::File theirs = lock_file(folder);
  const store::File looking = lock_file(folder);
  {
    const lmdb::WriteTurn turn(mine.fd(), deadline);
    clock.advance(kMinute.count() * kMinuteMs - 1);
    const std::int64_t looks = clock.looks();
    auto waiter =
        std::async(std::launch::async, [&] { const lmdb::WriteTurn late(theirs.fd(), deadline); });
    REQUIRE(test::eventually([&] { return clock.looks() > looks + 2; }));
    CHECK(is_locked(looking, 1));
    clock.advance(1);
    CHECK_THROWS_AS(waiter.get(), Error);
    CHECK(is_locked(looking, 0));
    CHECK_FALSE(is_locked(looking, 1));
  }
  CHECK_FALSE(is_locked(looking, 0));
  // A caller without time left asks once.
  const lmdb::WriteTurn turn(theirs.fd(), deadline);
}

TEST_SUITE_END();

}  // namespace chirp::turn_test
