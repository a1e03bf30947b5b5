// Goal: a pipe that nobody writes to, or a device that never ends, in the place of a stored file is
// refused by its name; it neither holds a command up nor fills the memory. A walk through a folder
// skips files that are removed meanwhile.
// Method: each file of a directory in turn is one, and commands that would open it are run.

#include <filesystem>
#include <string>
#include <sys/stat.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/files.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/faults.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMemory = std::uint64_t{512} << 20;

Ended run_small(const fs::path& path, std::vector<std::string> arguments) {
  Command command = chirp_command(path.string(), std::move(arguments));
  // A sanitizer has a memory of its own beside the program's.
  if (!built_with_sanitizer()) command.memory = kMemory;
  return run(command);
}

}  // namespace

TEST_CASE("special files: in the place of a stored file they are refused by name") {
  const TempFolder folder;
  store::make_data_directory(folder / "made", {});
  fill(*store::DataDirectory::open(folder / "made"), 4, 1);
  const fs::path path = folder / "chirp";
  for (const char* file : {"chirp.format", "users.db", "users.db-wal", "users.db-shm", "open.lock",
                           "write.lock", "engine/data.mdb", "engine/lock.mdb"}) {
    for (const bool pipe : {true, false}) {
      CAPTURE(file);
      CAPTURE(pipe);
      fs::remove_all(path);
      copy_folder(folder / "made", path);
      fs::remove(path / file);
      if (pipe) {
        REQUIRE(::mkfifo((path / file).c_str(), 0600) == 0);
      } else {
        fs::create_symlink("/dev/zero", path / file);
      }
      for (const auto& arguments : {std::vector<std::string>{"feed", "show", "a0"},
                                    std::vector<std::string>{"post", "add", "a0", "hello"},
                                    std::vector<std::string>{"backup", (folder / "b").string()}}) {
        const Ended ended = run_small(path, arguments);
        CHECK_FALSE(ended.late);
        // Reading needs no turn to write.
        if (ended.ok() && std::string(file) == "write.lock" && arguments[0] != "post") continue;
        CHECK_MESSAGE(ended.status == 1, to_string(ended));
        CHECK_MESSAGE(ended.err.find(fs::path(file).filename().string()) != std::string::npos,
                      to_string(ended));
        CHECK_FALSE(fs::exists(folder / "b"));
      }
    }
  }
}

TEST_CASE("special files: where a command is given one, it ends and says so") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  const std::string pipe = (folder / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--config", pipe, "stats"},
        std::vector<std::string>{"--config", "/dev/zero", "stats"},
        std::vector<std::string>{"--config", folder.path().string(), "stats"},
        std::vector<std::string>{"load", "graph", pipe},
        std::vector<std::string>{"load", "graph", "/dev/null", "--names", pipe},
        std::vector<std::string>{"load", "posts", pipe},
        std::vector<std::string>{"load", "events", pipe},
        std::vector<std::string>{"load", "graph", "/dev/zero"},
        std::vector<std::string>{"load", "posts", "/dev/zero"},
        std::vector<std::string>{"load", "events", "/dev/zero"},
        std::vector<std::string>{"restore", "/dev/zero"},
        std::vector<std::string>{"load", "export", "/dev/zero"}}) {
    const Ended ended = run_small(path, arguments);
    INFO(fmt::format("{}", fmt::join(arguments, " ")));
    CHECK_FALSE(ended.late);
    CHECK_MESSAGE(ended.status == 1, to_string(ended));
    CHECK_FALSE(ended.err.empty());
  }
  const Ended none = run_small(path, {"--config", "/dev/null", "stats"});
  CHECK_MESSAGE(none.ok(), to_string(none));
}

TEST_CASE("special files: an export with a pipe in it is refused, a load from one goes on") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  fill(*store::DataDirectory::open(path), 4, 1);
  REQUIRE(run_small(path, {"export", (folder / "export").string()}).ok());
  fs::remove(folder / "export" / "users.jsonl");
  REQUIRE(::mkfifo((folder / "export" / "users.jsonl").c_str(), 0600) == 0);
  store::make_data_directory(folder / "other", {});
  const Ended ended = run_small(folder / "other", {"load", "export", (folder / "export").string()});
  CHECK_FALSE(ended.late);
  CHECK_MESSAGE(ended.status == 1, to_string(ended));
  CHECK_MESSAGE(ended.err.find("users.jsonl") != std::string::npos, to_string(ended));

  const std::string chirp =
      fmt::format("'{}' --data '{}'", CHIRP_BINARY, (folder / "other").string());
  const std::string load = chirp + " load graph";
  // The writer is late, as a rule: who reads has to wait for it.
  const std::string late =
      fmt::format("{0} stats > /dev/null; {0} stats > /dev/null; echo '1 2'", chirp);
  for (const std::string& line :
       {fmt::format("({}) | {} -", late, load), fmt::format("({}) | {} /dev/stdin", late, load),
        fmt::format("{} <({})", load, late)}) {
    Command piped = chirp_command((folder / "other").string(), {});
    piped.arguments = {"/bin/bash", "-c", line};
    const Ended loaded = run(piped);
    CHECK_MESSAGE(loaded.ok(), to_string(loaded));
    CHECK_MESSAGE(loaded.out.find("1 edge") != std::string::npos, to_string(loaded));
  }
}

TEST_CASE("special files: one in place of the consumers' lock is reported; the change is kept") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  REQUIRE(run_small(path, {"user", "add", "mira"}).ok());
  fs::remove(path / "fanout.lock");
  REQUIRE(::mkfifo((path / "fanout.lock").c_str(), 0600) == 0);
  const Ended ended = run_small(path, {"post", "add", "mira", "hello"});
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  CHECK_MESSAGE(ended.err.find("updated later") != std::string::npos, to_string(ended));
  CHECK_MESSAGE(ended.err.find("fanout.lock") != std::string::npos, to_string(ended));
  CHECK(run_small(path, {"post", "list", "mira"}).out.find("hello") != std::string::npos);
}

namespace fs = std::filesystem;

TEST_CASE("files: what goes away while a folder is walked is left out") {
  const TempFolder folder;
  for (int i = 0; i < 10; ++i) write_file(folder / std::to_string(i), "one");
  int visited = 0;
  store::walk(folder / ".", [&](const fs::path& path, fs::file_type type) {
    CHECK(type == fs::file_type::regular);
    ++visited;
    for (int i = 0; i < 10; ++i) {
      const fs::path other = folder / std::to_string(i);
      if (other.filename() != path.filename()) fs::remove(other);
    }
  });
  CHECK(visited == 1);
}

}  // namespace chirp::test
