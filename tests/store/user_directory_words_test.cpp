// Goal: every user directory keeps source ids that are words apart from numbers and from usernames.
// Method: words that look alike, and names that are taken, one by one and many at once, on each
// kind.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/model/source_key.h"
#include "core/ports/user_directory.h"
#include "tests/support/directories.h"
#include "tests/support/thrown.h"

namespace chirp::test::user_directory_words_test {
namespace {}  // namespace

TEST_CASE("user directory: a source id that is a word is compared whole, and is not a name") {
  on_each_directory([](UserDirectory& users) {
    const User alice = users.add(named("alice"), kNow);
    const auto by = [](std::string text) {
      LoadedUser user;
      user.source = source_key(text);
      return user;
    };
    const User word = load_one(users, by("alice")).user;
    CHECK(word.number != alice.number);
    CHECK(word.username == "alice_2");
    CHECK(word.name_origin == NameOrigin::kGenerated);
    CHECK(word.source == SourceKey(std::string("alice")));
    CHECK(load_one(users, by("alice")).user == word);
    CHECK(load_one(users, by("Alice")).user.username == "Alice_3");
    CHECK(load_one(users, by("7")).user.username == "u7");
    CHECK(load_one(users, by("007")).user.username == "007");
    CHECK(users.count() == 5);
    CHECK(users.find(word.number) == word);
    LoadedUser said = by("alice");
    said.username = "real";
    CHECK(load_one(users, said).user.username == "real");
    // Gone, and the word is free.
    users.remove(word.number);
    const LoadedUserResult again = load_one(users, by("alice"));
    CHECK(again.change == LoadedUserChange::kAdded);
    CHECK(again.user.number != word.number);
    // Many at once, words and numbers.
    std::vector<LoadedUser> many;
    for (int i = 0; i < 130; ++i) {
      many.push_back(by((i % 2 == 0 ? "w" : "1") + std::to_string(i)));
    }
    for (const auto& result : users.load(many, kNow)) {
      CHECK(result.change == LoadedUserChange::kAdded);
    }
    for (const auto& result : users.load(many, kNow)) {
      CHECK(result.change == LoadedUserChange::kThere);
    }
    const User taken = again.user;
    CHECK(code_of([&] { (void)users.restore({&taken, 1}); }) == ErrorCode::kAlreadyExists);
  });
}

}  // namespace chirp::test::user_directory_words_test
