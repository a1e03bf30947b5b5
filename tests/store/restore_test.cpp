// Goal: a backup comes back into a mount point, too, where nothing can be renamed; a restore that
// is killed there says what finishes it. Temporary copies of processes that were killed do not
// stay. Method: a file system in memory is mounted; the program is killed at its calls that change
// files.

#include <csignal>
#include <sys/mount.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/data_directory.h"
#include "store/private_folder.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/faults.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::restore_test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;
using store::PrivateFolder;

// Kills in the sweep, which run the program several times each.
constexpr std::uint64_t kKills = 40;

class Mount {
 public:
  explicit Mount(fs::path at) : at_(std::move(at)) {
    fs::create_directory(at_);
    mounted_ = ::mount("chirp-test", at_.c_str(), "tmpfs", 0, nullptr) == 0;
    if (!mounted_) MESSAGE("skipped: no file system can be mounted");
  }
  ~Mount() {
    if (mounted_) ::umount2(at_.c_str(), MNT_DETACH);
  }
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;
  explicit operator bool() const { return mounted_; }

 private:
  fs::path at_;
  bool mounted_;
};

void clear(const fs::path& path) {
  for (const auto& entry : fs::directory_iterator(path)) fs::remove_all(entry.path());
}

struct World {
  World() {
    store::make_data_directory(folder / "made", {});
    {
      const auto directory = DataDirectory::open(folder / "made");
      fill(*directory, 5, 2);
      directory->users().media().put(UserNumber{1}, {MediaType::kPng, 3, 2}, "picture",
                                     test_clock().now());
      (void)directory->backup(backup());
    }
    all = contents(folder / "made");
  }
  [[nodiscard]] fs::path backup() const { return folder / "backup"; }
  [[nodiscard]] fs::path path() const { return folder / "mounted"; }
  [[nodiscard]] Ended chirp(std::vector<std::string> arguments) const {
    return run(chirp_command(path().string(), std::move(arguments)));
  }

  TempFolder folder;
  std::vector<std::string> all;
};

}  // namespace

TEST_CASE("restore: into a mount point, empty or with a directory in it") {
  const World world;
  const Mount mount(world.path());
  if (!mount) return;
  fs::create_directory(world.path() / "lost+found");
  for (int i = 0; i < 2; ++i) {
    (void)store::restore_backup(world.backup(), world.path());
    CHECK(contents(world.path()) == world.all);
    CHECK(fs::exists(world.path() / "lost+found"));
    CHECK_FALSE(fs::exists(world.path() / "restore.tmp"));
    CHECK(world.chirp({"doctor"}).ok());
    REQUIRE(world.chirp({"post", "add", "a0", "more"}).ok());
  }
}

TEST_CASE(
    "restore: into a mount point changes nothing where the backup is damaged or it is in use") {
  const World world;
  const Mount mount(world.path());
  if (!mount) return;
  (void)store::restore_backup(world.backup(), world.path());
  REQUIRE(world.chirp({"post", "add", "a0", "more"}).ok());
  const auto before = contents(world.path());
  {
    const auto open = DataDirectory::open(world.path());
    CHECK(code_of([&] { (void)store::restore_backup(world.backup(), world.path()); }) ==
          ErrorCode::kUnavailable);
  }
  write_file(world.path() / "stranger", "not chirp's");
  CHECK(code_of([&] { (void)store::restore_backup(world.backup(), world.path()); }) ==
        ErrorCode::kConflict);
  fs::remove(world.path() / "stranger");
  write_file(world.backup() / "users.db", "damaged");
  CHECK(code_of([&] { (void)store::restore_backup(world.backup(), world.path()); }) ==
        ErrorCode::kCorrupt);
  CHECK(contents(world.path()) == before);
  clear(world.path());
  CHECK(code_of([&] { (void)store::restore_backup(world.backup(), world.path()); }) ==
        ErrorCode::kCorrupt);
  CHECK(fs::is_empty(world.path()));
}

TEST_CASE("crash: a restore into a mount point is killed, and the next one finishes it") {
  if (!can_inject_faults()) return;
  const World world;
  const Mount mount(world.path());
  if (!mount) return;
  const Faults faults(world.path());
  const Command restore =
      chirp_command(world.path().string(), {"restore", world.backup().string(), "--yes"});
  const auto prepare = [&] {
    clear(world.path());
    (void)store::restore_backup(world.backup(), world.path());
    REQUIRE(world.chirp({"post", "add", "a0", "more"}).ok());
  };
  prepare();
  REQUIRE(run(faults.counted(restore)).ok());
  const std::uint64_t calls = faults.calls();
  int half = 0;
  for (std::uint64_t call = 1; call <= calls; call += 1 + (calls - call) / kKills) {
    CAPTURE(call);
    prepare();
    const auto before = contents(world.path());
    const Ended ended = run(faults.at(call, "kill", restore));
    if (ended.signal != SIGKILL) break;  // it had fewer calls this time
    const Ended after = world.chirp({"stats"});
    if (after.ok()) {
      const auto now = contents(world.path());
      CHECK((now == before || now == world.all));
    } else {
      ++half;
      CHECK_MESSAGE(
          after.err.find(fmt::format("restore {}", world.backup().string())) != std::string::npos,
          to_string(after));
      CHECK(world.chirp({"init"}).err.find("half restored") != std::string::npos);
      // A second one that is killed early has forgotten nothing.
      (void)run(faults.at(3, "kill", restore));
      CHECK(world.chirp({"stats"}).err.find("half restored") != std::string::npos);
    }
    const Ended again = run(restore);
    CHECK_MESSAGE(again.ok(), to_string(again));
    CHECK(contents(world.path()) == world.all);
    CHECK_FALSE(fs::exists(world.path() / "restore.tmp"));
  }
  CHECK(half > 0);
}

TEST_CASE("private folders: what a killed process has left goes, and what a living one has stays") {
  const TempFolder folder;
  const Ended killed = run_forked([&] {
    const PrivateFolder left(folder.path(), "chirp-bench-");
    write_file(left.path() / "data.mdb", "a copy");
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  CHECK(killed.signal == SIGKILL);
  CHECK(entries_of(folder.path()) == 1);
  fs::create_directory(folder / "chirp-bench-ABCDEF");  // without a mark it is somebody's own
  write_file(folder / "chirp-bench-ABCDEF" / "mine", "");
  const PrivateFolder living(folder.path(), "chirp-bench-");
  const PrivateFolder other(folder.path(), "chirp.");
  CHECK(entries_of(folder.path()) == 3);
  CHECK(fs::exists(living.path()));
  {
    const PrivateFolder third(folder.path(), "chirp-bench-");
    CHECK(fs::exists(living.path()));
    CHECK(fs::exists(third.path()));
  }
  CHECK(entries_of(folder.path()) == 3);
}

}  // namespace chirp::test::restore_test
