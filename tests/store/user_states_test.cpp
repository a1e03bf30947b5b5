// Goal: suspensions and old names are kept as the port of the user directory promises.
// Method: the port's calls on each implementation, with times of their own.
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/limits.h"
#include "core/model/names.h"
#include "tests/support/directories.h"
#include "tests/support/thrown.h"

namespace chirp::test::user_states_test {
namespace {

using Names = std::vector<std::string>;

User rename(UserDirectory& users, const User& user, const std::string& username, Time at) {
  UserEdit edit;
  edit.rename = Rename{username, at};
  return users.edit(user.number, edit);
}

Names names(const UserMatches& matches) {
  Names found;
  for (const User& user : matches.users) found.push_back(user.username);
  return found;
}

std::string field_of(const std::function<void()>& call) { return error_of(call).field(); }

constexpr Time kLastDay{kNow.ms + limits::kOldNameMs - 1};
constexpr Time kFree{kNow.ms + limits::kOldNameMs};

}  // namespace

TEST_CASE("user directory: a suspension is kept, listed, and notes that the card is due") {
  on_each_directory([](UserDirectory& users) {
    const User mira = users.add(named("mira"), kNow);
    (void)users.add(named("tomas"), kNow);
    users.settle_cards(users.due_cards(10));
    UserEdit edit;
    edit.suspended = true;
    CHECK(users.edit(mira.number, edit).suspended);
    CHECK(users.find(mira.number)->suspended);
    CHECK(users.is_card_due(mira.number));
    UserQuery query;
    CHECK(names(users.list(query)) == Names{"mira", "tomas"});
    query.suspended = true;
    CHECK(names(users.list(query)) == Names{"mira"});
    CHECK(users.count_suspended() == 1);
    CHECK(users.count() == 2);
    edit.suspended = false;
    CHECK(users.edit(mira.number, edit) == mira);
    CHECK(names(users.list(query)).empty());
    CHECK(users.count_suspended() == 0);
  });
}

TEST_CASE("user directory: an old name leads to its user for thirty days") {
  on_each_directory([](UserDirectory& users) {
    const User mira = users.add(named("mira"), kNow);
    users.settle_cards(users.due_cards(10));
    const User renamed = rename(users, mira, "Okafor", kNow);
    CHECK(renamed.username == "Okafor");
    CHECK(renamed.display_name == "Okafor");  // it was the username
    CHECK(renamed.old_name == OldName{"mira", kFree});
    CHECK(users.find(mira.number) == renamed);
    CHECK(users.is_card_due(mira.number));
    CHECK_FALSE(users.find_name("mira"));
    CHECK(users.find_name("okafor") == renamed);
    CHECK(users.find_old_name("MIRA", kLastDay) == renamed);
    CHECK_FALSE(users.find_old_name("mira", kFree));
    UserQuery query;
    query.match = "oka";
    CHECK(names(users.list(query)) == Names{"Okafor"});
    query.match = "mira";
    CHECK(names(users.list(query)).empty());
  });
}

TEST_CASE("user directory: a display name of their own stays as it is in a rename") {
  on_each_directory([](UserDirectory& users) {
    NewUser mira = named("mira");
    mira.display_name = "Mira O.";
    CHECK(rename(users, users.add(mira, kNow), "okafor", kNow).display_name == "Mira O.");
  });
}

TEST_CASE("user directory: an old name is nobody else's while it leads to its user") {
  on_each_directory([](UserDirectory& users) {
    const User mira = users.add(named("mira"), kNow);
    const User tomas = users.add(named("tomas"), kNow);
    const User before = rename(users, mira, "okafor", kNow);
    CHECK(field_of([&] { users.add(named("Mira"), kLastDay); }) == "username");
    CHECK(field_of([&] { rename(users, tomas, "mira", kLastDay); }) == "username");
    CHECK(users.find(tomas.number) == tomas);
    const LoadedUserResult loaded_one = load_one(users, loaded(7, "mira"), kLastDay);
    CHECK(loaded_one.user.username == "mira_2");
    CHECK(loaded_one.cut);
    // A loaded user with the name alone is the user who had it.
    LoadedUser nameless;
    nameless.username = "mira";
    CHECK(load_one(users, nameless, kLastDay).user.number == mira.number);
    CHECK(users.find(mira.number) == before);

    CHECK(users.add(named("mira"), kFree).username == "mira");
    CHECK(users.find_name("mira")->number != mira.number);
  });
}

TEST_CASE("user directory: many who are loaded at once leave old names alone") {
  on_each_directory([](UserDirectory& users) {
    (void)rename(users, users.add(named("u7"), kNow), "mira", kNow);
    std::vector<LoadedUser> many;
    for (std::uint64_t source = 1; source <= 128; ++source) many.push_back(loaded(source));
    for (const LoadedUserResult& result : users.load(many, kLastDay)) {
      CHECK(result.user.username != "u7");
    }
  });
}

TEST_CASE("user directory: nobody is renamed twice in thirty days, and the last old name counts") {
  on_each_directory([](UserDirectory& users) {
    const User mira = users.add(named("mira"), kNow);
    (void)rename(users, mira, "okafor", kNow);
    CHECK(code_of([&] { rename(users, mira, "mira", kLastDay); }) == ErrorCode::kConflict);
    CHECK(field_of([&] { rename(users, mira, "zoe", kLastDay); }) == "username");
    CHECK(code_of([&] { rename(users, mira, "no name", kFree); }) == ErrorCode::kInvalidArgument);
    const User again = rename(users, mira, "zoe", kFree);
    CHECK(again.old_name->username == "okafor");
    CHECK_FALSE(users.find_old_name("mira", kFree));
    // Somebody else comes to have borne the same name.
    const User other = users.add(named("mira"), kFree);
    const Time later{kFree.ms + limits::kOldNameMs};
    (void)rename(users, again, "okafor", later);
    (void)rename(users, other, "tomas", later);
    CHECK(users.find_old_name("mira", later)->number == other.number);
    CHECK(users.find_old_name("zoe", later)->number == mira.number);
  });
}

TEST_CASE("user directory: a name in another case is the same name") {
  on_each_directory([](UserDirectory& users) {
    const User mira = users.add(named("mira"), kNow);
    users.settle_cards(users.due_cards(10));
    const User written = rename(users, mira, "Mira", kNow);
    CHECK(written.username == "Mira");
    CHECK(written.display_name == "Mira");
    CHECK_FALSE(written.old_name);
    CHECK(users.find(mira.number) == written);
    CHECK(users.is_card_due(mira.number));
    // It uses up nothing, and what leads to them goes on doing so.
    CHECK(rename(users, written, "Okafor", kNow).old_name == OldName{"Mira", kFree});
    const User again = rename(users, written, "OKAFOR", kLastDay);
    CHECK(again.username == "OKAFOR");
    CHECK(again.old_name == OldName{"Mira", kFree});
    CHECK(users.find_old_name("mira", kLastDay) == again);
    CHECK(code_of([&] { rename(users, again, "mira", kLastDay); }) == ErrorCode::kConflict);
  });
}

TEST_CASE("user directory: an old name that has expired goes to the next user with that name") {
  on_each_directory([](UserDirectory& users) {
    const User mira = users.add(named("mira"), kNow);
    (void)rename(users, mira, "okafor", kNow);
    const User other = users.add(named("Mira"), kFree);
    (void)rename(users, other, "tomas", kFree);
    CHECK(users.find_old_name("mira", kFree)->number == other.number);
    CHECK_FALSE(users.find(mira.number)->old_name);
  });
}

TEST_CASE("user directory: an old name goes with its user, and comes back with an export") {
  on_each_directory([](UserDirectory& users) {
    const User mira = users.add(named("mira"), kNow);
    User renamed = rename(users, mira, "okafor", kNow);
    UserEdit edit;
    edit.suspended = true;
    renamed = users.edit(mira.number, edit);
    CHECK(users.remove(mira.number));
    CHECK_FALSE(users.find_old_name("mira", kNow));
    const User restored = users.restore({&renamed, 1}).front();
    CHECK(restored.suspended);
    CHECK(restored.old_name == renamed.old_name);
    CHECK(users.find_old_name("mira", kNow)->number == restored.number);
  });
}

}  // namespace chirp::test::user_states_test
