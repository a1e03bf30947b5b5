// Goal: every user directory keeps the promises of core/ports/user_directory.h.
// Method: one suite, run against each of them in turn, from an empty directory each time; at the
// end the same random actions on all of them, whose answers must be the same.
#include "core/ports/user_directory.h"

#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/model/names.h"
#include "tests/support/directories.h"
#include "tests/support/thrown.h"

namespace chirp::test::user_directory_test {
namespace {

std::vector<std::string> names(const std::vector<User>& users) {
  std::vector<std::string> out;
  for (const User& user : users) out.push_back(user.username);
  return out;
}

// The call is refused since a value of that field is taken.
void check_taken(const std::function<void()>& call, const std::string& field) {
  const Error error = test::error_of(call);
  CHECK(error.code() == ErrorCode::kAlreadyExists);
  CHECK(error.field() == field);
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("user directory: a new user is found by number, id, name and address") {
  on_each_directory([](UserDirectory& users) {
    NewUser mira = named("Mira");
    mira.email = "Mira@Example.org";
    mira.display_name = "Mira Okafor";
    mira.bio = "Allotment\ngardener";
    mira.password_hash = "$2b$04$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234";
    const User added = users.add(mira, kNow);
    CHECK(added.number == UserNumber{1});
    CHECK(added.username == "Mira");
    CHECK(added.email == "Mira@Example.org");
    CHECK(added.display_name == "Mira Okafor");
    CHECK(added.created_at == kNow);
    CHECK(added.has_password);
    CHECK_FALSE(added.source);
    CHECK(snowflake::time_of(added.id.value) == kNow);
    CHECK(snowflake::machine(added.id.value) == test::kDirectoryMachine);
    CHECK(users.find(added.number) == added);
    CHECK(users.find(added.id) == added);
    CHECK(users.find_name("mIRA") == added);
    CHECK(users.find_email("mira@example.ORG") == added);
    CHECK(users.password_hash(added.number) == mira.password_hash);

    const User plain = users.add(named("b"), kNow);
    CHECK(plain.number == UserNumber{2});
    CHECK(plain.id > added.id);
    CHECK(plain.display_name == "b");
    CHECK_FALSE(plain.has_password);
    CHECK_FALSE(users.password_hash(plain.number));
    CHECK(users.find(plain.number) == plain);
    CHECK(users.count() == 2);
    CHECK(users.newest(1) == std::vector{plain});
    CHECK(users.newest(9) == std::vector{plain, added});

    CHECK_FALSE(users.find(UserNumber{3}));
    CHECK_FALSE(users.find(UserId{0}));
    CHECK_FALSE(users.find(UserId{~std::uint64_t{0}}));
    for (const char* nobody : {"", "Mir", "Mira ", "%"}) {
      CHECK_FALSE(users.find_name(nobody));
    }
    CHECK_FALSE(users.find_name(std::string_view("mira\0", 5)));
    CHECK_FALSE(users.find_email(""));
    CHECK_FALSE(users.password_hash(UserNumber{3}));
  });
}

TEST_CASE("user directory: names and addresses are unique whatever their case") {
  on_each_directory([](UserDirectory& users) {
    NewUser first = named("Mira");
    first.email = "mira@example.org";
    users.add(first, kNow);
    check_taken([&] { users.add(named("mIrA"), kNow); }, "username");
    NewUser second = named("other");
    second.email = "MIRA@example.org";
    check_taken([&] { users.add(second, kNow); }, "email");
    CHECK(code_of([&] { users.add(named("not a name"), kNow); }) == ErrorCode::kInvalidArgument);
    CHECK(users.count() == 1);
    // What failed has used up no number.
    CHECK(users.add(named("other"), kNow).number == UserNumber{2});
    CHECK(users.add(named("another"), kNow).number == UserNumber{3});
  });
}

TEST_CASE("user directory: ids rise whatever the clock does") {
  on_each_directory([](UserDirectory& users) {
    const User first = users.add(named("a"), kNow);
    const User second = users.add(named("b"), Time{kNow.ms - kDayMs});
    const User third = users.add(named("c"), Time{0});
    CHECK(second.id > first.id);
    CHECK(third.id > second.id);
    CHECK(second.created_at == Time{kNow.ms - kDayMs});
  });
}

TEST_CASE("user directory: an edit changes what it names") {
  on_each_directory([](UserDirectory& users) {
    NewUser mira = named("mira");
    mira.email = "mira@example.org";
    mira.bio = "old";
    const User before = users.add(mira, kNow);
    NewUser other = named("other");
    other.email = "other@example.org";
    users.add(other, kNow);

    CHECK(users.edit(before.number, {}) == before);
    UserEdit edit;
    edit.display_name = "Zoë";
    User expected = before;
    expected.display_name = "Zoë";
    CHECK(users.edit(before.number, edit) == expected);
    edit = {};
    edit.bio = "";
    edit.password_hash = "$2b$04$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234";
    expected.bio = "";
    expected.has_password = true;
    CHECK(users.edit(before.number, edit) == expected);
    CHECK(users.password_hash(before.number) == edit.password_hash);
    edit = {};
    edit.email = "MIRA@example.org";  // their own, written otherwise
    expected.email = "MIRA@example.org";
    CHECK(users.edit(before.number, edit) == expected);
    edit.email = "OTHER@example.org";
    edit.display_name = "not kept";
    check_taken([&] { users.edit(before.number, edit); }, "email");
    CHECK(users.find(before.number) == expected);
    edit = {};
    edit.email = "";
    expected.email = std::nullopt;
    CHECK(users.edit(before.number, edit) == expected);
    CHECK_FALSE(users.find_email("mira@example.org"));
    CHECK(users.find(before.number) == expected);
    CHECK(code_of([&] { users.edit(UserNumber{9}, {}); }) == ErrorCode::kNotFound);

    UserQuery query;
    query.match = "zoë";
    CHECK(names(users.list(query).users) == Names{"mira"});
  });
}

TEST_CASE("user directory: a removal frees names, never numbers or ids") {
  on_each_directory([](UserDirectory& users) {
    NewUser mira = named("mira");
    mira.email = "mira@example.org";
    const User removed = users.add(mira, kNow);
    CHECK(users.remove(removed.number));
    CHECK_FALSE(users.remove(removed.number));
    CHECK_FALSE(users.find(removed.number));
    CHECK_FALSE(users.find(removed.id));
    CHECK_FALSE(users.find_name("mira"));
    CHECK(users.count() == 0);
    UserQuery query;
    query.match = "mira";
    CHECK(users.list(query).users.empty());
    const User again = users.add(mira, kNow);
    CHECK(again.number == UserNumber{2});
    CHECK(again.id > removed.id);

    // A loaded id is free of the floor of live ids, and does not come again either.
    LoadedUser old = loaded(77, "old");
    old.created_at = Time{kNow.ms - kDayMs};
    const User first = load_one(users, old).user;
    CHECK(users.remove(first.number));
    const User second = load_one(users, old).user;
    CHECK(second.id > first.id);
    CHECK(second.number > first.number);
    CHECK(second.username == "old");
  });
}

TEST_CASE("user directory: removals under way are noted until the row is gone") {
  on_each_directory([](UserDirectory& users) {
    const User a = users.add(named("a"), kNow);
    const User b = users.add(named("b"), kNow);
    CHECK(users.removals().empty());
    users.begin_removal(b.number);
    users.begin_removal(a.number);
    users.begin_removal(a.number);
    users.begin_removal(UserNumber{99});
    CHECK(users.removals() == std::vector{a.number, b.number});
    CHECK(users.find(a.number) == a);
    users.cancel_removal(b.number);
    users.cancel_removal(b.number);
    CHECK(users.remove(a.number));
    CHECK(users.removals().empty());
    CHECK(users.find(b.number) == b);
  });
}

TEST_CASE("user directory: another hash of a password takes the place of the one that is meant") {
  on_each_directory([](UserDirectory& users) {
    const std::string first = "$2b$04$" + std::string(53, 'a');
    const std::string second = "$2b$04$" + std::string(53, 'b');
    NewUser user = named("mira");
    user.password_hash = first;
    const User mira = users.add(user, kNow);
    const std::string token = users.add_token(mira.number, kNow, std::nullopt);
    CHECK_FALSE(users.replace_hash(mira.number, "other", second));
    CHECK(users.password_hash(mira.number) == first);
    CHECK(users.replace_hash(mira.number, first, second));
    CHECK(users.password_hash(mira.number) == second);
    CHECK(users.token_owner(token, kNow) == mira.number);
    CHECK_FALSE(users.replace_hash(UserNumber{9}, first, second));
    const User plain = users.add(named("plain"), kNow);
    CHECK_FALSE(users.replace_hash(plain.number, "", second));
  });
}

TEST_CASE("user directory: sessions are listed newest first, and ended one by one") {
  on_each_directory([](UserDirectory& users) {
    const User mira = users.add(named("mira"), kNow);
    const User bob = users.add(named("bob"), kNow);
    const auto at = [](std::int64_t ms) { return Time{kNow.ms + ms}; };
    const std::string old = users.add_token(mira.number, at(1), at(100));
    const std::string lasting = users.add_token(mira.number, at(2), std::nullopt);
    const std::string twin = users.add_token(mira.number, at(3), at(50));
    const std::string other_twin = users.add_token(mira.number, at(3), at(50));
    const std::string bobs = users.add_token(bob.number, at(3), at(100));
    const auto listed = [&](Time now, const std::optional<Session>& after, std::uint32_t limit) {
      return users.sessions(mira.number, {}, now, after, limit);
    };
    const auto id_of = [&](const User& user, const std::string& token) {
      std::vector<std::string> ids;
      for (const Session& session : users.sessions(user.number, token, at(4), std::nullopt, 10)) {
        if (session.current) ids.push_back(session.id);
      }
      REQUIRE(ids.size() == 1);
      return ids.front();
    };
    const auto all = listed(at(4), std::nullopt, 10);
    REQUIRE(all.size() == 4);
    CHECK(all[0].id < all[1].id);
    CHECK(all[2] == Session{id_of(mira, lasting), at(2), std::nullopt});
    CHECK(all[3] == Session{id_of(mira, old), at(1), at(100)});
    CHECK(all[3].id.size() == 16);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto rest = listed(at(4), all[i], 1);
      CHECK(rest.size() == (i + 1 < all.size() ? 1 : 0));
      if (!rest.empty()) CHECK(rest.front() == all[i + 1]);
    }
    CHECK(listed(at(50), std::nullopt, 10).size() == 2);
    CHECK(listed(at(4), std::nullopt, 2).size() == 2);
    CHECK_FALSE(users.revoke_session(mira.number, id_of(bob, bobs)));
    CHECK_FALSE(users.revoke_session(mira.number, ""));
    const std::string twins = id_of(mira, twin);
    CHECK(users.revoke_session(mira.number, twins));
    CHECK_FALSE(users.revoke_session(mira.number, twins));
    CHECK_FALSE(users.token_owner(twin, at(4)));
    CHECK(users.token_owner(other_twin, at(4)) == mira.number);
    CHECK(users.revoke_tokens(mira.number, lasting) == 2);
    CHECK(users.token_owner(lasting, at(4)) == mira.number);
    CHECK(users.revoke_tokens(mira.number, bobs) == 1);
    CHECK(users.token_owner(bobs, at(4)) == bob.number);
  });
}

TEST_CASE("user directory: lists are by name, in any case, page by page") {
  on_each_directory([](UserDirectory& users) {
    for (const char* name : {"delta", "Alpha", "_x", "charlie", "Bravo", "0zero"}) {
      users.add(named(name), kNow);
    }
    UserQuery query;
    CHECK(names(users.list(query).users) ==
          Names{"0zero", "_x", "Alpha", "Bravo", "charlie", "delta"});
    query.limit = 2;
    Names walked;
    for (;;) {
      const UserMatches page = users.list(query);
      CHECK(page.users.size() == 2);
      for (const std::string& name : names(page.users)) walked.push_back(name);
      if (!page.more) break;
      query.after = folded(page.users.back().username);
    }
    CHECK(walked == Names{"0zero", "_x", "Alpha", "Bravo", "charlie", "delta"});
    query.after = "aLPHA";
    query.limit = 50;
    CHECK(names(users.list(query).users) == Names{"Bravo", "charlie", "delta"});
    query.after = "zzz";
    CHECK(users.list(query).users.empty());

    CHECK(names(users.scan(kNobody, 2)) == Names{"delta", "Alpha"});
    CHECK(names(users.scan(UserNumber{4}, 50)) == Names{"Bravo", "0zero"});
    CHECK(users.scan(UserNumber{6}, 50).empty());
  });
}

TEST_CASE("user directory: a match is literal and knows no case") {
  on_each_directory([](UserDirectory& users) {
    const auto add = [&](const std::string& name, const std::string& display) {
      NewUser user = named(name);
      user.display_name = display;
      users.add(user, kNow);
    };
    add("mira", "Élodie ΣΑΣ Straße");
    add("m_r_", "100% \"quoted\" o'neil");
    add("MIRANDA", "back\\slash * (x) NEAR/2 漢字漢");
    add("bob", "bob");
    const auto found = [&](const std::string& part) {
      UserQuery query;
      query.match = part;
      return names(users.list(query).users);
    };
    CHECK(found("MiR") == Names{"mira", "MIRANDA"});
    CHECK(found("iranda") == Names{"MIRANDA"});
    CHECK(found("r") == Names{"m_r_", "mira", "MIRANDA"});
    CHECK(found("_r_") == Names{"m_r_"});
    CHECK(found("_") == Names{"m_r_"});
    CHECK(found("%") == Names{"m_r_"});
    CHECK(found("0% ") == Names{"m_r_"});
    CHECK(found("\"") == Names{"m_r_"});
    CHECK(found("\"quo") == Names{"m_r_"});
    CHECK(found("\"\"\"").empty());
    CHECK(found("o'n") == Names{"m_r_"});
    CHECK(found("'") == Names{"m_r_"});
    CHECK(found("\\s") == Names{"MIRANDA"});
    CHECK(found("k\\sl") == Names{"MIRANDA"});
    CHECK(found(" * (x) ") == Names{"MIRANDA"});
    CHECK(found("near/2") == Names{"MIRANDA"});
    CHECK(found("字") == Names{"MIRANDA"});
    CHECK(found("漢字漢") == Names{"MIRANDA"});
    CHECK(found("éLO") == Names{"mira"});
    CHECK(found("E\xcc\x81lodie") == Names{"mira"});
    CHECK(found("σας") == Names{"mira"});
    CHECK(found("STRASSE") == Names{"mira"});
    CHECK(found("Straße") == Names{"mira"});
    CHECK(found("obb").empty());  // not across the two names
    CHECK(found("bob\nbob") == Names{"bob"});
    for (const char* blank : {" ", "\n"}) CHECK(found(blank) == Names{"m_r_", "mira", "MIRANDA"});
    // Words in any order, in either name.
    CHECK(found("straße élodie") == Names{"mira"});
    CHECK(found("  ira\todie ") == Names{"mira"});
    CHECK(found("mira back") == Names{"MIRANDA"});
    CHECK(found("mira bob").empty());
    CHECK(found("quoted mira").empty());
    // Without accents, on either side.
    CHECK(found("Elodie") == Names{"mira"});
    CHECK(found("strässe") == Names{"mira"});
    CHECK(found("mirá") == Names{"mira", "MIRANDA"});
    CHECK(found("\u0301").empty());
    CHECK(found("mirabob").empty());
    CHECK(found("\xff\xff\xff").empty());
    CHECK(found("").size() == 4);

    UserQuery query;
    query.match = "mir";
    query.limit = 1;
    CHECK(users.list(query).more);
    query.after = "mira";
    CHECK(names(users.list(query).users) == Names{"MIRANDA"});
  });
}

TEST_CASE("user directory: queries by address and by sign-up time") {
  on_each_directory([](UserDirectory& users) {
    for (int day = 1; day <= 5; ++day) {
      NewUser user = named("day" + std::to_string(day));
      user.email = "day" + std::to_string(day) + "@example.org";
      users.add(user, Time{kNow.ms + day * kDayMs});
    }
    UserQuery query;
    query.email = "DAY3@example.org";
    CHECK(names(users.list(query).users) == Names{"day3"});
    query.match = "day4";
    CHECK(users.list(query).users.empty());
    query = {};
    query.since = Time{kNow.ms + 2 * kDayMs};
    query.until = Time{kNow.ms + 4 * kDayMs};
    CHECK(names(users.list(query).users) == Names{"day2", "day3"});
    query.until = std::nullopt;
    query.match = "DAY";
    CHECK(names(users.list(query).users) == Names{"day2", "day3", "day4", "day5"});
    query.since = std::nullopt;
    query.until = Time{kNow.ms + 1};
    CHECK(users.list(query).users.empty());
  });
}

}  // namespace chirp::test::user_directory_test
