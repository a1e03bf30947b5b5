// Goal: a backup is one consistent state, taken while others write; it comes back whole or not at
// all; compacting loses nothing; each refuses what it can't do safely.
// Method: small directories compared by everything they say; every file of a backup damaged and
// cut; another process holds a directory open through its lock.

#include <atomic>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/events/consumers.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/accounts.h"
#include "store/data_directory.h"
#include "store/lock_file.h"
#include "store/parts.h"
#include "store/secrets.h"
#include "store/sqlite/user_directory.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/doctor_village.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::backup_test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;
using store::LockFile;
using store::make_data_directory;
using store::restore_backup;

const std::string kPicture = "media/" + store::sha256("picture");

// A directory with something in each of its parts, and a backup of it.
struct World {
  World() {
    make_data_directory(path(), 5);
    const auto directory = DataDirectory::open(path());
    fill(*directory, 5, 4);
    directory->users().media().put(UserNumber{1}, {MediaType::kPng, 3, 2}, "picture",
                                   test_clock().now());
    write_file(path() / "media" / "begun.tmp", "half a picture");
    write_file(path() / "media" / "nobodys", "what no row names");
    copied = directory->backup(backup());
  }
  [[nodiscard]] fs::path path() const { return folder / "chirp"; }
  [[nodiscard]] fs::path backup() const { return folder / "backup"; }

  TempFolder folder;
  store::Copied copied;
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("backup: comes back as it was, over what is there and where nothing is") {
  const World world;
  const auto expected = contents(world.path());
  fill(*DataDirectory::open(world.path()), 0, 0);
  publish(*DataDirectory::open(world.path()), UserNumber{1}, "after the backup");
  REQUIRE(contents(world.path()) != expected);

  const auto back = restore_backup(world.backup(), world.path());
  CHECK(back.files == world.copied.files);
  CHECK(back.bytes == world.copied.bytes);
  CHECK(contents(world.path()) == expected);
  CHECK(read_file(world.path() / kPicture) == "picture");
  CHECK(DataDirectory::open(world.path())->users().media().problems().empty());
  CHECK(DataDirectory::open(world.path())->machine() == 5);

  restore_backup(world.backup(), world.folder / "new" / "place");
  CHECK(contents(world.folder / "new" / "place") == expected);
  fs::create_directory(world.folder / "empty");
  restore_backup(world.backup(), world.folder / "empty");
  CHECK(contents(world.folder / "empty") == expected);
  CHECK(entries_of(world.folder.path()) == 4);
  CHECK(faults_in(*DataDirectory::open(world.path())).empty());
}

TEST_CASE("backup: counts its files and bytes, and is no data directory itself") {
  const World world;
  CHECK(world.copied.files == 3);
  std::uint64_t bytes = 0;
  for (const char* file : {"users.db", "engine/data.mdb", kPicture.c_str()}) {
    bytes += fs::file_size(world.backup() / file);
  }
  CHECK(world.copied.bytes == bytes);
  CHECK(files_of(world.backup()).size() == 4);  // and the manifest
  const Error error = error_of([&] { (void)DataDirectory::open(world.backup()); });
  CHECK(std::string(error.what()).find("`chirp restore`") != std::string::npos);
  CHECK(files_of(world.backup()).size() == 4);
}

TEST_CASE("backup: never goes over something") {
  const World world;
  fs::create_directory(world.folder / "empty");
  write_file(world.folder / "file", "mine");
  fs::create_symlink("nowhere", world.folder / "link");
  const auto directory = DataDirectory::open(world.path());
  const auto before = files_of(world.folder.path());
  for (const char* name : {"empty", "file", "backup"}) {
    CAPTURE(name);
    CHECK(error_of([&] { directory->backup(world.folder / name); }).code() == ErrorCode::kConflict);
  }
  CHECK(files_of(world.folder.path()) == before);
}

TEST_CASE("backup: names the missing files of uploads, and is complete without them") {
  const World world;
  const std::string place = (world.folder / "second").string();
  const Command backup = chirp_command(world.path().string(), {"backup", place});
  fs::remove(world.path() / kPicture);
  SUBCASE("one") {
    const Ended ended = run(backup);
    CHECK(ended.status == 5);
    CHECK(ended.out.starts_with("Backed up to"));
    CHECK(ended.err ==
          fmt::format("chirp: 1 file of uploads is missing, so the backup does not have it: {}. "
                      "Run `chirp doctor`, or take it from an older backup.\n",
                      (world.path() / kPicture).string()));
  }
  SUBCASE("more, and a link in the place of one") {
    const auto put = [&](UserNumber owner, const char* bytes) {
      DataDirectory::open(world.path())
          ->users()
          .media()
          .put(owner, {MediaType::kPng, 3, 2}, bytes, test_clock().now());
      return world.path() / "media" / store::sha256(bytes);
    };
    put(UserNumber{2}, "second");
    const fs::path third = put(UserNumber{2}, "third");
    put(UserNumber{3}, "third");
    fs::remove(third);
    fs::create_symlink("second", third);
    const Ended ended = run(backup);
    CHECK(ended.status == 5);
    CHECK(ended.err.find("2 files of uploads are missing, so the backup does not have "
                         "them: ") != std::string::npos);
    CHECK(ended.err.find(" is the first.") != std::string::npos);
  }
  SUBCASE("in JSON") {
    Command command = backup;
    command.arguments.emplace_back("--json");
    const Ended ended = run(command);
    CHECK(ended.status == 5);
    CHECK(ended.out.find("\"missing\":1") != std::string::npos);
  }
  CHECK_NOTHROW(restore_backup(place, world.folder / "restored"));
}

TEST_CASE("backup: one that is damaged or cut anywhere is refused, and nothing is changed") {
  const World world;
  const auto expected = contents(world.path());
  const auto refused = [&](const std::string& what) {
    CAPTURE(what);
    CHECK(error_of([&] { restore_backup(world.backup(), world.path()); }).code() ==
          ErrorCode::kCorrupt);
    CHECK(error_of([&] { restore_backup(world.backup(), world.folder / "new"); }).code() ==
          ErrorCode::kCorrupt);
    CHECK_FALSE(fs::exists(world.folder / "new"));
  };
  for (const auto& [name, bytes] : files_of(world.backup())) {
    for (const std::size_t at : {std::size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 1);
      write_file(world.backup() / name, changed);
      refused(fmt::format("{} flipped at {}", name, at));
      write_file(world.backup() / name, bytes.substr(0, at));
      refused(fmt::format("{} cut at {}", name, at));
    }
    write_file(world.backup() / name, bytes + '\n');
    refused(fmt::format("{} longer", name));
    fs::remove(world.backup() / name);
    refused(fmt::format("{} removed", name));
    write_file(world.backup() / name, bytes);
  }
  CHECK(contents(world.path()) == expected);
  CHECK(entries_of(world.folder.path()) == 2);
  CHECK_NOTHROW(restore_backup(world.backup(), world.path()));
}

TEST_CASE("backup: restoring puts a damaged directory right") {
  const World world;
  const auto expected = contents(world.path());
  for (const char* part : {"chirp.format", "users.db", "engine/data.mdb", "open.lock"}) {
    CAPTURE(part);
    fs::remove(world.path() / part);
    restore_backup(world.backup(), world.path());
    CHECK(contents(world.path()) == expected);
    write_file(world.path() / part, "rubbish");
    restore_backup(world.backup(), world.path());
    CHECK(contents(world.path()) == expected);
  }
}

TEST_CASE("backup: restoring removes nobody else's files") {
  const World world;
  write_file(world.path() / "notes", "mine");
  const Error error = error_of([&] { restore_backup(world.backup(), world.path()); });
  CHECK(error.code() == ErrorCode::kConflict);
  CHECK(std::string(error.what()).find("notes") != std::string::npos);
  CHECK(read_file(world.path() / "notes") == "mine");
  const fs::path other = world.folder / "other";
  fs::create_directory(other);
  write_file(other / "notes", "mine");
  CHECK(error_of([&] { restore_backup(world.backup(), other); }).code() == ErrorCode::kConflict);
  CHECK(entries_of(other) == 1);
}

TEST_CASE("backup: restoring and compacting need the directory for themselves") {
  const World world;
  {
    const auto directory = DataDirectory::open(world.path());
    CHECK(error_of([&] { restore_backup(world.backup(), world.path()); }).code() ==
          ErrorCode::kUnavailable);
    CHECK_NOTHROW(contents(*directory));
  }
  const auto elsewhere = LockFile::try_lock(world.path() / "open.lock", LockFile::Kind::kShared);
  REQUIRE(elsewhere);
  const auto before = files_of(world.path());
  CHECK(error_of([&] { restore_backup(world.backup(), world.path()); }).code() ==
        ErrorCode::kUnavailable);
  CHECK(error_of([&] { store::compact(world.path()); }).code() == ErrorCode::kUnavailable);
  CHECK(files_of(world.path()) == before);
}

TEST_CASE("backup: taken while somebody writes is one state of that time") {
  const TempFolder folder;
  make_data_directory(folder / "chirp", {});
  const auto directory = DataDirectory::open(folder / "chirp");
  fill(*directory, 5, 2);
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      publish(*directory, UserNumber{static_cast<std::uint32_t>(i % 5 + 1)}, fmt::format("n{}", i));
      if (i % 5 == 0) events::drain(directory->storage(), test_clock());
    }
  });
  for (int i = 0; i < 5; ++i) {
    const auto log_end = [&] { return directory->storage().snapshot()->state().log_end; };
    const Sequence before = log_end();
    const fs::path backup = folder / fmt::format("backup{}", i);
    directory->backup(backup);
    const Sequence after = log_end();
    const fs::path restored = folder / fmt::format("restored{}", i);
    restore_backup(backup, restored);
    const auto copy = DataDirectory::open(restored);
    const Sequence end = copy->storage().snapshot()->state().log_end;
    CHECK(end >= before);
    CHECK(end <= after);
    CHECK(faults_in(*copy).empty());
  }
  stop = true;
  writer.join();
}

TEST_CASE("backup: users who sign up, are renamed or leave meanwhile are alike in both stores") {
  constexpr std::uint32_t kUsers = 60;
  const TempFolder folder;
  make_data_directory(folder / "chirp", {});
  const auto directory = DataDirectory::open(folder / "chirp");
  fill(*directory, kUsers, 2);
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    // A connection of its own, as another process has it.
    const auto users = sqlite::open_user_directory(folder / "chirp" / "users.db");
    Storage& engine = directory->storage();
    const Time now = test_clock().now();
    const auto apply = [&](const Change& change) { engine.write({&change, 1}, now); };
    for (std::uint32_t i = kUsers; i > 0 && !stop; --i) {
      const UserNumber user{i};
      apply(PutCard{social::card_of(users->edit(user, {.email = {},
                                                       .display_name = "renamed",
                                                       .bio = {},
                                                       .password_hash = {},
                                                       .kept_token = {},
                                                       .picture = {}}))});
      apply(PutCard{social::card_of(users->add({fmt::format("late{}", i), {}, {}, {}, {}}, now))});
      UserEdit edit;
      edit.picture =
          users->media().put(user, {MediaType::kPng, 3, 2}, fmt::format("{}", i), now).id;
      users->edit(user, edit);
      apply(MarkRemoved{user});
      while (!rules::remove_traces(engine, user, 100, now)) {
      }
      users->media().remove_of(user);
      users->remove(user);
    }
  });
  for (int i = 0; i < 6; ++i) {
    const fs::path backup = folder / fmt::format("backup{}", i);
    CHECK(directory->backup(backup).missing == 0);
    const fs::path restored = folder / fmt::format("restored{}", i);
    restore_backup(backup, restored);
    const auto copy = DataDirectory::open(restored);
    CHECK(faults_in(*copy).empty());
    CHECK(copy->users().media().problems().empty());
  }
  stop = true;
  writer.join();
}

TEST_CASE("backup: a user who signs up between the copies of the two stores is in both") {
  const TempFolder folder;
  make_data_directory(folder / "chirp", {});
  {
    const auto directory = DataDirectory::open(folder / "chirp");
    fill(*directory, 5, 2);
  }
  // The engine as it was before forty people came, and the users as they are after it.
  copy_folder(folder / "chirp", folder / "earlier");
  {
    const auto directory = DataDirectory::open(folder / "chirp");
    for (int i = 0; i < 40; ++i) sign_up(*directory, fmt::format("late{}", i));
    UserDirectory& users = directory->users();
    users.settle_cards(users.due_cards(~std::uint32_t{0}));
  }
  const store::Layout layout(folder / "chirp");
  const store::Layout earlier(folder / "earlier");
  const auto users = sqlite::open_user_directory(layout.users());
  const auto env = lmdb::Env::open(earlier.engine(), earlier.write_lock(), lmdb::OpenMode::kOpen);
  store::back_up(layout, store::identity_at(layout), env, *users, folder / "backup");
  restore_backup(folder / "backup", folder / "restored");
  Opened restored(folder / "restored", test_clock());
  CHECK(words(restored.examine()).empty());
  CHECK(reads::rows_above<tables::Cards>(*restored.directory().storage().snapshot(), {kNobody}, 100)
            .size() == 45);
}

TEST_CASE("compact: gives free space back and loses nothing") {
  const World world;
  {
    const auto directory = DataDirectory::open(world.path());
    const Time now = test_clock().now();
    const std::vector<Change> posts(5000, Publish{UserNumber{1}, std::string(200, 'x')});
    std::vector<Change> removals;
    for (const Outcome& outcome : directory->storage().write(posts, now)) {
      removals.emplace_back(RemovePost{outcome.post});
    }
    directory->storage().write(removals, now);
    events::drain(directory->storage(), test_clock());
  }
  const auto expected = contents(world.path());
  const auto before = fs::file_size(world.path() / "engine" / "data.mdb");
  const auto copied = store::compact(world.path());
  CHECK(copied.files == 2);
  CHECK(copied.bytes == fs::file_size(world.path() / "engine" / "data.mdb") +
                            fs::file_size(world.path() / "users.db"));
  CHECK(fs::file_size(world.path() / "engine" / "data.mdb") < before / 2);
  CHECK(contents(world.path()) == expected);
  CHECK(faults_in(*DataDirectory::open(world.path())).empty());
  CHECK_FALSE(fs::exists(world.path() / "compact.tmp"));
  publish(*DataDirectory::open(world.path()), UserNumber{1}, "and writes go on");
  CHECK(contents(world.path()).size() > expected.size());
}

TEST_SUITE_END();

}  // namespace chirp::test::backup_test
