// Goal: a backup, an export, a restore, a compact or a migration that is killed or fails at any
// call leaves the old state or the new one, and nothing that looks like a backup without being one.
// Method: as in tests/crash/crash_test.cpp.

#include <cstdint>

#include <doctest/doctest.h>

#include "tests/support/data_directories.h"
#include "tests/support/sweep.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

Scenario restoring() {
  return {{"restore", "./backup"}, [](const fs::path& folder) {
            make_world(folder);
            const auto directory = store::DataDirectory::open(folder / "chirp");
            directory->backup(folder / "backup");
            publish(*directory, UserNumber{1}, "after the backup");
          }};
}

Scenario migrating(std::uint32_t format) {
  return {{"migrate"}, [format](const fs::path& folder) { copy_older(format, folder / "chirp"); }};
}

}  // namespace

TEST_CASE("crash: a backup is killed at every call") {
  if (skipped()) return;
  const Stage stage(in_world({"backup", "./backup"}));
  sweep(stage, "kill", [&](const Hit& hit) {
    check_killed(stage, hit);
    if (!fs::exists(hit.world / "backup")) {
      CHECK(hit.ended.out.empty());
      check_again(stage, hit);
    }
    store::restore_backup(hit.world / "backup", hit.world / "restored");
    CHECK(contents(hit.world / "restored") == stage.before());
  });
}

TEST_CASE("crash: a backup fails at every call and leaves nothing") {
  if (skipped()) return;
  const Stage stage(in_world({"backup", "./backup"}));
  sweep(stage, "enospc", [&](const Hit& hit) {
    check_failed(stage, hit);
    CHECK(fs::exists(hit.world / "backup") == hit.ended.ok());
    CHECK(entries_of(hit.world) == (hit.ended.ok() ? 2 : 1));
  });
}

TEST_CASE("crash: an export is killed at every call") {
  if (skipped()) return;
  const Stage stage(in_world({"export", "./out"}));
  sweep(stage, "kill", [&](const Hit& hit) {
    check_killed(stage, hit);
    if (fs::exists(hit.world / "out")) return;
    CHECK(hit.ended.out.empty());
    check_again(stage, hit);
    CHECK(entries_of(hit.world) == 2);  // what the killed one left is gone
  });
}

TEST_CASE("crash: an export fails at every call and leaves nothing") {
  if (skipped()) return;
  const Stage stage(in_world({"export", "./out"}));
  for (const char* mode : {"enospc", "eio", "sync"}) {
    sweep(stage, mode, [&](const Hit& hit) {
      check_failed(stage, hit);
      CHECK(fs::exists(hit.world / "out") == hit.ended.ok());
      CHECK(entries_of(hit.world) == (hit.ended.ok() ? 2 : 1));
    });
  }
}

TEST_CASE("crash: a restore is killed at every call") {
  if (skipped()) return;
  const Stage stage(restoring());
  REQUIRE(stage.before() != stage.after());
  sweep(stage, "kill", [&](const Hit& hit) {
    check_killed_and_again(stage, hit);
    CHECK(entries_of(hit.world) == 2);  // the directory and the backup, and no folder half-way
  });
}

TEST_CASE("crash: a restore fails at every call, and what it says is so") {
  if (skipped()) return;
  const Stage stage(restoring());
  for (const char* mode : {"enospc", "eio"}) {
    sweep(stage, mode, [&](const Hit& hit) {
      check_failed(stage, hit);
      check_sound(hit);
      const bool is_tidy = entries_of(hit.world) == 2;
      const bool says_so = hit.ended.err.find("chirp.tmp.") != std::string::npos;
      if (hit.ended.ok()) CHECK(is_tidy != says_so);
    });
  }
}

TEST_CASE("crash: compacting is killed at every call") {
  if (skipped()) return;
  const Stage stage(in_world({"compact"}));
  CHECK(stage.before() == stage.after());
  sweep(stage, "kill", [&](const Hit& hit) {
    check_killed(stage, hit);
    check_sound(hit);
    check_again(stage, hit);
    CHECK(contents(hit.data()) == stage.after());
    CHECK_FALSE(fs::exists(hit.data() / "compact.tmp"));
  });
}

TEST_CASE("crash: compacting fails at every call and loses nothing") {
  if (skipped()) return;
  const Stage stage(in_world({"compact"}));
  for (const char* mode : {"enospc", "eio"}) {
    sweep(stage, mode, [&](const Hit& hit) {
      check_failed(stage, hit);
      check_sound(hit);
    });
  }
}

TEST_CASE("crash: a migration is killed at every call and run again") {
  if (skipped()) return;
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const Stage stage(migrating(format));
    REQUIRE(stage.before() != stage.after());
    for (const char* mode : {"kill", "torn:512"}) {
      sweep(stage, mode, [&](const Hit& hit) {
        if (hit.ended.signal != 0) check_killed(stage, hit);
        check_again(stage, hit);
        CHECK(contents(hit.data()) == stage.after());
        check_sound(hit);
        CHECK_FALSE(fs::exists(hit.data() / "chirp.format.tmp"));
      });
    }
  }
}

TEST_CASE("crash: a migration fails at every call and is run again") {
  if (skipped()) return;
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const Stage stage(migrating(format));
    for (const char* mode : {"enospc", "eio", "enospc+"}) {
      sweep(stage, mode, [&](const Hit& hit) {
        CHECK(hit.ended.signal == 0);
        if (!hit.ended.ok()) CHECK(hit.ended.status == 1);
        CHECK(hit.ended.out.empty() != hit.ended.ok());
        check_again(stage, hit);
        CHECK(contents(hit.data()) == stage.after());
        check_sound(hit);
      });
    }
  }
}

}  // namespace chirp::test
