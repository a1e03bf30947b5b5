// Goal: a data directory is made whole or not at all, opens only when its parts belong together,
// and says what to do when it does not. Method: directories in a temporary folder; parts exchanged,
// versions changed, permissions taken away in a forked process that is not the superuser.

#include "store/data_directory.h"

#include <sys/stat.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/ids.h"
#include "store/lock_file.h"
#include "store/marked_storage.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;
using store::Created;
using store::DataDirectory;
using store::make_data_directory;

constexpr std::uint32_t kOther = snowflake::kMachineDefault + 1;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

void open(const fs::path& path) { (void)DataDirectory::open(path); }

}  // namespace

TEST_CASE("data directory: is made complete and for its owner alone") {
  const TempFolder folder;
  const fs::path path = folder / "deep" / "er" / "chirp";
  CHECK(make_data_directory(path, {}) == Created::kNew);
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    struct stat facts {};
    REQUIRE(::stat(entry.path().c_str(), &facts) == 0);
    CAPTURE(entry.path().string());
    CHECK((facts.st_mode & 0777) == (entry.is_directory() ? 0700u : 0600u));
  }
  const auto files = files_of(path);
  for (const char* name : {"chirp.format", "users.db", "engine/data.mdb", "engine/lock.mdb",
                           "open.lock", "write.lock", "fanout.lock"}) {
    CAPTURE(name);
    CHECK(files.contains(name));
  }
  CHECK(fs::is_directory(path / "media"));
  CHECK(entries_of(path.parent_path()) == 1);
  const auto directory = DataDirectory::open(path);
  CHECK(directory->machine() == snowflake::kMachineDefault);
  CHECK(files.at("chirp.format") == fmt::format("chirp-data-directory {}\n{}\n{}\n",
                                                store::kFormatVersion, directory->uuid(),
                                                snowflake::kMachineDefault));
  CHECK(contents(*directory).empty());
}

TEST_CASE("data directory: making one where there is one changes nothing") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  make_data_directory(path, kOther);
  const auto before = files_of(path);
  CHECK(make_data_directory(path, {}) == Created::kThere);
  CHECK(make_data_directory(path, kOther) == Created::kThere);
  const Error error = error_of([&] { make_data_directory(path, kOther + 1); });
  CHECK(error.code() == ErrorCode::kConflict);
  CHECK(files_of(path) == before);
}

TEST_CASE("data directory: an empty folder, a link to one and a slash at the end will do") {
  const TempFolder folder;
  fs::create_directory(folder / "empty");
  fs::create_directory_symlink(folder / "empty", folder / "link");
  CHECK(make_data_directory((folder / "link").string() + "/", {}) == Created::kNew);
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(make_data_directory(folder / "empty", {}) == Created::kThere);
  CHECK_NOTHROW(contents(folder / "link"));
}

TEST_CASE("data directory: machine numbers out of range are refused") {
  const TempFolder folder;
  for (const std::uint32_t machine : {0u, snowflake::kLoadMachine, snowflake::kMachineMax + 1}) {
    const Error error = error_of([&] { make_data_directory(folder / "chirp", machine); });
    CHECK(error.code() == ErrorCode::kInvalidArgument);
  }
  CHECK(entries_of(folder.path()) == 0);
  CHECK(make_data_directory(folder / "low", snowflake::kMachineMin) == Created::kNew);
  CHECK(make_data_directory(folder / "high", snowflake::kMachineMax) == Created::kNew);
}

TEST_CASE("data directory: what is something else is left alone") {
  const TempFolder folder;
  fs::create_directory(folder / "taken");
  write_file(folder / "taken" / "notes", "mine");
  write_file(folder / "file", "mine");
  const auto before = files_of(folder.path());
  for (const char* name : {"taken", "file"}) {
    const Error error = error_of([&] { make_data_directory(folder / name, {}); });
    CHECK(error.code() == ErrorCode::kConflict);
    CHECK(has(error.what(), (folder / name).string()));
  }
  CHECK(files_of(folder.path()) == before);
  CHECK(entries_of(folder.path()) == 2);
}

TEST_CASE("data directory: what a killed builder left is cleared up, and nothing else") {
  const TempFolder folder;
  fs::create_directory(folder / "chirp.tmp.abc123");
  write_file(folder / "chirp.tmp.abc123" / ".unfinished", "");
  write_file(folder / "chirp.tmp.abc123" / "users.db", "half");
  fs::create_directory(folder / "chirp.tmp.backup");
  write_file(folder / "chirp.tmp.backup" / "users.db", "whole");
  make_data_directory(folder / "chirp", {});
  CHECK_FALSE(fs::exists(folder / "chirp.tmp.abc123"));
  CHECK(read_file(folder / "chirp.tmp.backup" / "users.db") == "whole");
}

TEST_CASE("data directory: a parent that can't be written is named, and nothing is left") {
  const TempFolder folder;
  fs::create_directory(folder / "closed");
  fs::permissions(folder / "closed", fs::perms::owner_read | fs::perms::owner_exec |
                                         fs::perms::others_read | fs::perms::others_exec);
  fs::permissions(folder.path(), fs::perms::others_read | fs::perms::others_exec,
                  fs::perm_options::add);
  const fs::path path = folder / "closed" / "chirp";
  const Ended ended = run_as_nobody([&] {
    const Error error = error_of([&] { make_data_directory(path, {}); });
    return error.code() == ErrorCode::kReadOnly && has(error.what(), path.string()) ? 0 : 1;
  });
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  CHECK(entries_of(folder / "closed") == 0);
}

TEST_CASE("data directory: if it is missing, the message says what to run") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  const Error error = error_of([&] { open(path); });
  CHECK(error.code() == ErrorCode::kIo);
  CHECK(has(error.what(), path.string()));
  CHECK(has(error.what(), "`chirp init`"));
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("data directory: another format version is refused and not touched") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  make_data_directory(path, {});
  const std::string format = read_file(path / "chirp.format");
  const std::string rest = format.substr(format.find('\n'));
  struct Case {
    std::string version;
    ErrorCode code;
    std::string_view advice;
  };
  for (const Case& other :
       {Case{std::to_string(store::kFormatVersion - 1), ErrorCode::kVersion, "`chirp migrate`"},
        Case{std::to_string(store::kFormatVersion + 1), ErrorCode::kVersion, "newer chirp"},
        Case{"4294967297", ErrorCode::kVersion, "newer chirp"},
        Case{"99999999999999999999", ErrorCode::kCorrupt, "`chirp restore`"},
        Case{"01", ErrorCode::kCorrupt, "`chirp restore`"},
        Case{"", ErrorCode::kCorrupt, "`chirp restore`"}}) {
    CAPTURE(other.version);
    write_file(path / "chirp.format", "chirp-data-directory " + other.version + rest);
    const auto before = files_of(path);
    const Error error = error_of([&] { open(path); });
    CHECK(error.code() == other.code);
    CHECK_MESSAGE(has(error.what(), other.advice), error.what());
    CHECK(error_of([&] { make_data_directory(path, {}); }).code() == other.code);
    CHECK(files_of(path) == before);
  }
  // A newer format may say more than we know.
  write_file(path / "chirp.format",
             fmt::format("chirp-data-directory {}\nand more\n", store::kFormatVersion + 1));
  CHECK(error_of([&] { open(path); }).code() == ErrorCode::kVersion);
}

TEST_CASE("data directory: stores of two directories do not go together") {
  const TempFolder folder;
  for (const char* name : {"one", "two"}) {
    make_data_directory(folder / name, {});
    fill(*DataDirectory::open(folder / name), 4, 2);
  }
  for (const char* part : {"users.db", "engine", "chirp.format"}) {
    CAPTURE(part);
    fs::rename(folder / "one" / part, folder / "kept");
    copy_folder(folder / "two" / part, folder / "one" / part);
    const Error error = error_of([&] { open(folder / "one"); });
    CHECK(error.code() == ErrorCode::kCorrupt);
    CHECK(has(error.what(), "another data directory"));
    fs::remove_all(folder / "one" / part);
    fs::rename(folder / "kept", folder / "one" / part);
  }
  CHECK_NOTHROW(contents(folder / "one"));
}

TEST_CASE("data directory: an engine of an earlier time is refused") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  make_data_directory(path, {});
  fill(*DataDirectory::open(path), 4, 1);
  const std::string early = read_file(path / "engine" / "data.mdb");
  publish(*DataDirectory::open(path), UserNumber{1}, "one more");
  const std::string late = read_file(path / "engine" / "data.mdb");
  write_file(path / "engine" / "data.mdb", early);
  const Error error = error_of([&] { open(path); });
  CHECK(error.code() == ErrorCode::kCorrupt);
  CHECK(has(error.what(), "different times"));
  write_file(path / "engine" / "data.mdb", late);
  CHECK_NOTHROW(contents(path));
}

TEST_CASE("data directory: users of an earlier time are refused") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  make_data_directory(path, {});
  fill(*DataDirectory::open(path), 4, 1);
  const std::string early = read_file(path / "users.db");
  sign_up(*DataDirectory::open(path), "late");
  const std::string late = read_file(path / "users.db");
  REQUIRE_FALSE(fs::exists(path / "users.db-wal"));
  write_file(path / "users.db", early);
  const Error error = error_of([&] { open(path); });
  CHECK(error.code() == ErrorCode::kCorrupt);
  CHECK(has(error.what(), "different times"));
  write_file(path / "users.db", late);
  CHECK_NOTHROW(contents(path));
}

TEST_CASE("data directory: the mark of events follows a process that writes for long") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  make_data_directory(path, {});
  copy_folder(path / "engine", folder / "early");
  const auto directory = DataDirectory::open(path);
  const UserNumber author = sign_up(*directory, "ann");
  const std::vector<Change> posts(store::MarkedStorage::kNoteEvery, Publish{author, "hello"});
  directory->storage().write(posts, test_clock().now());

  copy_folder(path, folder / "crashed");  // as a kill would leave it: never closed
  CHECK_NOTHROW(contents(folder / "crashed"));
  fs::remove_all(folder / "crashed" / "engine");
  fs::rename(folder / "early", folder / "crashed" / "engine");
  const Error error = error_of([&] { open(folder / "crashed"); });
  CHECK(has(error.what(), "different times"));
}

TEST_CASE("data directory: a reader leaves every byte as it is") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  make_data_directory(path, {});
  fill(*DataDirectory::open(path), 4, 2);
  const auto stored = [&] {
    auto files = files_of(path);
    for (const char* working : {"engine/lock.mdb", "users.db-shm", "users.db-wal"}) {
      files.erase(working);
    }
    return files;
  };
  const auto before = stored();
  const auto first = contents(path);
  CHECK(stored() == before);
  CHECK(contents(path) == first);
}

TEST_CASE("data directory: opens once in a process") {
  const TempFolder folder;
  make_data_directory(folder / "chirp", {});
  fs::create_directory_symlink(folder / "chirp", folder / "link");
  const auto directory = DataDirectory::open(folder / "chirp");
  CHECK(error_of([&] { open(folder / "link"); }).code() == ErrorCode::kInternal);
  CHECK_NOTHROW(contents(*directory));
}

TEST_CASE("data directory: the right to run the consumers belongs to one at a time") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  make_data_directory(path, {});
  const auto directory = DataDirectory::open(path);
  auto right = directory->try_consumer_right();
  REQUIRE(right);
  CHECK_FALSE(directory->try_consumer_right());
  // A second process asks for it by the lock itself: a store is never taken across a fork.
  const auto elsewhere = [&] {
    return run_forked([&] {
             return store::LockFile::try_lock(path / "fanout.lock",
                                              store::LockFile::Kind::kExclusive)
                        ? 0
                        : 1;
           })
        .status;
  };
  CHECK(elsewhere() == 1);
  right.reset();
  CHECK(elsewhere() == 0);
  CHECK(directory->try_consumer_right());
}

TEST_CASE("data directory: one that can't be written is read") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  make_data_directory(path, {});
  fill(*DataDirectory::open(path), 4, 2);
  const auto expected = contents(path);
  const auto before = files_of(path);
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    fs::permissions(entry.path(), entry.is_directory() ? fs::perms(0555) : fs::perms(0444));
  }
  fs::permissions(path, fs::perms(0555));
  fs::permissions(folder.path(), fs::perms(0755));
  const Ended ended = run_as_nobody([&] {
    const auto directory = DataDirectory::open(path);
    if (contents(*directory) != expected) return 1;
    if (directory->try_consumer_right()) return 2;
    const Error error = error_of([&] { publish(*directory, UserNumber{1}, "no"); });
    if (error.code() != ErrorCode::kReadOnly) return 3;
    const Error signing = error_of([&] { sign_up(*directory, "late"); });
    return signing.code() == ErrorCode::kReadOnly ? 0 : 4;
  });
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  CHECK(files_of(path) == before);
}

TEST_CASE("data directory: says how much of each store is in use") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  make_data_directory(path, {});
  const auto directory = DataDirectory::open(path);
  const store::StoreBytes empty = directory->bytes();
  CHECK(empty.media == 0);
  fill(*directory, 20, 50);
  write_file(path / "media" / "abc", "12345");
  const store::StoreBytes full = directory->bytes();
  CHECK(full.media == 5);
  CHECK(full.engine > empty.engine);
  CHECK(full.users >= empty.users);
  CHECK(full.engine <= fs::file_size(path / "engine" / "data.mdb"));
}

}  // namespace chirp::test
