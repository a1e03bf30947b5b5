// Goal: what a stranger looks for costs little, whatever it is, and finds what the port promises.
// Method: every directory with more names than a search looks at; SQLite counts the steps of its
// virtual machine, which is work without a clock.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include "core/limits.h"
#include "store/sqlite/user_directory.h"
#include "tests/support/directories.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::user_search_test {
namespace {

using Names = std::vector<std::string>;

void load(UserDirectory& users, const std::string& name, const std::string& display_name) {
  LoadedUser user;
  user.username = name;
  user.display_name = display_name;
  users.load(std::vector{user}, kNow);
}

// Some with names of their own among very many whose names have parts in common.
void settle(UserDirectory& users, int crowd) {
  std::vector<LoadedUser> many;
  for (int i = 0; i < crowd; ++i) {
    LoadedUser user;
    user.username = fmt::format("crowd{}", i);
    user.display_name = fmt::format("大家 Common Name {}", i);
    many.push_back(user);
  }
  users.load(many, kNow);
  load(users, "mira", "Élodie Okafor");
  load(users, "miranda", "王伟");
  load(users, "tomas", "王伟国 Mira");
  load(users, "xcrowd", "Rare ÿ");
}

UserQuery quick(const std::string& match) {
  UserQuery query;
  query.match = match;
  query.quick = true;
  return query;
}

Names found(const UserDirectory& users, const std::string& match) {
  Names out;
  for (const User& user : users.list(quick(match)).users) out.push_back(user.username);
  return out;
}

// Counts what every connection opened meanwhile does.
class CountedSteps {
 public:
  CountedSteps() {
    steps = 0;
    sqlite3_auto_extension(reinterpret_cast<void (*)()>(&watch));
  }
  ~CountedSteps() { sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(&watch)); }
  CountedSteps(const CountedSteps&) = delete;
  CountedSteps& operator=(const CountedSteps&) = delete;

  static inline std::int64_t steps = 0;

 private:
  static int watch(sqlite3* handle, const char**, const void*) {
    sqlite3_progress_handler(handle, 1, &count, nullptr);
    return SQLITE_OK;
  }
  static int count(void*) {
    ++steps;
    return 0;
  }
};

}  // namespace

TEST_CASE(
    "user search: a stranger's search finds parts anywhere, and short ones where names begin") {
  on_each_directory([](UserDirectory& users) {
    settle(users, 20);
    CHECK(found(users, "ira") == Names{"mira", "miranda", "tomas"});
    CHECK(found(users, "OKAF") == Names{"mira"});
    CHECK(found(users, "mi") == Names{"mira", "miranda"});
    CHECK(found(users, "M") == Names{"mira", "miranda"});
    CHECK(found(users, "x") == Names{"xcrowd"});
    CHECK(found(users, "ra").empty());
    CHECK(found(users, "王伟") == Names{"miranda", "tomas"});
    CHECK(found(users, "伟国").empty());
    CHECK(found(users, "王伟国") == Names{"tomas"});
    CHECK(found(users, "大家").size() == 20);
    CHECK(found(users, "él") == Names{"mira"});
    CHECK(found(users, "el").empty());  // of usernames
    CHECK(found(users, "elodie") == Names{"mira"});
    CHECK(found(users, "okafor elodie") == Names{"mira"});
    CHECK(found(users, "fór mir") == Names{"mira"});
    CHECK(found(users, "国 mira").size() == 1);
    CHECK(found(users, "crowd1").size() == 11);
    for (const char* short_one : {"ÿ", "%", "王", "\"", " ", "\n"}) {
      CAPTURE(short_one);
      CHECK(blamed_by([&] { (void)found(users, short_one); }) == "match");
    }
    // Whoever is not a stranger finds all.
    UserQuery patient;
    patient.match = "ÿ";
    CHECK(users.list(patient).users.size() == 1);
  });
}

TEST_CASE("user search: what very many have is looked for at the beginning of usernames") {
  on_each_directory([](UserDirectory& users) {
    settle(users, static_cast<int>(limits::kMatchCandidatesMax) + 1);
    CHECK(found(users, "crowd").size() == UserQuery{}.limit);
    CHECK(found(users, "crowd").front() == "crowd0");
    CHECK(found(users, "common").empty());
    CHECK(found(users, "mir") == Names{"mira", "miranda", "tomas"});
    for (const char* common : {"Common Name", "大家", "大家 C"}) {
      CAPTURE(common);
      CHECK(code_of([&] { (void)found(users, common); }) == ErrorCode::kInvalidArgument);
    }
    // Page by page, each begun where the last one ended.
    Names walked;
    UserQuery query = quick("CROWD");
    query.limit = 100;
    for (;;) {
      const UserMatches page = users.list(query);
      for (const User& user : page.users) walked.push_back(user.username);
      if (!page.more) break;
      query.after = page.users.back().username;
    }
    CHECK(walked.size() == static_cast<std::size_t>(limits::kMatchCandidatesMax) + 1);
  });
}

TEST_CASE("user search: a stranger's search takes few steps, whatever is looked for") {
  const test::TempFolder folder;
  const std::filesystem::path file = folder / "users.db";
  sqlite::create_user_directory(file, {std::string(test::kDirectoryUuid), test::kDirectoryMachine});
  constexpr int kCrowd = 10'000;
  settle(*sqlite::open_user_directory(file), kCrowd);
  const CountedSteps counted;
  const auto users = sqlite::open_user_directory(file);
  const auto steps = [&](const UserQuery& query) {
    CountedSteps::steps = 0;
    (void)code_of([&] { (void)users->list(query); });
    return CountedSteps::steps;
  };
  // A walk past everybody shows that the steps are counted.
  UserQuery patient;
  patient.match = "ÿ";
  CHECK(steps(patient) > 5 * kCrowd);
  // Some thirty steps each for those who may be looked at and those who are shown.
  constexpr std::int64_t kFew = 30 * (limits::kMatchCandidatesMax + 50);
  static_assert(kFew < 2 * kCrowd);
  for (const char* match :
       {"ÿ",       "%",         "a",      "m",       "zz",       "c",           "cr",
        "cro",     "crowd",     "crowd1", "crowd12", "crowd123", "Common Name", "ommo",
        "name 9",  "name 99",   "大",     "大家",    "大家 ",    "王伟",        "王伟国",
        "nam com", "123123123", "99 99",  "e e e e", "owdcro",   "mira",        "nobody at all"}) {
    CAPTURE(match);
    CHECK(steps(quick(match)) < kFew);
  }
  CHECK(steps(UserQuery{}) < kFew);
}

}  // namespace chirp::test::user_search_test
