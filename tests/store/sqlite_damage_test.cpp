// Goal: a damaged file of users is refused or read as far as it goes; nothing ends by a signal, and
// every complaint is an Error with a message.
// Method: the file cut at lengths that matter, random bytes of it changed, and the same for the log
// beside it, each time opened and used in every way.
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/model/names.h"
#include "store/sqlite/user_directory.h"
#include "tests/support/data_directories.h"
#include "tests/support/directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::sqlite_damage_test {
namespace {

namespace fs = std::filesystem;

const sqlite::Identity kIdentity{std::string(test::kDirectoryUuid), test::kDirectoryMachine};

std::mt19937_64 seeded(std::uint64_t& seed) {
  const char* given = std::getenv("CHIRP_SEED");
  seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 20'260'202;
  return std::mt19937_64(seed);
}

// What a use of the file came to: errors that are none of ours end the test.
struct MapUse {
  std::size_t errors = 0;
  std::size_t problems = 0;
  std::vector<User> users;
};

template <class Call>
void attempt(MapUse& use, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(std::string(error.what()).size() > 20);
    CHECK(error.code() != ErrorCode::kInternal);
    ++use.errors;
  }
}

MapUse use_of(const fs::path& file) {
  MapUse use;
  attempt(use, [&] {
    const auto users = sqlite::open_user_directory(file);
    attempt(use, [&] { use.users = users->scan(kNobody, 10'000); });
    attempt(use, [&] { (void)users->list({}); });
    attempt(use, [&] {
      UserQuery query;
      query.match = "someone";
      (void)users->list(query);
    });
    attempt(use, [&] { (void)users->find_name("someone7"); });
    attempt(use, [&] { (void)users->find_email("someone7@example.org"); });
    attempt(use, [&] { use.problems = users->problems().size(); });
    attempt(use, [&] { users->add(named("another"), kNow); });
    attempt(use, [&] { users->remove(UserNumber{5}); });
  });
  for (const User& user : use.users) CHECK(is_username(user.username));
  return use;
}

// A file of some pages of everything.
std::string sound_file(const fs::path& file) {
  sqlite::create_user_directory(file, kIdentity);
  {
    const auto users = sqlite::open_user_directory(file);
    std::vector<LoadedUser> batch;
    for (std::uint64_t i = 0; i < 400; ++i) {
      batch.push_back(loaded(i, "someone" + std::to_string(i)));
      batch.back().bio = "a word or two about themselves";
    }
    for (const LoadedUserResult& result : users->load(batch, kNow)) {
      if (result.user.number.value % 10 != 0) continue;
      UserEdit edit;
      edit.email = result.user.username + "@example.org";
      edit.password_hash = "$2b$04$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234";
      users->edit(result.user.number, edit);
    }
  }
  return read_file(file);
}

}  // namespace

// SQLite reads a last page that is cut off as if zeros followed, so a cut that removes only zeros
// is no damage: the last page may end in free space.
TEST_CASE("sqlite damage: a file cut anywhere opens or says what is wrong") {
  const test::TempFolder folder;
  const fs::path file = folder / "users.db";
  const std::string sound = sound_file(file);
  const std::size_t size = sound.size();
  CHECK(use_of(file).errors == 0);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, std::size_t{99}, std::size_t{100}, std::size_t{4095},
        std::size_t{4096}, std::size_t{8191}, std::size_t{8192}, size / 2, size - 4096,
        size - 2048}) {
    CAPTURE(length);
    fs::remove(folder / "users.db-wal");
    fs::remove(folder / "users.db-shm");
    write_file(file, sound.substr(0, length));
    const MapUse use = use_of(file);
    CHECK(use.errors + use.problems > 0);
  }
}

TEST_CASE("sqlite damage: a changed byte never ends in a crash or in a broken name") {
  const test::TempFolder folder;
  const fs::path file = folder / "users.db";
  const std::string sound = sound_file(file);
  std::uint64_t seed = 0;
  std::mt19937_64 random = seeded(seed);
  CAPTURE(seed);
  std::size_t noticed = 0;
  for (int round = 0; round < 150; ++round) {
    CAPTURE(round);
    fs::remove(folder / "users.db-wal");
    fs::remove(folder / "users.db-shm");
    std::string bytes = sound;
    // The first pages hold the header and the schema, where a byte matters most.
    const std::size_t within = round % 3 == 0 ? 8192 : bytes.size();
    const std::size_t at = random() % within;
    bytes[at] = static_cast<char>(bytes[at] ^ static_cast<int>(1 + random() % 255));
    write_file(file, bytes);
    const MapUse use = use_of(file);
    if (use.errors + use.problems > 0) ++noticed;
  }
  CHECK(noticed > 15);  // most bytes are text or free space
}

TEST_CASE("sqlite damage: a log cut or changed leaves a state that was committed") {
  const test::TempFolder folder;
  const fs::path file = folder / "users.db";
  sqlite::create_user_directory(file, kIdentity);
  // A copy of the file and its log, as a crash would leave them.
  std::string bytes;
  std::string log;
  constexpr std::size_t kUsers = 20;
  {
    const auto users = sqlite::open_user_directory(file);
    for (std::size_t i = 0; i < kUsers; ++i) users->add(named("user" + std::to_string(i)), kNow);
    bytes = read_file(file);
    log = read_file(folder / "users.db-wal");
  }
  std::uint64_t seed = 0;
  std::mt19937_64 random = seeded(seed);
  CAPTURE(seed);
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    std::string damaged = log;
    const std::size_t at = round == 0 ? log.size() : random() % log.size();
    if (round % 2 == 0) {
      damaged.resize(at);
    } else {
      damaged[at] = static_cast<char>(damaged[at] ^ static_cast<int>(1 + random() % 255));
    }
    write_file(file, bytes);
    write_file(folder / "users.db-wal", damaged);
    write_file(folder / "users.db-shm", round % 4 < 2 ? "" : std::string(32768, '\x5a'));
    const auto users = sqlite::open_user_directory(file);
    const std::vector<User> found = users->scan(kNobody, 100);
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].username == "user" + std::to_string(i));
    }
    if (round == 0) CHECK(found.size() == kUsers);
    CHECK(users->problems().empty());
    users->add(named("another"), kNow);
  }
}

}  // namespace chirp::test::sqlite_damage_test
