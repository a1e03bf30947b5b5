// Goal: the rules of the house hold everywhere, today and after the next change.
// Method: reads the source tree as text. What a rule finds is named with file and line.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/pattern.h"
#include "tests/support/source_tree.h"

namespace chirp::test::tidy_test {
namespace {

constexpr std::size_t kFileLinesMax = 400;
constexpr std::size_t kFunctionLinesMax = 70;

template <class Visit>
void each_line(const SourceFile& file, Visit visit) {
  std::size_t number = 0;
  for (const std::string_view line : file.lines()) visit(++number, line);
}

using Names = std::set<std::string, std::less<>>;

}  // namespace

TEST_CASE("tidy: time comes from the clock's port") {
  // Asked, or given another name to be asked by.
  static const Pattern kClocks(
      R"re(\b(system_clock|steady_clock|high_resolution_clock)(::now\b|;)|\bclock_gettime\b)re"
      R"re(|\btime\((nullptr|NULL|0)\))re");
  static const Names kMayAsk{"store/system_clock.cpp",  // is the port's
                             "store/checked_file.cpp",  // for the times that the kernel gives files
                             "store/sqlite/private_copy.cpp",  // likewise
                             "store/lmdb/bare.cpp",            // a yardstick for `chirp bench`
                             "store/sqlite/bare.cpp",          // likewise
                             "store/postgres/storage.h",       // tests put another in its place
                             "server/log.cpp"};                // a line says when it was written
  each_cpp([](const SourceFile& file) {
    if (file.layer() != "core" && file.layer() != "server" && file.layer() != "store") return;
    const bool asks = kClocks.is_in(code_only(file.text));
    CHECK_MESSAGE(asks == kMayAsk.contains(file.path), file.path, " asks a clock of its own");
  });
}

TEST_CASE("tidy: tests that start threads are those that the thread sanitizer watches") {
  static const Pattern kStarts(R"re(\bstd::(thread|jthread|async)\b)re");
  each_cpp([](const SourceFile& file) {
    if (!file.path.ends_with("_test.cpp")) return;
    if (!kStarts.is_in(code_only(file.text))) return;
    CHECK_MESSAGE(file.text.find("TEST_SUITE_BEGIN(\"threads\")") != std::string::npos, file.path,
                  " starts threads outside the suite \"threads\"");
  });
}

// What two headers define differently under one name compiles, and ends in one of the two at
// random.
TEST_CASE("tidy: a type or a constant of a header has its name alone in its namespace") {
  static const Pattern kNamespace(R"re(^namespace ([\w:]+) \{.*)re");
  static const Pattern kNamed(
      R"re(^(?:inline constexpr|inline const)\b.*?(\w+)(?:\[\w*\])?(?: = .*| =|\{.*|;)$)re"
      R"re(|^(?:struct|class|enum class) (\w+)(?: [^;]*)?\{.*)re");
  std::map<std::string, std::string> homes;
  each_cpp([&](const SourceFile& file) {
    if (!file.is_header()) return;
    std::string space;
    each_line(file, [&](std::size_t number, std::string_view line) {
      if (const Match opened = kNamespace.match_all_of(line); !opened.empty()) space = opened[1];
      const Match named = kNamed.match_all_of(line);
      if (named.empty()) return;
      const std::string name = fmt::format("{}::{}{}", space, named[1], named[2]);
      const std::string& home = homes.emplace(name, file.path).first->second;
      if (home != file.path) report(file, number, fmt::format("{} is in {}, too", name, home));
    });
  });
  CHECK(homes.size() > 300);
}

TEST_CASE("tidy: files are short") {
  each_cpp([](const SourceFile& file) {
    const std::size_t lines = file.lines().size();
    if (lines > kFileLinesMax) report(file, lines, fmt::format("over {} lines", kFileLinesMax));
  });
}

TEST_CASE("tidy: functions are short") {
  each_cpp([](const SourceFile& file) {
    for (const Function& function : functions_in(file.text)) {
      if (function.lines <= kFunctionLinesMax) continue;
      report(file, function.line,
             fmt::format("a function of {} lines, over {}", function.lines, kFunctionLinesMax));
    }
  });
}

TEST_CASE("tidy: functions are found where they are") {
  const std::string text = R"text(
namespace a {
struct B {
  B(int x = {1}) : x_{x}, y_{x} {
    if (x == '{') { x_ = 2; }
  }
  int x_;
};
constexpr int kTable[] = {
    1, 2};
#define OPENS {
std::string f(const char* s = "{ ( //") {  // {
  return R"(})";
}
}  // namespace a
)text";
  std::string found;
  for (const Function& function : functions_in(text)) {
    found += fmt::format("{}+{} ", function.line, function.lines);
  }
  CHECK(found == "4+3 12+3 ");
}

TEST_CASE("tidy: headers guard themselves and open no namespace") {
  static const Pattern kUsing(R"re(\busing\s+namespace\b)re");
  each_cpp([](const SourceFile& file) {
    if (!file.is_header()) return;
    const std::string code = code_only(file.text);
    CHECK_MESSAGE(code.find("\n#pragma once\n") != std::string::npos, file.path,
                  " lacks #pragma once");
    CHECK_MESSAGE(!kUsing.is_in(code), file.path, " opens a namespace for its users");
    CHECK_MESSAGE(file.text.starts_with("// "), file.path, " does not open with what it is");
  });
}

TEST_CASE("tidy: lines end cleanly") {
  for (const SourceFile& file : source_tree()) {
    const bool code = file.is_cpp() || file.path.ends_with(".txt") || file.path.ends_with(".md");
    if (!code || file.layer() == "testdata") continue;
    each_line(file, [&](std::size_t number, std::string_view line) {
      if (line.find_first_of("\t\r") != std::string_view::npos) report(file, number, "a tab");
      if (line.ends_with(' ')) report(file, number, "a blank at the end");
      for (const char* mark : {"<<<<<<< ", ">>>>>>> "}) {
        if (line.starts_with(mark)) report(file, number, "the mark of a conflict");
      }
    });
    CHECK_MESSAGE(file.text.ends_with('\n'), file.path, " lacks its last line end");
    CHECK_MESSAGE(!file.text.ends_with("\n\n"), file.path, " ends with empty lines");
  }
}

TEST_CASE("tidy: nothing is left for later") {
  // Written in two halves, so that this file does not find itself.
  static const Pattern kMarks(
      "\\b(TO"
      "DO|FIX"
      "ME|X"
      "XX|HA"
      "CK)\\b");
  for (const SourceFile& file : source_tree()) {
    each_line(file, [&](std::size_t number, std::string_view line) {
      if (kMarks.is_in(line)) {
        report(file, number, "a mark that something is left to do");
      }
    });
  }
}

TEST_CASE("tidy: no file names a place on somebody's machine") {
  static const Pattern kPlaces(
      "(^|[^A-Za-z0-9_.$}/-])/(wo"
      "rk|ro"
      "ot|tmp/w"
      "t|home/[a-z]+)/");
  for (const SourceFile& file : source_tree()) {
    each_line(file, [&](std::size_t number, std::string_view line) {
      if (kPlaces.is_in(line)) {
        report(file, number, "a path of one machine");
      }
    });
  }
}

TEST_CASE("tidy: every test is in the build") {
  std::ifstream in(CHIRP_TEST_SOURCES);
  Names built;
  for (std::string line; std::getline(in, line);) built.insert(line);
  CHECK_FALSE(built.empty());
  for (const SourceFile& file : source_tree()) {
    if (!file.path.ends_with("_test.cpp")) continue;
    CHECK_MESSAGE(built.contains(CHIRP_SOURCE_DIR "/" + file.path), file.path, " is not compiled");
  }
}

TEST_CASE("tidy: tests say their goal and method, and their names read as sentences") {
  static const Pattern kCase(R"re(^TEST_CASE\("([^"]*)"\))re");
  static const Pattern kName(R"re([^:]+: \S.*)re");
  std::map<std::string, std::string> seen;
  each_cpp([&](const SourceFile& file) {
    if (!file.path.ends_with("_test.cpp")) return;
    const std::string_view head = std::string_view(file.text).substr(0, 2000);
    CHECK_MESSAGE(head.starts_with("// Goal: "), file.path, " does not open with its goal");
    CHECK_MESSAGE(head.find("Method: ") != std::string_view::npos, file.path,
                  " does not say its method");
    each_line(file, [&](std::size_t number, std::string_view line) {
      const Match match = kCase.first_in(line);
      if (match.empty()) return;
      const std::string& name = match[1];
      if (!kName.is_all_of(name)) report(file, number, "a test is named \"noun: sentence\"");
      // Each is found and run by its name.
      const auto [other, fresh] = seen.emplace(name, file.path);
      if (!fresh) report(file, number, fmt::format("{} has a test of this name", other->second));
    });
  });
  CHECK(seen.size() > 10);
}

TEST_CASE("tidy: the language is plain, and a name of a type means one thing") {
  if (!std::filesystem::exists("/usr/bin/python3")) {
    MESSAGE("skipped: needs python3");
    return;
  }
  const Ended counted = run({{"/usr/bin/python3", CHIRP_SOURCE_DIR "/tests/tidy/counts.py",
                              "--check", CHIRP_SOURCE_DIR}});
  CHECK_MESSAGE(counted.ok(), to_string(counted));
}

}  // namespace chirp::test::tidy_test
