// Goal: a dry run needs no right to write, no turn, and little memory. Method: it runs as somebody
// who may only read the directory, while a transaction is open in the test, and under RLIMIT_DATA.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/data_directory.h"
#include "tests/support/child.h"
#include "tests/support/faults.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::dry_run_access_test {
namespace {

namespace fs = std::filesystem;

// A directory with the edge 1 → 2, and a file with that and another one.
class Scene {
 public:
  Scene() {
    std::ofstream(file_) << "1,2\n";
    REQUIRE(run(commands({"init"})).ok());
    REQUIRE(run(commands({"load", "graph", file_.string(), "--format", "csv"})).ok());
    std::ofstream(file_) << "1,2\n2,3\n";
  }

  [[nodiscard]] Command commands(std::vector<std::string> arguments) const {
    return chirp_command(data().string(), std::move(arguments));
  }
  [[nodiscard]] Command dry_run() const {
    return commands({"load", "graph", file_.string(), "--format", "csv", "--dry-run"});
  }
  [[nodiscard]] fs::path data() const { return folder_ / "data"; }
  [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

  static void check(const Ended& ended) {
    CHECK_MESSAGE(ended.ok(), to_string(ended));
    CHECK(ended.out.find("would store\t1\n") != std::string::npos);
    CHECK(ended.out.find("skipped, duplicates\t1\n") != std::string::npos);
    CHECK(ended.out.find("new users\t1\n") != std::string::npos);
  }

 private:
  TempFolder folder_;
  fs::path file_ = folder_ / "edges.csv";
};

}  // namespace

TEST_CASE("dry run: it runs while somebody else has the writers' turn") {
  const Scene scene;
  const auto directory = store::DataDirectory::open(scene.data());
  Ended ended;
  directory->storage().decide({}, Purpose::kChange, [&](Rows& /*rows*/) {
    ended = run(scene.dry_run());
    return false;
  });
  Scene::check(ended);
}

TEST_CASE("dry run: works with permission to read the directory only") {
  const Scene scene;
  fs::permissions(scene.folder(), fs::perms(0555));
  for (const auto& entry : fs::recursive_directory_iterator(scene.folder())) {
    fs::permissions(entry.path(), entry.is_directory() ? fs::perms(0555) : fs::perms(0444));
  }
  const Ended ended = run_as_nobody([&] {
    const Ended dry = run(scene.dry_run());
    fmt::print("{}", dry.out);
    fmt::print(stderr, "{}", dry.err);
    return dry.status;
  });
  Scene::check(ended);
  for (const auto& entry : fs::recursive_directory_iterator(scene.folder())) {
    if (entry.is_directory()) fs::permissions(entry.path(), fs::perms(0755));
  }
  fs::permissions(scene.folder(), fs::perms(0755));
}

TEST_CASE("dry run: two million follows take little memory") {
  if (!can_inject_faults()) return;  // a sanitizer has a memory of its own
  constexpr std::uint64_t kMax = std::uint64_t{192} << 20;
  const Scene scene;
  const fs::path edges = scene.folder() / "many.txt";
  {
    std::ofstream out(edges);
    std::string lines;
    for (std::uint64_t i = 0; i < 2'000'000; ++i) {
      const std::uint64_t scattered = i * 0x9E37'79B9'7F4A'7C15u >> 20;
      lines += fmt::format("{} {}\n", scattered % 100'003, 200'000 + scattered % 50'021);
    }
    out << lines;
  }
  Command dry = scene.commands({"load", "graph", edges.string(), "--dry-run"});
  dry.memory = kMax;
  const Ended ended = run(dry);
  CHECK_MESSAGE(ended.ok(), to_string(ended));
}

}  // namespace chirp::test::dry_run_access_test
