// Goal: what fuzzing starts from, and what it ever found, holds in every build.
// Method: each input of testdata/fuzz/ goes through the checks of its target, as libFuzzer would
// have it.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "tests/fuzz/targets.h"
#include "tests/support/data_directories.h"

namespace chirp::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpora = fs::path(CHIRP_SOURCE_DIR) / "testdata" / "fuzz";
constexpr std::uintmax_t kInputBytesMax = 8 << 10;

// What does not hold; empty if all does.
std::string breach_of(const Target& target, const std::string& input) {
  try {
    target.run(input);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("fuzzing: every input that is kept passes the checks of its target") {
  for (const Target& target : targets()) {
    std::size_t inputs = 0;
    for (const auto& file : fs::directory_iterator(kCorpora / target.name)) {
      INFO(file.path().string());
      ++inputs;
      CHECK(file.file_size() <= kInputBytesMax);
      CHECK(breach_of(target, test::read_file(file.path())) == "");
    }
    CHECK_MESSAGE(inputs > 0, target.name, " has nothing to start from");
  }
}

TEST_CASE("fuzzing: every corpus has a target, and every target a file") {
  std::set<std::string> names;
  for (const Target& target : targets()) {
    names.emplace(target.name);
    CHECK(fs::exists(fs::path(CHIRP_SOURCE_DIR) / "tests" / "fuzz" /
                     (std::string(target.name) + ".cpp")));
  }
  CHECK(std::is_sorted(targets().begin(), targets().end(),
                       [](const Target& a, const Target& b) { return a.name < b.name; }));
  for (const auto& folder : fs::directory_iterator(kCorpora)) {
    CHECK_MESSAGE(names.contains(folder.path().filename().string()), folder.path().string(),
                  " belongs to no target");
  }
}

TEST_CASE("fuzzing: a check that does not hold is seen") {
  const Target target{"broken", [](Bytes input) { holds(input != "bad", "inputs are good"); }};
  CHECK(breach_of(target, "good") == "");
  CHECK(breach_of(target, "bad") == "inputs are good");
}

}  // namespace chirp::fuzz
