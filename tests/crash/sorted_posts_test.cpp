// Goal: a load that sorts its posts in a file may be killed or fail at any of its calls: feeds are
// right, a failure says so and stores nothing by halves, and the same load loads the rest.
// Method: the program under the fault injector, here at a few of its calls, with
// CHIRP_TORTURE_SECONDS at all of them.
#include <csignal>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/budget.h"
#include "tests/support/data_directories.h"
#include "tests/support/sweep.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr int kPosts = 6'000;
constexpr std::uint64_t kSample = 6;  // calls of each mode

// More than needs no file, in no order, some twice.
void make_posts(const fs::path& folder) {
  make_world(folder);
  std::string posts;
  for (int i = 1; i <= kPosts; ++i) {
    posts +=
        fmt::format(R"({{"id":"{}","authorId":"{}","text":"{:900}.","createdAt":{}}})"
                    "\n",
                    i % 50 == 0 ? i - 7 : i, 1 + i % 150, i, 1'500'000'000 + i * 7919L % kPosts);
  }
  write_file(folder / "posts.jsonl", posts);
}

void try_call(const Stage& stage, const std::string& mode, std::uint64_t call) {
  const TempFolder folder;
  const fs::path world = stage.enter(folder);
  const Faults faults(world);
  const Ended ended = run(faults.at(call, mode, stage.command(world)));
  CAPTURE(mode);
  CAPTURE(call);
  INFO(to_string(ended));
  const bool kills = mode == "kill";
  CHECK((ended.signal == 0 || (kills && ended.signal == SIGKILL)));
  if (kills) CHECK(ended.signal == SIGKILL);
  CHECK(faults_in(*store::DataDirectory::open(world / "chirp")).empty());
  const Ended again = run(stage.command(world));
  CHECK_MESSAGE(again.ok(), to_string(again));
  CHECK((contents(world / "chirp") == stage.after()));
  CHECK(faults_in(*store::DataDirectory::open(world / "chirp")).empty());
  CHECK(fs::is_empty(world / "chirp" / "load.tmp"));
}

}  // namespace

TEST_CASE("crash: a load that sorts posts in a file is killed or fails at its calls") {
  if (skipped()) return;
  const Stage stage({{"load", "posts", "./posts.jsonl", "--bulk", "always"}, make_posts});
  std::uint64_t calls = 0;
  {
    const TempFolder folder;
    const fs::path world = stage.enter(folder);
    const Faults faults(world);
    REQUIRE(run(faults.counted(stage.command(world))).ok());
    calls = faults.calls();
  }
  Budget budget("sorted posts");
  do {
    const std::uint64_t stride = budget.thorough() ? 1 : calls / kSample + 1;
    for (const char* mode : {"kill", "enospc", "eio", "short:100"}) {
      for (std::uint64_t call = budget.seed() % stride + 1; call <= calls; call += stride) {
        if (budget.over()) return;
        try_call(stage, mode, call);
        budget.tried();
      }
    }
  } while (budget.next());
}

}  // namespace chirp::test
