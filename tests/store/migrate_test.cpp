// Goal: a directory of format 1 becomes one of today's format with everything in it, however far an
// earlier attempt came; nothing else is touched.
// Method: copies of the directory kept under testdata/format-1; each store brought forward by
// itself to make the half-way states; parts exchanged with another directory's.

#include <filesystem>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/data_directory.h"
#include "store/format_file.h"
#include "store/layout.h"
#include "store/lmdb/storage.h"
#include "store/lock_file.h"
#include "store/manifest.h"
#include "store/sqlite/connection.h"
#include "store/sqlite/schema.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;
using store::Layout;

// A copy of the directory that format 1 wrote.
struct First {
  First() { copy_folder(CHIRP_SOURCE_DIR "/testdata/format-1/data", path()); }
  [[nodiscard]] fs::path path() const { return folder / "chirp"; }
  [[nodiscard]] Layout layout() const { return Layout(path()); }

  TempFolder folder;
};

const std::vector<std::string> kAll{"users", "engine", "directory"};

std::vector<std::string> migrated_contents() {
  const First world;
  store::migrate(world.path());
  return contents(world.path());
}

void migrate_users(const Layout& layout) {
  sqlite::Connection users(layout.users());
  CHECK(sqlite::migrate_schema(users));
}

void migrate_engine(const Layout& layout) {
  CHECK(lmdb::migrate_store(layout.engine(), layout.write_lock(), store::kFormatVersion));
}

}  // namespace

TEST_CASE("migrate: a directory of format 1 becomes one of today's") {
  const First world;
  CHECK(error_of([&] { (void)DataDirectory::open(world.path()); }).code() == ErrorCode::kVersion);
  const store::Migrated done = store::migrate(world.path());
  CHECK(done.from == 1);
  CHECK(done.changed == kAll);

  const auto directory = DataDirectory::open(world.path());
  CHECK(directory->machine() == 3);
  CHECK(directory->users().count() == 15);
  for (const User& user : directory->users().scan(kNobody, 100)) {
    CHECK_FALSE(user.suspended);
    CHECK_FALSE(user.old_name);
  }
  CHECK(faults_in(*directory).empty());
  const StoreState state = directory->storage().snapshot()->state();
  CHECK(state.log_end > Sequence{1});
  CHECK(state.notifications == state.log_first);
  CHECK(state.trends == state.log_first);
  CHECK(state.relations == 0);
  CHECK(state.post_removals == 0);
  CHECK(state.fan_out < state.log_end);  // what was pending still is
}

TEST_CASE("migrate: changes nothing in a directory of today's format") {
  const First world;
  store::migrate(world.path());
  const auto before = contents(world.path());
  const auto format = read_file(world.path() / "chirp.format");
  const store::Migrated again = store::migrate(world.path());
  CHECK(again.from == store::kFormatVersion);
  CHECK(again.changed.empty());
  CHECK(contents(world.path()) == before);
  CHECK(read_file(world.path() / "chirp.format") == format);
}

TEST_CASE("migrate: a new directory has the tables of a migrated one") {
  const First world;
  store::migrate(world.path());
  store::make_data_directory(world.folder / "new", {});
  const auto schema_of = [](const fs::path& file) {
    sqlite::Connection users(file);
    std::vector<std::string> lines;
    sqlite::Rows rows =
        users.rows("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY type, name");
    while (rows.next()) lines.push_back(rows.text(0));
    return lines;
  };
  CHECK(schema_of(world.layout().users()) == schema_of(world.folder / "new" / "users.db"));
  const auto tables_of = [](const fs::path& path) {
    std::vector<std::string> names;
    for (const auto& [name, rows] : DataDirectory::open(path)->storage().snapshot()->table_rows()) {
      names.push_back(name);
    }
    return names;
  };
  CHECK(tables_of(world.path()) == tables_of(world.folder / "new"));
}

TEST_CASE("migrate: goes on from wherever it was interrupted") {
  const std::vector<std::string> expected = migrated_contents();
  struct Halfway {
    const char* name;
    void (*reach)(const Layout&);
    std::vector<std::string> left;
  };
  for (const Halfway& half :
       {Halfway{"the users are done", migrate_users, {"engine", "directory"}},
        Halfway{"the engine is done", migrate_engine, {"users", "directory"}},
        Halfway{"both are done",
                [](const Layout& layout) {
                  migrate_users(layout);
                  migrate_engine(layout);
                },
                {"directory"}},
        Halfway{"a new chirp.format was begun",
                [](const Layout& layout) { write_file(layout.root / "chirp.format.tmp", "chi"); },
                kAll}}) {
    CAPTURE(half.name);
    const First world;
    half.reach(world.layout());
    CHECK(error_of([&] { (void)DataDirectory::open(world.path()); }).code() == ErrorCode::kVersion);
    CHECK(store::migrate(world.path()).changed == half.left);
    CHECK(contents(world.path()) == expected);
    CHECK_FALSE(fs::exists(world.path() / "chirp.format.tmp"));
  }
}

TEST_CASE("migrate: refuses a directory that somebody has open") {
  const First world;
  const auto before = files_of(world.path());
  {
    const auto open =
        store::LockFile::try_lock(world.layout().open_lock(), store::LockFile::Kind::kShared);
    REQUIRE(open);
    const Error error = error_of([&] { store::migrate(world.path()); });
    CHECK(error.code() == ErrorCode::kUnavailable);
  }
  auto after = files_of(world.path());
  after.erase("open.lock");
  CHECK(after == before);
  CHECK(store::migrate(world.path()).changed == kAll);
}

TEST_CASE("migrate: leaves alone what is newer, nothing, or another's") {
  const First world;
  const TempFolder other;
  CHECK(error_of([&] { store::migrate(other / "nowhere"); }).code() == ErrorCode::kIo);
  CHECK_FALSE(fs::exists(other / "nowhere"));

  const std::string format = read_file(world.path() / "chirp.format");
  write_file(world.path() / "chirp.format",
             fmt::format("chirp-data-directory {}{}", store::kFormatVersion + 1,
                         format.substr(format.find('\n'))));
  CHECK(error_of([&] { store::migrate(world.path()); }).code() == ErrorCode::kVersion);
  write_file(world.path() / "chirp.format", format);

  store::make_data_directory(other / "chirp", 3);
  const auto check_foreign = [&] {
    const Error error = error_of([&] { store::migrate(world.path()); });
    CHECK(error.code() == ErrorCode::kCorrupt);
    CHECK(read_file(world.path() / "chirp.format") == format);
  };
  const std::string users = read_file(world.layout().users());
  fs::copy_file(other / "chirp" / "users.db", world.layout().users(),
                fs::copy_options::overwrite_existing);
  check_foreign();
  write_file(world.layout().users(), users);
  fs::copy_file(other / "chirp" / "engine" / "data.mdb", world.layout().engine_data(),
                fs::copy_options::overwrite_existing);
  check_foreign();
  CHECK(read_file(world.layout().users()) == users);
}

TEST_CASE("migrate: a backup of format 1 is restored as a directory of today's") {
  const First world;
  const TempFolder place;
  const auto identity = store::read_any_format_file(world.path());
  REQUIRE(identity);
  store::Manifest manifest{*identity, Sequence{25}, {}};
  for (const char* file : {"users.db", "engine/data.mdb"}) {
    fs::create_directories((place / "backup" / file).parent_path());
    manifest.files.emplace(file, store::copy_hashed(world.path() / file, place / "backup" / file));
  }
  store::write_manifest(place / "backup", manifest);
  store::restore_backup(place / "backup", place / "chirp");
  CHECK(contents(place / "chirp") == migrated_contents());
  CHECK(faults_in(*DataDirectory::open(place / "chirp")).empty());
}

}  // namespace chirp::test
