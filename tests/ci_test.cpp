// Goal: `make check` runs the tests of what was changed, and an object that takes too much memory
// to compile fails `make test`. Method: .ci/touched looks at a repository of the test's own;
// .ci/objects judges tables that the test makes up, and .ci/measured runs commands that stand for a
// compiler.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/pattern.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::ci_test {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

Ended judge(const fs::path& table, Words options = {}) {
  options.insert(options.begin(), {"/usr/bin/env", "python3", CHIRP_SOURCE_DIR "/.ci/objects"});
  options.push_back(table.string());
  return run({.arguments = options});
}

Ended measured(const fs::path& table, const Words& command) {
  Words all{"/usr/bin/env", "python3", CHIRP_SOURCE_DIR "/.ci/measured"};
  all.insert(all.end(), command.begin(), command.end());
  return run({.arguments = all, .environment = {"CHIRP_OBJECTS=" + table.string()}});
}

bool has_python() {
  if (run({.arguments = {"/bin/sh", "-c", "command -v python3 > /dev/null"}}).ok()) return true;
  MESSAGE("skipped: needs python3");
  return false;
}

}  // namespace

TEST_CASE("tidy: a check runs the tests of the folders that a change touches") {
  const TempFolder folder;
  const std::string script = R"sh(
    set -eu
    unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
    cd "$1"
    mkdir .ci && cp "$2/.ci/touched" .ci/
    .ci/touched && .ci/touched --labels
    export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=mira GIT_AUTHOR_EMAIL=mira@example.org
    export GIT_COMMITTER_NAME=mira GIT_COMMITTER_EMAIL=mira@example.org
    mkdir -p core/feed core/text store/lmdb tests/core tests/feed tests/store
    touch core/feed/page.cpp core/text/trim.cpp core/clock.h store/lmdb/rows.cpp tests/feed/page_test.cpp README.md
    git init -q && git add . && git commit -qm 'Begin'
    .ci/touched --labels
    echo >> core/feed/page.cpp && git commit -qam 'Change the feed'
    .ci/touched && .ci/touched --labels
    echo >> store/lmdb/rows.cpp && echo >> core/text/trim.cpp && touch core/new.cpp && echo >> README.md
    .ci/touched | sort && .ci/touched --labels
  )sh";
  const Ended ended =
      run({.arguments = {"/bin/sh", "-c", script, "sh", folder.path().string(), CHIRP_SOURCE_DIR}});
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  CHECK(ended.out == R"(^brief$
^brief$
core/feed/page.cpp
^in feed$|^brief$
README.md
core/new.cpp
core/text/trim.cpp
store/lmdb/rows.cpp
^in core$|^in store$|^brief$
)");
}

TEST_CASE("tidy: an object that needs more than 800 MB to compile fails the check") {
  if (!has_python()) return;
  const TempFolder folder;
  const fs::path table = folder / "objects.tsv";
  write(folder / "build.ninja",
        "build core.dir/small.cpp.o: CXX\n  X = y\nbuild core.dir/Unity/unity_0_cxx.cxx.o: CXX\n");
  write(folder / "core.dir/Unity/unity_0_cxx.cxx",
        "#include \"/src/a.cpp\"\n\n#include \"/src/b.cpp\"\n");
  write(table, "core.dir/small.cpp.o\t70.5\t800\ncore.dir/Unity/unity_0_cxx.cxx.o\t3.0\t801\n");
  const Ended ended = judge(table);
  CHECK_MESSAGE(ended.status == 1, to_string(ended));
  CHECK(ended.out.find("unity_0_cxx.cxx.o needed 801 MB to compile (a.cpp, b.cpp).") !=
        std::string::npos);
  CHECK(ended.out.find("may need 800 MB") != std::string::npos);
  CHECK(ended.out.find("small.cpp.o") == std::string::npos);
}

TEST_CASE("tidy: the last row of an object that is still built decides, and no seconds do") {
  if (!has_python()) return;
  const TempFolder folder;
  const fs::path table = folder / "objects.tsv";
  CHECK(judge(table).ok());  // nothing was compiled
  write(folder / "build.ninja", "build mended.o | other: CXX\n");
  write(folder / "gone.o", "");
  write(table, "mended.o\t3.0\t900\ngone.o\t3.0\t900\nmended.o\t900.0\t700\n");
  const Ended ended = judge(table, {"--slowest"});
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  CHECK(Pattern(" 900\\.0 s +700 MB +mended\\.o\n").is_in(ended.out));
  CHECK(ended.out.find("gone.o") == std::string::npos);
  write(table, "mended.o\t3.0\t700\nmended.o\t3.0\t900\n");
  CHECK(judge(table).status == 1);
}

TEST_CASE("tidy: what a compiler took is written down, and it ends as it would have without") {
  if (!has_python()) return;
  const TempFolder folder;
  const fs::path table = folder / "objects.tsv";
  const fs::path object = folder / "dir/a.o";
  write(object, "");
  CHECK(measured(table, {"sh", "-c", "echo said; exit 3", "-o", object.string()}).status == 3);
  CHECK_FALSE(fs::exists(table));
  const Ended ended = measured(table, {"sh", "-c", "echo said", "-o", object.string()});
  CHECK(ended.ok());
  CHECK(ended.out == "said\n");
  CHECK(measured(table, {"sh", "-c", "true", "-o", object.string()}).ok());
  std::ifstream in(table);
  const std::string rows{std::istreambuf_iterator<char>(in), {}};
  CHECK_MESSAGE(Pattern("(dir/a\\.o\t[0-9.]+\t[0-9]+\n){2}").is_all_of(rows), rows);
  CHECK(measured(table, {"no-such-compiler"}).status == 127);
}

}  // namespace chirp::test::ci_test
