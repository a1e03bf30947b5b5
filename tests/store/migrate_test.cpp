// Goal: a directory of an older format becomes one of today's, however far an earlier attempt came;
// nothing else is touched.
// Method: copies of the directories kept under testdata/format-N; each store brought forward by
// itself to make the half-way states; parts exchanged with another directory's.

#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/reads.h"
#include "store/data_directory.h"
#include "store/files.h"
#include "store/format_file.h"
#include "store/layout.h"
#include "store/lmdb/metas.h"
#include "store/lmdb/storage.h"
#include "store/lock_file.h"
#include "store/manifest.h"
#include "store/sqlite/connection.h"
#include "store/sqlite/schema.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::migrate_test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;
using store::Layout;

const std::vector<std::string> kAll{"users", "engine", "directory"};

std::vector<std::string> migrated_contents(std::uint32_t format) {
  const OlderDirectory world(format);
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

std::vector<std::string> schema_of(const fs::path& users) {
  sqlite::Connection connection(users);
  std::vector<std::string> lines;
  sqlite::Rows rows =
      connection.rows("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY type, name");
  while (rows.next()) lines.push_back(rows.text(0));
  return lines;
}

std::vector<std::string> tables_of(const fs::path& path) {
  std::vector<std::string> names;
  for (const auto& [name, rows] : DataDirectory::open(path)->storage().snapshot()->table_rows()) {
    names.push_back(name);
  }
  return names;
}

// What the engine's store has written last.
std::uint64_t last_transaction(const Layout& layout) {
  const store::File file = store::File::open(layout.engine_data(), O_RDONLY);
  return lmdb::read_metas(file.fd(), layout.engine_data()).newest().transaction;
}

// The bytes of the index of names.
std::string search_of(const fs::path& users) {
  sqlite::Connection connection(users);
  std::string bytes;
  sqlite::Rows rows = connection.rows("SELECT id, hex(block) FROM user_search_data ORDER BY id");
  while (rows.next()) bytes += fmt::format("{} {}\n", rows.integer(0), rows.text(1));
  return bytes;
}

// The hashtags of recent posts, which are derived anew.
std::vector<std::string> tags_of(const fs::path& path) {
  std::vector<std::string> tags;
  const auto snapshot = DataDirectory::open(path)->storage().snapshot();
  for (const TaggedPost& post : reads::tagged_posts(*snapshot, kAboveAllPosts, 1000)) {
    tags.insert(tags.end(), post.tags.begin(), post.tags.end());
  }
  return tags;
}

// How far an earlier attempt came, and what is left to do.
struct Halfway {
  const char* name;
  void (*reach)(const Layout&);
  std::vector<std::string> left;
};

const std::vector<Halfway>& halfway_states() {
  static const std::vector<Halfway> kStates{
      {"the users are done", migrate_users, {"engine", "directory"}},
      {"the engine is done", migrate_engine, {"users", "directory"}},
      {"both are done",
       [](const Layout& layout) {
         migrate_users(layout);
         migrate_engine(layout);
       },
       {"directory"}},
      {"a new chirp.format was begun",
       [](const Layout& layout) { write_file(layout.root / "chirp.format.tmp", "chi"); }, kAll}};
  return kStates;
}

// A backup of a directory that this program does not open, as the program of its format makes one.
void back_up(const fs::path& path, const fs::path& backup, Sequence events) {
  const auto identity = store::read_any_format_file(path);
  REQUIRE(identity);
  store::Manifest manifest{*identity, events, {}};
  for (const auto& [file, bytes] : files_of(path)) {
    if (file == store::kFormatFile) continue;
    fs::create_directories((backup / file).parent_path());
    manifest.files.emplace(file, store::copy_hashed(path / file, backup / file));
  }
  store::write_manifest(backup, manifest);
}

}  // namespace

TEST_CASE("migrate: an older directory is refused until it is migrated, and sound then") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const OlderDirectory world(format);
    const auto before = files_of(world.path());
    const Error error = error_of([&] { (void)DataDirectory::open(world.path()); });
    CHECK(error.code() == ErrorCode::kVersion);
    CHECK(std::string(error.what()).find("`chirp migrate`") != std::string::npos);
    CHECK(files_of(world.path()) == before);

    const store::Migrated done = store::migrate(world.path());
    CHECK(done.from == format);
    CHECK(done.changed == kAll);
    const auto directory = DataDirectory::open(world.path());
    CHECK(faults_in(*directory).empty());
    CHECK(directory->users().media().problems().empty());
    const StoreState state = directory->storage().snapshot()->state();
    CHECK(state.fan_out < state.log_end);  // what was pending still is
  }
}

TEST_CASE("migrate: from format 5 on, only the formats are written, whatever the store has") {
  for (const std::uint32_t format : older_formats()) {
    if (format < 5) continue;
    CAPTURE(format);
    const OlderDirectory world(format);
    const std::uint64_t before = last_transaction(world.layout());
    const std::string search = search_of(world.layout().users());
    store::migrate(world.path());
    CHECK(last_transaction(world.layout()) == before + 1);
    CHECK(search_of(world.layout().users()) == search);
    const StoreState state = DataDirectory::open(world.path())->storage().snapshot()->state();
    CHECK(state.early_from == PostId{});
    CHECK(state.early_below == PostId{});
  }
}

TEST_CASE("migrate: changes nothing in a directory of today's format") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const OlderDirectory world(format);
    store::migrate(world.path());
    const auto before = contents(world.path());
    const std::string said = read_file(world.path() / store::kFormatFile);
    const store::Migrated again = store::migrate(world.path());
    CHECK(again.from == store::kFormatVersion);
    CHECK(again.changed.empty());
    CHECK(contents(world.path()) == before);
    CHECK(read_file(world.path() / store::kFormatFile) == said);
  }
}

TEST_CASE("migrate: a new directory has the tables of a migrated one") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const OlderDirectory world(format);
    store::migrate(world.path());
    const fs::path made = world.beside("new");
    store::make_data_directory(made, {});
    CHECK(schema_of(world.layout().users()) == schema_of(Layout(made).users()));
    CHECK(tables_of(world.path()) == tables_of(made));
  }
}

TEST_CASE("migrate: users of the first program of format 2, which noted no due cards") {
  const OlderDirectory world(2);
  {
    sqlite::Connection users(world.layout().users());
    users.execute("DROP TABLE due_cards");
  }
  CHECK(store::migrate(world.path()).changed == kAll);
  CHECK(contents(world.path()) == migrated_contents(2));
  CHECK(faults_in(*DataDirectory::open(world.path())).empty());
  const fs::path made = world.beside("new");
  store::make_data_directory(made, {});
  CHECK(schema_of(world.layout().users()) == schema_of(Layout(made).users()));
}

TEST_CASE("migrate: goes on from wherever it was interrupted") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const std::vector<std::string> expected = migrated_contents(format);
    const OlderDirectory at_once(format);
    store::migrate(at_once.path());
    const std::vector<std::string> tags = tags_of(at_once.path());
    for (const Halfway& half : halfway_states()) {
      CAPTURE(half.name);
      const OlderDirectory world(format);
      half.reach(world.layout());
      CHECK(error_of([&] { (void)DataDirectory::open(world.path()); }).code() ==
            ErrorCode::kVersion);
      CHECK(store::migrate(world.path()).changed == half.left);
      CHECK(contents(world.path()) == expected);
      CHECK(tags_of(world.path()) == tags);
      CHECK_FALSE(fs::exists(world.path() / "chirp.format.tmp"));
    }
  }
}

TEST_CASE("migrate: refuses a directory that somebody has open") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const OlderDirectory world(format);
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
}

TEST_CASE("migrate: leaves alone what is newer, and what is not there") {
  const OlderDirectory world(1);
  const TempFolder other;
  CHECK(error_of([&] { store::migrate(other / "nowhere"); }).code() == ErrorCode::kIo);
  CHECK_FALSE(fs::exists(other / "nowhere"));

  const std::string format = read_file(world.path() / store::kFormatFile);
  write_file(world.path() / store::kFormatFile,
             fmt::format("chirp-data-directory {}{}", store::kFormatVersion + 1,
                         format.substr(format.find('\n'))));
  CHECK(error_of([&] { store::migrate(world.path()); }).code() == ErrorCode::kVersion);
}

TEST_CASE("migrate: leaves alone what has parts of another directory") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const OlderDirectory world(format);
    const TempFolder other;
    const store::Identity identity = *store::read_any_format_file(world.path());
    store::make_data_directory(other / "chirp", identity.machine);
    const std::string said = read_file(world.path() / store::kFormatFile);
    const auto check_foreign = [&] {
      const Error error = error_of([&] { store::migrate(world.path()); });
      CHECK(error.code() == ErrorCode::kCorrupt);
      CHECK(read_file(world.path() / store::kFormatFile) == said);
    };
    const std::string users = read_file(world.layout().users());
    const Layout foreign(other / "chirp");
    fs::copy_file(foreign.users(), world.layout().users(), fs::copy_options::overwrite_existing);
    check_foreign();
    write_file(world.layout().users(), users);
    fs::copy_file(foreign.engine_data(), world.layout().engine_data(),
                  fs::copy_options::overwrite_existing);
    check_foreign();
    CHECK(read_file(world.layout().users()) == users);
  }
}

TEST_CASE("migrate: a backup of an older format is restored as a directory of today's") {
  for (const std::uint32_t format : older_formats()) {
    CAPTURE(format);
    const OlderDirectory world(format);
    const OlderDirectory twin(format);
    store::migrate(twin.path());
    Sequence last = DataDirectory::open(twin.path())->storage().snapshot()->state().log_end;
    last.value -= 1;
    const TempFolder place;
    back_up(world.path(), place / "backup", last);
    store::restore_backup(place / "backup", place / "chirp");
    CHECK(contents(place / "chirp") == contents(twin.path()));
    const auto directory = DataDirectory::open(place / "chirp");
    CHECK(faults_in(*directory).empty());
    CHECK(directory->users().media().problems().empty());
  }
}

}  // namespace chirp::test::migrate_test
