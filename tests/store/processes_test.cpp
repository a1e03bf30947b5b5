// Goal: any number of processes may use one directory: nobody loses an acknowledged write, nobody
// waits for ever, and the map grows for all of them.
// Method: forked copies of the test and the program itself, some of them stopped in the middle of a
// write by the fault injector.

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/limits.h"
#include "store/lock_file.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/faults.h"
#include "tests/support/progress.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;

// Appends one line by one call, so that other processes read it whole or not at all.
void acknowledge(const fs::path& file, std::uint64_t id) {
  const store::File out = store::File::open(file, O_WRONLY | O_APPEND | O_CREAT);
  store::write_all(out, fmt::format("{}\n", id), file);
}

std::vector<PostId> acknowledged(const fs::path& file) {
  std::vector<PostId> ids;
  std::ifstream in(file);
  // A line that is still being written has no end yet.
  for (std::string line; std::getline(in, line) && !in.eof();) ids.push_back({std::stoull(line)});
  return ids;
}

// Runs `body` in several forked copies at once, and `beside`, if given, in the test again and again
// until all have ended.
void run_together(int copies, const std::function<int(int)>& body,
                  const std::function<void()>& beside = {}) {
  std::vector<pid_t> pids;
  for (int i = 0; i < copies; ++i) {
    std::fflush(nullptr);
    const pid_t pid = ::fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
      int status = 99;
      try {
        status = body(i);
      } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
      }
      ::_exit(status);
    }
    pids.push_back(pid);
  }
  for (const pid_t pid : pids) {
    int status = 0;
    for (Patience patience; ::waitpid(pid, &status, WNOHANG) == 0;) {
      if (beside) beside();
      if (!beside) REQUIRE_MESSAGE(patience.rests(), patience.reason());
    }
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
}

// Stops a command at the call that finds it holding `lock`, and gives it back.
std::unique_ptr<Background> stopped_holding(const fs::path& world, const Command& command,
                                            const std::function<bool()>& is_held) {
  const Faults faults(world);
  for (std::uint64_t call = 1;; ++call) {
    auto process = std::make_unique<Background>(faults.at(call, "stop", command));
    if (!process->wait_stopped()) break;
    if (is_held()) return process;
    process->signal(SIGCONT);
    REQUIRE(process->wait().ok());
  }
  return nullptr;
}

bool write_lock_held(const fs::path& path) {
  return !store::LockFile::try_lock(path / "write.lock", store::LockFile::Kind::kExclusive);
}

// A directory whose map starts small: the size is kept in the file.
void make_small(const fs::path& path) {
  const Ended ended = run_forked([&] {
    ::setenv("CHIRP_MAPSIZE", "1M", 1);
    store::make_data_directory(path, {});
    fill(*DataDirectory::open(path), 4, 1);
    return 0;
  });
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
}

}  // namespace

TEST_CASE("processes: writers take turns and readers see every acknowledged write") {
  constexpr int kWriters = 3;
  constexpr int kPosts = 60;
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  fill(*DataDirectory::open(path), 4, 1);
  const auto write = [&](int number) {
    const auto directory = DataDirectory::open(path);
    const UserNumber author{static_cast<std::uint32_t>(number) + 1};
    for (int i = 0; i < kPosts; ++i) {
      acknowledge(folder / "oracle", publish(*directory, author, fmt::format("{}", i)).value);
      if (i % 10 != number) continue;
      if (directory->try_consumer_right()) events::drain(directory->storage(), test_clock());
    }
    return 0;
  };
  // Opened anew each time: a store is never taken across the forks above.
  run_together(kWriters, write, [&] {
    const auto ids = acknowledged(folder / "oracle");
    const auto directory = DataDirectory::open(path);
    const auto snapshot = directory->storage().snapshot();
    for (const PostId id : ids) REQUIRE(snapshot->post(id));
  });
  const auto ids = acknowledged(folder / "oracle");
  CHECK(ids.size() == kWriters * kPosts);
  CHECK(std::set<PostId>(ids.begin(), ids.end()).size() == ids.size());
  CHECK(faults_in(*DataDirectory::open(path)).empty());
}

TEST_CASE("processes: if many make a directory at once, one does, and all find it") {
  constexpr int kMakers = 6;
  const TempFolder folder;
  for (int round = 0; round < 5; ++round) {
    const fs::path path = folder / fmt::format("chirp{}", round);
    const auto make = [&](int) {
      if (store::make_data_directory(path, {}) == store::Created::kNew) {
        acknowledge(folder / fmt::format("made{}", round), 1);
      }
      return contents(path).empty() ? 0 : 1;
    };
    run_together(kMakers, make);
    CHECK(acknowledged(folder / fmt::format("made{}", round)).size() == 1);
  }
  CHECK(entries_of(folder.path()) == 10);
}

TEST_CASE("processes: one name is given to one of many who want it") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  const auto want = [&](int number) {
    const auto directory = DataDirectory::open(path);
    for (int round = 0; round < 10; ++round) {
      try {
        sign_up(*directory, fmt::format("{}{}", number % 2 == 0 ? "name" : "NAME", round));
        acknowledge(folder / fmt::format("won{}", round), 1);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kAlreadyExists) throw;
      }
    }
    return 0;
  };
  run_together(4, want);
  for (int round = 0; round < 10; ++round) {
    CHECK(acknowledged(folder / fmt::format("won{}", round)).size() == 1);
  }
  const auto directory = DataDirectory::open(path);
  CHECK(directory->users().count() == 10);
  CHECK(faults_in(*directory).empty());
}

TEST_CASE("processes: a stopped writer makes others busy after a while, and readers never") {
  if (!can_inject_faults()) {
    MESSAGE("skipped: a build with a sanitizer can't be run under the fault injector");
    return;
  }
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  fill(*DataDirectory::open(path), 4, 1);
  const auto command = [&](const char* text) {
    return chirp_command(path.string(), {"post", "add", "a0", text});
  };
  const auto stopped =
      stopped_holding(folder.path(), command("first"), [&] { return write_lock_held(path); });
  REQUIRE(stopped);

  const auto start = std::chrono::steady_clock::now();
  Background second(command("second"));
  const Ended feed = run(chirp_command(path.string(), {"feed", "show", "a0"}));
  CHECK_MESSAGE(feed.ok(), to_string(feed));
  const Ended busy = second.wait();
  const auto waited = std::chrono::steady_clock::now() - start;
  CHECK(busy.status == 1);
  CHECK(busy.err.find("Try again") != std::string::npos);
  // At least so long, on any machine; one that does not end fails by standing still.
  CHECK(waited >= std::chrono::milliseconds(limits::kBusyMs));

  stopped->signal(SIGCONT);
  const Ended first = stopped->wait();
  CHECK_MESSAGE(first.ok(), to_string(first));
  CHECK(run(command("third")).ok());
  CHECK(faults_in(*DataDirectory::open(path)).empty());
}

TEST_CASE("processes: a killed writer holds nobody up") {
  if (!can_inject_faults()) {
    MESSAGE("skipped: a build with a sanitizer can't be run under the fault injector");
    return;
  }
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  fill(*DataDirectory::open(path), 4, 1);
  const Command command = chirp_command(path.string(), {"post", "add", "a0", "hello"});
  // This one stays open, so that the lock table is not made anew by the next to come.
  const Ended ended = run_forked([&] {
    const auto directory = DataDirectory::open(path);
    const auto stopped =
        stopped_holding(folder.path(), command, [&] { return write_lock_held(path); });
    if (!stopped) return 1;
    stopped->signal(SIGKILL);
    (void)stopped->wait();
    publish(*directory, UserNumber{1}, "after the kill");
    return faults_in(*directory).empty() ? 0 : 2;
  });
  CHECK_MESSAGE(ended.ok(), to_string(ended));
}

TEST_CASE("processes: the map grows under who writes and who reads") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  make_small(path);
  const auto write = [&](int) {
    ::setenv("CHIRP_MAPSIZE", "1M", 1);
    const auto directory = DataDirectory::open(path);
    const std::vector<Change> posts(500, Publish{UserNumber{1}, std::string(1000, 'x')});
    for (int i = 0; i < 10; ++i) {
      for (const Outcome& outcome : directory->storage().write(posts, test_clock().now())) {
        acknowledge(folder / "oracle", outcome.post.value);
      }
    }
    return 0;
  };
  const auto both = [&](int number) {
    if (number == 0) return write(number);
    // Opened with a map as small as the file is now, which then outgrows it.
    ::setenv("CHIRP_MAPSIZE", "1M", 1);
    const auto directory = DataDirectory::open(path);
    for (;;) {
      const auto ids = acknowledged(folder / "oracle");
      const auto snapshot = directory->storage().snapshot();
      for (const PostId id : ids) {
        if (!snapshot->post(id)) return 1;
      }
      if (ids.size() == 5000) return 0;
    }
  };
  run_together(2, both);
  CHECK(fs::file_size(path / "engine" / "data.mdb") > (std::size_t{4} << 20));
  CHECK(faults_in(*DataDirectory::open(path)).empty());
}

TEST_CASE("processes: a map at its limit refuses writes, keeps what is there and is read") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  make_small(path);
  const Ended ended = run_forked([&] {
    ::setenv("CHIRP_MAPSIZE", "1M", 1);
    ::setenv("CHIRP_MAPSIZE_MAX", "2M", 1);
    const auto directory = DataDirectory::open(path);
    const std::vector<Change> posts(50, Publish{UserNumber{1}, std::string(1000, 'x')});
    std::uint64_t stored = 4;
    try {
      for (;; stored += posts.size()) directory->storage().write(posts, test_clock().now());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kStorageFull) throw;
    }
    if (stored < 500) return 1;
    const auto rows = directory->storage().snapshot()->table_rows();
    if (rows.at("posts") != stored) return 2;
    return faults_in(*directory).empty() ? 0 : 3;
  });
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  publish(*DataDirectory::open(path), UserNumber{1}, "a larger map has room");
}

}  // namespace chirp::test
