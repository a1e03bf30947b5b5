// Goal: who holds an older state of the engine's store than the newest is named, with what it keeps
// from being used again; a copy of the engine holds nothing, and stays as it was.
// Method: a snapshot that is held while others write, looked at from here and by the program.
#include <filesystem>
#include <string>
#include <unistd.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/export/export.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

namespace fs = std::filesystem;

TEST_CASE("oldest reader: it is named as long as others have written since") {
  const TempFolder folder;
  const std::string data = (folder / "data").string();
  store::make_data_directory(data, {});
  const auto directory = store::DataDirectory::open(data);
  const UserNumber mira = sign_up(*directory, "mira");
  const auto status = [&](const char* option) {
    const Ended ended = run(chirp_command(data, {"status", option}));
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    return ended.out;
  };
  CHECK_FALSE(directory->engine_use().oldest);

  auto snapshot = directory->storage().snapshot();
  CHECK_FALSE(directory->engine_use().oldest);
  const std::uint64_t before = directory->storage().version();
  publish(*directory, mira, "one");
  publish(*directory, mira, "two");
  const auto newer = directory->storage().snapshot();

  const auto oldest = directory->engine_use().oldest;
  REQUIRE(oldest);
  CHECK(oldest->pid == ::getpid());
  CHECK(oldest->transaction == before);
  CHECK(oldest->commits_ago == directory->storage().version() - before);
  CHECK(oldest->bytes_held > 0);
  CHECK(oldest->command.find("chirp_tests") != std::string::npos);
  CHECK(status("--quiet").find(fmt::format("pid {} (", ::getpid())) != std::string::npos);
  CHECK(status("--json").find(fmt::format("\"oldest\":{{\"pid\":{},", ::getpid())) !=
        std::string::npos);

  snapshot.reset();
  CHECK_FALSE(directory->engine_use().oldest);
  CHECK(status("--json").find("\"oldest\"") == std::string::npos);
}

TEST_CASE("oldest reader: a copy of the engine does not count, and stays as it was") {
  const TempFolder folder;
  const fs::path data = folder / "data";
  store::make_data_directory(data, {});
  const auto directory = store::DataDirectory::open(data);
  const UserNumber mira = sign_up(*directory, "mira");
  publish(*directory, mira, "one");
  const auto export_of = [&](Storage& storage, const char* name) {
    fs::create_directory(folder / name);
    (void)cli::export_to(storage, directory->users(), folder / name);
    return files_of(folder / name);
  };
  const auto before = export_of(directory->storage(), "before");

  fs::create_directory(folder / "copy");
  const auto copy = directory->copy_engine(folder / "copy", {});
  REQUIRE(copy);
  CHECK(fs::is_empty(folder / "copy"));
  publish(*directory, mira, "two");
  publish(*directory, mira, "three");
  CHECK_FALSE(directory->engine_use().oldest);
  CHECK(export_of(*copy, "after") == before);
  CHECK(export_of(directory->storage(), "now") != before);
}

}  // namespace chirp::test
