// Goal: every user directory loads and restores by the same rules, and answers like every other.
// Method: the rules one by one on each kind; at the end the same random actions on all of them,
// whose answers must be the same.
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/model/names.h"
#include "core/ports/user_directory.h"
#include "tests/support/directories.h"
#include "tests/support/thrown.h"

namespace chirp::test::user_directory_load_test {
namespace {

/// What two directories must agree on about somebody.
std::string line_of(const User& u) {
  return std::to_string(u.number.value) + " " + std::to_string(u.id.value) + " " + u.username +
         " " + u.email.value_or("-") + " " + u.display_name + " " +
         std::to_string(int(u.name_origin)) + "\n";
}

}  // namespace

TEST_CASE("user directory: a loaded user without a source id is the user who has the name") {
  on_each_directory([](UserDirectory& users) {
    const User mira = users.add(named("Mira"), kNow);
    const User tomas = load_one(users, loaded(5, "tomas")).user;
    LoadedUser by_name{.source = std::nullopt,
                       .username = "MIRA",
                       .display_name = "Other",
                       .bio = {},
                       .created_at = std::nullopt};
    const LoadedUserResult found = load_one(users, by_name);
    CHECK(found.change == LoadedUserChange::kThere);
    CHECK(found.user == mira);
    by_name.username = "Tomas";
    CHECK(load_one(users, by_name).user == tomas);

    by_name.username = "zoe";
    const std::vector<LoadedUser> twice = {by_name, by_name};
    const auto made = users.load(twice, kNow);
    CHECK(made[0].change == LoadedUserChange::kAdded);
    CHECK(made[1].change == LoadedUserChange::kThere);
    CHECK(made[1].user == made[0].user);
    CHECK_FALSE(made[0].user.source);
    CHECK(made[0].user.name_origin == NameOrigin::kOwn);
    CHECK(made[0].user.display_name == "Other");
    // Source ids tell the others apart, whatever those without one are called.
    CHECK(load_one(users, loaded(9)).user.username == "u9");
    CHECK(users.count() == 4);
  });
}

TEST_CASE("user directory: a word is a display name until a real one comes") {
  on_each_directory([](UserDirectory& users) {
    LoadedUser band = loaded(1);
    band.source = SourceKey(std::string("AC/DC"));
    const User made = load_one(users, band).user;
    CHECK(is_username(made.username));
    CHECK(made.display_name == "AC/DC");
    band.username = "acdc";
    band.display_name = "The band";
    const LoadedUserResult renamed = load_one(users, band);
    CHECK(renamed.change == LoadedUserChange::kRenamed);
    CHECK(renamed.user.username == "acdc");
    CHECK(renamed.user.display_name == "The band");
  });
}

TEST_CASE("user directory: many are loaded as they would be one by one") {
  on_each_directory([](UserDirectory& users) {
    const User mira = users.add(named("u77"), kNow);
    std::vector<LoadedUser> many;
    for (std::uint64_t id = 1; id <= 300; ++id) many.push_back(loaded(id));
    many[200] = loaded(5);  // the same again
    many[270].created_at = Time{kNow.ms - 1000};
    const auto results = users.load(many, kNow);
    REQUIRE(results.size() == many.size());
    std::uint32_t number = mira.number.value;
    for (std::size_t i = 0; i < results.size(); ++i) {
      CAPTURE(i);
      const User& user = results[i].user;
      if (i == 200) {
        CHECK(results[i].change == LoadedUserChange::kThere);
        CHECK(user == results[4].user);
        continue;
      }
      CHECK(results[i].change == LoadedUserChange::kAdded);
      CHECK(results[i].cut == (i == 76));
      CHECK(user.username == "u" + std::to_string(i + 1) + (i == 76 ? "_2" : ""));
      CHECK(user.number.value == ++number);
      CHECK(users.find_name(user.username) == user);
    }
    CHECK(users.count() == 300);
    CHECK(users.due_cards(1'000).size() == 300);
    CHECK(users.list(UserQuery{.match = "u299", .email = {}, .since = {}, .until = {}, .after = {}})
              .users.size() == 1);
    CHECK(users.problems().empty());
    // Ids rise with the order, but for the one with a time of its own.
    for (std::size_t i = 201; i + 1 < results.size(); ++i) {
      if (i == 270 || i + 1 == 270) continue;
      CHECK(results[i].user.id < results[i + 1].user.id);
    }
  });
}

TEST_CASE("user directory: a loaded user is called by the source, or by the source's id") {
  on_each_directory([](UserDirectory& users) {
    LoadedUser full = loaded(5, "Mira");
    full.display_name = "Mira O.";
    full.bio = "hello";
    const LoadedUserResult mira = load_one(users, full);
    CHECK(mira.change == LoadedUserChange::kAdded);
    CHECK_FALSE(mira.cut);
    CHECK(mira.user.username == "Mira");
    CHECK(mira.user.display_name == "Mira O.");
    CHECK(mira.user.bio == "hello");
    CHECK(mira.user.source == SourceId{5});
    CHECK(mira.user.name_origin == NameOrigin::kOwn);
    CHECK(mira.user.created_at == kNow);
    CHECK(snowflake::machine(mira.user.id.value) == test::kDirectoryMachine);
    CHECK(users.find(mira.user.number) == mira.user);

    const std::vector<LoadedUser> more = {loaded(0), loaded(7, "not a name"),
                                          loaded(9'223'372'036'854'775'807)};
    const auto results = users.load(more, kNow);
    REQUIRE(results.size() == 3);
    CHECK(results[0].user.username == "u0");
    CHECK(results[1].user.username == "u7");
    CHECK(results[2].user.username == "u1y2p0ij32e8e7");
    for (const LoadedUserResult& result : results) {
      CHECK(result.user.name_origin == NameOrigin::kGenerated);
      CHECK(result.user.display_name == result.user.username);
      CHECK(users.find_name(result.user.username) == result.user);
    }
    CHECK(results[2].user.number == UserNumber{4});
  });
}

TEST_CASE("user directory: a source id is one user, however often it is loaded") {
  on_each_directory([](UserDirectory& users) {
    const std::vector<LoadedUser> batch = {loaded(1, "one"), loaded(2), loaded(1, "uno"),
                                           loaded(2)};
    const auto first = users.load(batch, kNow);
    CHECK(first[0].change == LoadedUserChange::kAdded);
    CHECK(first[2].change == LoadedUserChange::kThere);
    CHECK(first[2].user == first[0].user);
    CHECK(first[3].user == first[1].user);
    const auto again = users.load(batch, Time{kNow.ms + kDayMs});
    for (std::size_t i = 0; i < batch.size(); ++i) {
      CHECK(again[i].change == LoadedUserChange::kThere);
      CHECK(again[i].user == first[i].user);
    }
    CHECK(users.count() == 2);
    // Nothing was used up by what was there.
    const User next = users.add(named("next"), kNow);
    CHECK(next.number == UserNumber{3});
    CHECK(snowflake::time_of(next.id.value) == kNow);
    CHECK(users.load({}, kNow).empty());
  });
}

TEST_CASE("user directory: a made-up name gives way to a real one, a real one stays") {
  on_each_directory([](UserDirectory& users) {
    const User before = load_one(users, loaded(5)).user;
    LoadedUser real = loaded(5, "Mira");
    real.display_name = "Mira O.";
    real.bio = "hello";
    const LoadedUserResult renamed = load_one(users, real);
    CHECK(renamed.change == LoadedUserChange::kRenamed);
    CHECK(renamed.user.number == before.number);
    CHECK(renamed.user.id == before.id);
    CHECK(renamed.user.username == "Mira");
    CHECK(renamed.user.display_name == "Mira O.");
    CHECK(renamed.user.bio == "hello");
    CHECK(renamed.user.name_origin == NameOrigin::kOwn);
    CHECK(users.find(before.number) == renamed.user);
    CHECK_FALSE(users.find_name("u5"));
    const LoadedUserResult stays = load_one(users, loaded(5, "other"));
    CHECK(stays.change == LoadedUserChange::kThere);
    CHECK(stays.user == renamed.user);

    UserQuery query;
    query.match = "mira o";
    CHECK(users.list(query).users.size() == 1);

    // A name that looks made up can be real: no other comes after it.
    load_one(users, loaded(6));
    const LoadedUserResult same = load_one(users, loaded(6, "u6"));
    CHECK(same.change == LoadedUserChange::kThere);
    CHECK(same.user.name_origin == NameOrigin::kOwn);
    CHECK(load_one(users, loaded(6, "late")).user.username == "u6");

    // In one batch, and what they have said of themselves stays.
    const std::vector<LoadedUser> batch = {loaded(8), loaded(8, "eight")};
    CHECK(users.load(batch, kNow)[1].user.username == "eight");
    query.match = "eight";
    CHECK(users.list(query).users.size() == 1);
    const User nine = load_one(users, loaded(9)).user;
    UserEdit edit;
    edit.display_name = "My Own";
    users.edit(nine.number, edit);
    LoadedUser late = loaded(9, "nine");
    late.display_name = "Theirs";
    CHECK(load_one(users, late).user.display_name == "My Own");
  });
}

TEST_CASE("user directory: a name that somebody else has is numbered within 15 characters") {
  on_each_directory([](UserDirectory& users) {
    users.add(named("Mira"), kNow);
    users.add(named("mira_3"), kNow);
    const std::vector<LoadedUser> batch = {loaded(1, "mira"), loaded(2, "MIRA"), loaded(3, "Mira"),
                                           loaded(4, "abcdefghijklmno"),
                                           loaded(5, "abcdefghijklmno")};
    const auto results = users.load(batch, kNow);
    CHECK(results[0].user.username == "mira_2");
    CHECK(results[0].cut);
    CHECK(results[0].user.display_name == "mira_2");
    CHECK(results[1].user.username == "MIRA_4");
    CHECK(results[2].user.username == "Mira_5");
    CHECK(results[3].user.username == "abcdefghijklmno");
    CHECK_FALSE(results[3].cut);
    CHECK(results[4].user.username == "abcdefghijklm_2");
    CHECK(results[4].change == LoadedUserChange::kAdded);

    // A made-up name in the way of another, and a real name that is taken.
    users.add(named("u77"), kNow);
    const LoadedUserResult numbered = load_one(users, loaded(77));
    CHECK(numbered.user.username == "u77_2");
    CHECK(numbered.user.name_origin == NameOrigin::kGenerated);
    const LoadedUserResult renamed = load_one(users, loaded(77, "mira"));
    CHECK(renamed.change == LoadedUserChange::kRenamed);
    CHECK(renamed.cut);
    CHECK(renamed.user.username == "mira_6");
  });
}

TEST_CASE("user directory: a loaded sign-up time makes an id of that time below live ones") {
  on_each_directory([](UserDirectory& users) {
    const User live = users.add(named("live"), kNow);
    const Time old{kNow.ms - 365 * kDayMs};
    std::vector<LoadedUser> batch;
    for (std::uint64_t i = 0; i < 5000; ++i) {  // more than a millisecond holds
      batch.push_back(loaded(i));
      batch.back().created_at = old;
    }
    const auto results = users.load(batch, kNow);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::uint64_t id = results[i].user.id.value;
      REQUIRE(id == snowflake::make(snowflake::ticks_of(old) + i / snowflake::kSequences,
                                    snowflake::kLoadMachine, i % snowflake::kSequences));
      REQUIRE(results[i].user.created_at == old);
    }
    LoadedUser one = loaded(6000);
    one.created_at = Time{old.ms + 1};
    CHECK(load_one(users, one).user.id.value == results.back().user.id.value + 1);
    one = loaded(6001);
    one.created_at = Time{kNow.ms + kDayMs};
    CHECK(load_one(users, one).user.id > live.id);
    // The floor of live ids has not moved.
    const User next = users.add(named("next"), kNow);
    CHECK(next.id.value == live.id.value + 1);
  });
}

TEST_CASE("user directory: an export is put back with its ids and times") {
  const auto make_user = [](std::uint64_t id, const std::string& name) {
    User user;
    user.number = UserNumber{99};
    user.id = UserId{id};
    user.username = name;
    user.display_name = name;
    user.created_at = Time{123};
    return user;
  };
  on_each_directory([&](UserDirectory& users) {
    const std::uint64_t high = snowflake::make(snowflake::ticks_of(kNow) + 1000, 900, 5);
    User full = make_user(high, "Mira");
    full.email = "mira@example.org";
    full.display_name = "Mira O.";
    full.bio = "hello";
    full.source = SourceId{5};
    full.name_origin = NameOrigin::kGenerated;
    const std::vector<User> batch = {full, make_user(snowflake::make(7, 1, 0), "old")};
    const std::vector<User> restored = users.restore(batch);
    REQUIRE(restored.size() == 2);
    full.number = UserNumber{1};
    CHECK(restored[0] == full);
    CHECK(restored[1].number == UserNumber{2});
    CHECK(users.find(UserNumber{1}) == full);
    UserQuery query;
    query.match = "mira o";
    CHECK(users.list(query).users.size() == 1);
    CHECK(load_one(users, loaded(5)).user == full);
    // New ids stand above all that came.
    CHECK(users.add(named("new"), kNow).id > full.id);

    const auto refused = [&](const User& user) {
      const std::vector<User> two = {make_user(4711, "fresh"), user};
      return code_of([&] { (void)users.restore(two); });
    };
    CHECK(refused(make_user(high, "other")) == ErrorCode::kAlreadyExists);
    CHECK(refused(make_user(4712, "MIRA")) == ErrorCode::kAlreadyExists);
    User same_source = make_user(4712, "other");
    same_source.source = SourceId{5};
    CHECK(refused(same_source) == ErrorCode::kAlreadyExists);
    CHECK(refused(make_user(4712, "no name")) == ErrorCode::kInvalidArgument);
    CHECK_FALSE(users.find_name("fresh"));
    CHECK(users.count() == 3);
  });
}

TEST_CASE("user directory: all kinds answer the same to the same actions") {
  const char* given = std::getenv("CHIRP_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 10) : 20'260'101;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const auto pick = [&](std::uint64_t n) { return random() % n; };
  const auto name = [&] {
    static const std::vector<std::string> stems = {"mira", "MIRA", "u1",   "u2", "abcdefghijklmno",
                                                   "u1_2", "bob",  "Bob_2"};
    return stems[pick(stems.size())];
  };
  for (int world = 0; world < 12; ++world) {
    std::vector<std::unique_ptr<test::TestDirectory>> all;
    for (const test::DirectoryKind& kind : test::directory_kinds()) all.push_back(kind.make());
    for (int step = 0; step < 60; ++step) {
      CAPTURE(world);
      CAPTURE(step);
      NewUser sign_up = named(name());
      if (pick(2) == 0) sign_up.email = name() + "@example.org";
      std::vector<LoadedUser> batch;
      for (std::uint64_t i = pick(5); i > 0; --i) {
        batch.push_back(loaded(pick(4)));
        if (pick(3) == 0)
          batch.back().source = SourceKey(std::string(pick(2) == 0 ? "A/B" : "mira@x"));
        if (pick(2) == 0) batch.back().username = name();
        if (pick(3) == 0) batch.back().display_name = name();
        if (pick(3) == 0) batch.back().created_at = Time{kNow.ms - kDayMs + std::int64_t(pick(3))};
      }
      UserQuery query;
      query.match = name().substr(pick(2), 1 + pick(5));
      query.limit = 3;
      query.quick = pick(2) == 0;
      const UserNumber number{static_cast<std::uint32_t>(1 + pick(12))};
      UserEdit edit;
      if (pick(2) == 0) edit.display_name = name();
      if (pick(2) == 0) edit.email = name() + "@example.org";
      const std::uint64_t action = pick(4);
      const Time now{kNow.ms + step};

      std::vector<std::string> answers;
      for (const auto& directory : all) {
        UserDirectory& users = directory->users();
        std::string answer;
        const auto tell = [&](const User& u) { answer += line_of(u); };
        const auto failed = code_of([&] {
          if (action == 0) tell(users.add(sign_up, now));
          if (action == 1) {
            for (const LoadedUserResult& result : users.load(batch, now)) {
              tell(result.user);
              answer += std::to_string(int(result.change)) + (result.cut ? " cut\n" : "\n");
            }
          }
          if (action == 2) tell(users.edit(number, edit));
          if (action == 3) answer += users.remove(number) ? "removed\n" : "nobody\n";
        });
        if (failed) answer += "error " + std::to_string(int(*failed)) + "\n";
        const auto refused = code_of([&] {
          for (const User& user : users.list(query).users) tell(user);
        });
        if (refused) answer += "refused\n";
        for (const User& user : users.scan(kNobody, 100)) tell(user);
        answers.push_back(answer);
      }
      for (const std::string& answer : answers) REQUIRE(answer == answers.front());
    }
    for (const auto& directory : all) REQUIRE(directory->users().problems().empty());
  }
}

}  // namespace chirp::test::user_directory_load_test
