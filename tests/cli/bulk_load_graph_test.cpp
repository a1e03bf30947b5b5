// Goal: `load graph --bulk always` and `--bulk never` leave the same rows: exports are equal byte
// for byte. Method: copies of one directory, empty or with people and follows, and random edges,
// with a clock that stands still.
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::bulk_load_graph_test {
namespace {

namespace fs = std::filesystem;

void chirp(const fs::path& data, std::vector<std::string> arguments) {
  Command command = chirp_command(data.string(), std::move(arguments));
  command.environment.emplace_back("CHIRP_TEST_CLOCK=2026-01-15T18:30:00Z");
  const Ended ended = run(command);
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
}

std::string some_edges(std::mt19937_64& random, std::uint32_t users, std::uint32_t count) {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) {
    text += fmt::format("{} {}\n", 1 + random() % users, 1 + random() % users);
  }
  return text;
}

}  // namespace

TEST_CASE("load graph --bulk: exports are the same whichever way edges are stored") {
  std::mt19937_64 random(7);
  const TempFolder folder;
  const fs::path first = folder / "first";
  chirp(first, {"init"});
  for (int round = 0; round < 3; ++round) {
    CAPTURE(round);
    write_file(folder / "edges.txt", some_edges(random, round == 0 ? 40 : 900, 4'000));
    std::map<std::string, std::string> told;
    for (const std::string bulk : {"never", "always", "auto"}) {
      CAPTURE(bulk);
      const fs::path data = folder / bulk;
      copy_folder(first, data);
      chirp(data, {"load", "graph", (folder / "edges.txt").string(), "--bulk", bulk, "--quiet"});
      chirp(data, {"doctor"});
      CHECK_FALSE(fs::exists(data / "load.tmp"));
      chirp(data, {"export", (folder / "out").string(), "--quiet"});
      const auto files = files_of(folder / "out");
      if (told.empty()) told = files;
      CHECK(files == told);
      fs::remove_all(folder / "out");
    }
    fs::remove_all(first);
    fs::rename(folder / "always", first);
    fs::remove_all(folder / "never");
    fs::remove_all(folder / "auto");
  }
}

TEST_CASE("load graph --bulk: names what it takes") {
  const TempFolder folder;
  write_file(folder / "edges.txt", "1 2\n");
  chirp(folder / "data", {"init"});
  const Ended ended =
      run(chirp_command((folder / "data").string(),
                        {"load", "graph", (folder / "edges.txt").string(), "--bulk", "sometimes"}));
  CHECK(ended.status == 2);
  CHECK_MESSAGE(ended.err.find("auto, always") != std::string::npos, to_string(ended));
}

}  // namespace chirp::test::bulk_load_graph_test
