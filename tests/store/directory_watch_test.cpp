// Goal: no write is acknowledged that goes to files which nobody can find any more: those of a
// directory that was moved, replaced or removed while it was open.
// Method: a directory is open; it, or one of its files, is moved, replaced or removed; each kind of
// write is tried before and after. File systems that change the numbers of their files are made up.

#include "store/directory_watch.h"

#include <csignal>
#include <functional>

#include <doctest/doctest.h>

#include "server/engine/page_checks.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/directories.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_clock.h"
#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::directory_watch_test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;
using store::DirectoryWatch;
using store::FileId;
using store::Layout;

struct Write {
  const char* name;
  std::function<void(DataDirectory&, UserNumber)> run;
};

std::vector<Write> writes() {
  return {{"a post", [](DataDirectory& directory,
                        UserNumber author) { (void)publish(directory, author, "hello"); }},
          {"a sign-up",
           [n = 0](DataDirectory& directory, UserNumber) mutable {
             (void)directory.users().add(named("new" + std::to_string(n++)), test_clock().now());
           }},
          {"a token",
           [](DataDirectory& directory, UserNumber user) {
             (void)directory.users().add_token(user, test_clock().now(), std::nullopt);
           }},
          {"a picture", [n = 0](DataDirectory& directory, UserNumber user) mutable {
             (void)directory.users().media().put(user, {MediaType::kPng, 1, 1},
                                                 "bytes" + std::to_string(n++), test_clock().now());
           }}};
}

// What can become of the directory, and a word that the message says.
struct Fate {
  const char* says;
  std::function<void(const fs::path&)> come;
  std::function<void(const fs::path&)> undo;  // empty: it can't be
  std::string of = "the directory";
};

void move_away(const fs::path& path) { fs::rename(path, path.string() + ".moved"); }
void move_back(const fs::path& path) {
  fs::remove_all(path);
  fs::rename(path.string() + ".moved", path);
}

std::vector<Fate> fates() {
  std::vector<Fate> fates{{"was moved to", move_away, move_back},
                          {"something else was put in its place",
                           [](const fs::path& path) {
                             move_away(path);
                             copy_folder(path.string() + ".moved", path);
                           },
                           move_back},
                          {"was replaced",
                           [](const fs::path& path) {
                             copy_folder(path, path.string() + ".copy");
                             fs::remove_all(path);
                             fs::rename(path.string() + ".copy", path);
                           },
                           {}},
                          {"was removed", [](const fs::path& path) { fs::remove_all(path); }, {}}};
  for (const char* file :
       {"users.db", "users.db-wal", "users.db-shm", "engine/data.mdb", "engine/lock.mdb", "engine",
        "media", "open.lock", "write.lock", "chirp.format"}) {
    fates.push_back({"was moved to", [file](const fs::path& path) { move_away(path / file); },
                     [file](const fs::path& path) { move_back(path / file); }, file});
  }
  const auto removed = [&](const char* says, const char* file) {
    fates.push_back({says, [file](const fs::path& path) { fs::remove(path / file); }, {}, file});
  };
  for (const char* file : {"users.db", "users.db-wal", "engine/data.mdb"}) {
    removed("restore a backup", file);
  }
  for (const char* file : {"engine/lock.mdb", "open.lock", "write.lock", "users.db-shm"}) {
    removed("Nothing is lost", file);
  }
  removed("The data is still there", "chirp.format");
  return fates;
}

}  // namespace

TEST_CASE("directory watch: no write is acknowledged once the directory is not in its place") {
  for (const Fate& fate : fates()) {
    for (const Write& write : writes()) {
      const TempFolder folder;
      const fs::path path = folder / "chirp";
      CAPTURE(fate.of + ' ' + fate.says);
      CAPTURE(std::string(write.name));
      store::make_data_directory(path, {});
      const auto directory = DataDirectory::open(path);
      const UserNumber author = sign_up(*directory, "ann");
      CHECK_NOTHROW(write.run(*directory, author));
      fate.come(path);
      const Error first = error_of([&] { write.run(*directory, author); });
      CHECK_MESSAGE(std::string(first.what()).find(fate.says) != std::string::npos, first.what());
      // For files that are put there it is known beforehand; otherwise the first call finds it out.
      CHECK((first.code() == ErrorCode::kReadOnly || first.field() == "outcome"));
      const Error second = error_of([&] { write.run(*directory, author); });
      CHECK(second.code() == ErrorCode::kReadOnly);
      CHECK(code_of([&] { directory->check_place(); }) == ErrorCode::kReadOnly);
      if (!fate.undo) continue;
      fate.undo(path);
      CHECK_NOTHROW(directory->check_place());
      CHECK_NOTHROW(write.run(*directory, author));
    }
  }
}

TEST_CASE("directory watch: no write is acknowledged once the user's link leads elsewhere") {
  const TempFolder folder;
  const fs::path link = folder / "link";
  store::make_data_directory(folder / "chirp", {});
  store::make_data_directory(folder / "other", {});
  fs::create_directory_symlink(folder / "chirp", link);
  const auto directory = DataDirectory::open(link);
  const UserNumber author = sign_up(*directory, "ann");
  fs::remove(link);
  const Error gone = error_of([&] { writes().front().run(*directory, author); });
  CHECK_MESSAGE(std::string(gone.what()).find("now leads nowhere") != std::string::npos,
                gone.what());
  fs::create_directory_symlink(folder / "other", link);
  const Error moved = error_of([&] { writes().front().run(*directory, author); });
  CHECK(moved.code() == ErrorCode::kReadOnly);
  CHECK_MESSAGE(std::string(moved.what()).find(link.string() + " led to") != std::string::npos,
                moved.what());
  fs::remove(link);
  fs::create_directory_symlink(folder / "chirp", link);
  CHECK_NOTHROW(writes().front().run(*directory, author));
}

TEST_CASE("directory watch: a picture is not put into what has taken the directory's place") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  const auto directory = DataDirectory::open(path);
  const UserNumber author = sign_up(*directory, "ann");
  move_away(path);
  store::make_data_directory(path, {});
  CHECK(code_of([&] { writes().back().run(*directory, author); }) == ErrorCode::kReadOnly);
  CHECK(fs::is_empty(path / "media"));
}

TEST_CASE("directory watch: numbers of files that change are no other files") {
  const TempFolder folder;
  const fs::path path = folder / "chirp";
  store::make_data_directory(path, {});
  std::uint64_t shift = 0;
  DirectoryWatch::Looks looks = DirectoryWatch::usual_looks();
  const auto shifted = [&](std::optional<FileId> id) {
    if (id) id->inode += shift;
    return id;
  };
  DirectoryWatch watch(
      Layout(path), path,
      {[&, usual = looks.named](int in, const fs::path& name) { return shifted(usual(in, name)); },
       [&, usual = looks.opened](int file) { return shifted(usual(file)); }});
  CHECK_NOTHROW(watch.after_write());
  shift = 1000;
  CHECK_NOTHROW(watch.after_write());
  CHECK_NOTHROW(watch.after_write());
  move_away(path);
  CHECK(code_of([&] { watch.after_write(); }) == ErrorCode::kUnavailable);
}

TEST_CASE("directory watch: a server looks once a second") {
  StillClock clock;
  Log log(Log::Requests::kQuiet);
  int looks = 0;
  bool is_there = true;
  PlaceChecks checks(
      [&] {
        ++looks;
        if (!is_there) throw Error(ErrorCode::kReadOnly, "It was moved.");
      },
      clock, log);
  CHECK(checks.holds());
  CHECK(checks.holds());
  is_there = false;
  clock.advance(999);
  CHECK(checks.holds());
  CHECK(looks == 1);
  clock.advance(1);
  CHECK_FALSE(checks.holds());
  CHECK_FALSE(checks.holds());
  CHECK(looks == 2);
  is_there = true;
  clock.advance(1000);
  CHECK(checks.holds());
}

TEST_CASE("service: refuses to write when its directory was moved, and says so at /healthz") {
  const TempFolder folder;
  const std::string data = (folder / "chirp").string();
  const std::string token = make_served_directory(data, {"mira"}).front();
  ServerProcess server(data, {});
  Asker client = server.client();
  const auto post = [&] {
    return client.ask({"POST", "/v1/posts", R"({"content":"hello"})", token}).status;
  };
  const auto health = [&] { return client.ask({"GET", "/healthz"}).status; };
  CHECK(post() == 201);
  CHECK(health() == 200);
  move_away(data);
  CHECK(post() == 503);
  CHECK(post() == 503);
  CHECK(eventually([&] { return health() == 503; }));
  move_back(data);
  CHECK(post() == 201);
  CHECK(eventually([&] { return health() == 200; }));
  const Ended ended = server.end(SIGTERM);
  CHECK(ended.ok());
  CHECK_MESSAGE(ended.err.find("was moved to " + data + ".moved") != std::string::npos,
                to_string(ended));
}

}  // namespace chirp::test::directory_watch_test
