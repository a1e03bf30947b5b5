// Goal: a holder of the users reads one state of them, whatever others write, and can learn the
// size of each table.
// Method: a data directory that is open and held, and a second handle on its file of users.
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "store/data_directory.h"
#include "store/query/query.h"
#include "store/sqlite/user_directory.h"
#include "tests/support/data_directories.h"
#include "tests/support/directories.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

std::string names_in(const UserRows& users) {
  std::string names;
  for (const User& user : users.scan(kNobody, 100)) names += user.username + " ";
  return names;
}

}  // namespace

TEST_CASE("held users: are those of one moment, while others sign up, edit and leave") {
  const TempFolder folder;
  const auto path = folder / "world";
  store::make_data_directory(path, std::nullopt);
  const auto other = sqlite::open_user_directory(path / "users.db");
  const UserNumber ada = other->add(named("ada"), kNow).number;
  const UserNumber bob = other->add(named("bob"), kNow).number;
  const auto directory = store::DataDirectory::open(path);
  directory->hold_users();
  other->add(named("cyd"), kNow);
  UserEdit edit;
  edit.bio = "new";
  other->edit(ada, edit);
  other->remove(bob);
  CHECK(names_in(*other) == "ada cyd ");
  CHECK(names_in(directory->users()) == "ada bob ");
  CHECK(directory->users().find(ada)->bio.empty());
  CHECK(directory->users().find_name("bob"));
  CHECK_FALSE(directory->users().find_name("cyd"));
  CHECK(directory->users().count() == 2);
}

TEST_CASE("query: a user is there whose row and card both are") {
  const TempFolder folder;
  const auto path = folder / "world";
  store::make_data_directory(path, std::nullopt);
  const auto other = sqlite::open_user_directory(path / "users.db");
  std::vector<User> users;
  for (const char* name : {"ada", "bob", "cyd"}) users.push_back(other->add(named(name), kNow));
  const auto directory = store::DataDirectory::open(path);
  const auto put = [&](const User& user) {
    AuthorCard card{user.number, user.id, user.username, user.display_name, {}, {}, {}};
    const Change change = PutCard{card};
    directory->storage().write({&change, 1}, kNow);
  };
  put(users[0]);
  put(users[1]);
  directory->hold_users();
  put(other->add(named("dan"), kNow));
  const Change mark = MarkRemoved{users[1].number};
  directory->storage().write({&mark, 1}, kNow);
  const auto snapshot = directory->storage().snapshot();
  const FakeClock clock;
  query::Query query(*snapshot, directory->users(), clock, {});
  query.ask(
      "SELECT username FROM users UNION ALL SELECT username FROM users WHERE username IN "
      "('bob', 'cyd', 'dan')");
  REQUIRE(query.next());
  CHECK(query.bytes(0) == "ada");
  CHECK_FALSE(query.next());
}

TEST_CASE("table bytes: add up to what the stores take") {
  const TempFolder folder;
  const auto path = folder / "world";
  store::make_data_directory(path, std::nullopt);
  const auto directory = store::DataDirectory::open(path);
  directory->users().add(named("ada"), kNow);
  std::map<std::string, std::uint64_t> bytes;
  std::map<std::string, std::uint64_t> tables;
  for (const store::TableBytes& table : directory->table_bytes()) {
    bytes[table.store] += table.bytes;
    tables[table.store + "/" + table.table] += table.bytes;
  }
  CHECK(bytes["users"] == directory->bytes().users);
  CHECK(bytes["engine"] == directory->bytes().engine);
  CHECK(tables["users/users"] > 0);
  CHECK(tables.contains("engine/posts"));
}

}  // namespace chirp::test
