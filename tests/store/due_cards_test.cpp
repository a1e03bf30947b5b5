// Goal: whoever makes a user, or changes what their card says, leaves a note of it in the same
// transaction, and no note goes but by who has seen it.
// Method: the calls of the directory, on every implementation.
#include <doctest/doctest.h>

#include "tests/support/directories.h"

namespace chirp::test {
namespace {

constexpr std::uint32_t kMany = 10'000;

std::vector<UserNumber> due(const UserDirectory& users) {
  std::vector<UserNumber> numbers;
  for (const PendingCard& card : users.due_cards(kMany)) numbers.push_back(card.user);
  return numbers;
}

void settle_all(UserDirectory& users) { users.settle_cards(users.due_cards(kMany)); }

}  // namespace

TEST_CASE("user directory: a sign-up, a rename and a new picture note that the card is due") {
  on_each_directory([](UserDirectory& users) {
    CHECK(due(users).empty());
    const UserNumber mira = users.add(named("mira"), kNow).number;
    const UserNumber zoe = users.add(named("zoe"), kNow).number;
    CHECK(due(users) == std::vector{mira, zoe});
    CHECK(users.due_cards(1).front().user == mira);
    CHECK(users.is_card_due(zoe));
    settle_all(users);
    CHECK(due(users).empty());
    CHECK_FALSE(users.is_card_due(zoe));
    UserEdit edit;
    edit.bio = "not on the card";
    edit.email = "mira@example.org";
    edit.password_hash = "$2b$04$" + std::string(53, 'u');
    users.edit(mira, edit);
    CHECK(due(users).empty());
    edit.display_name = "Mira";
    users.edit(mira, edit);
    CHECK(due(users) == std::vector{mira});
    settle_all(users);
    UserEdit picture;
    picture.picture = MediaId{};
    users.edit(mira, picture);
    CHECK(due(users) == std::vector{mira});
    users.remove(mira);
    CHECK(due(users).empty());
  });
}

TEST_CASE("user directory: a card that comes due again is not settled by the first look") {
  on_each_directory([](UserDirectory& users) {
    const UserNumber mira = users.add(named("mira"), kNow).number;
    const auto seen = users.due_cards(kMany);
    UserEdit edit;
    edit.display_name = "Mira";
    users.edit(mira, edit);
    users.settle_cards(seen);
    CHECK(due(users) == std::vector{mira});
    const auto again = users.due_cards(kMany);
    users.settle_cards(again);
    users.edit(mira, edit);
    users.settle_cards(again);
    CHECK(due(users) == std::vector{mira});
    CHECK(users.due_cards(kMany).front().due > again.front().due);
  });
}

TEST_CASE("user directory: a load says which notes are its own") {
  on_each_directory([](UserDirectory& users) {
    const std::vector<LoadedUser> first{loaded(7), loaded(8, "eight"), loaded(9), loaded(7)};
    const auto results = users.load(first, kNow);
    CHECK(due(users) == std::vector{UserNumber{1}, UserNumber{2}, UserNumber{3}});
    for (const LoadedUserResult& result : results) {
      if (result.change != LoadedUserChange::kAdded) continue;
      const PendingCard own{result.due, result.user.number};
      users.settle_cards({&own, 1});
      CHECK_FALSE(users.is_card_due(result.user.number));
    }
    CHECK(due(users).empty());
    const std::vector<LoadedUser> second{loaded(7, "seven"), loaded(10), loaded(8, "other")};
    const auto renamed = users.load(second, kNow);
    CHECK(renamed[0].change == LoadedUserChange::kRenamed);
    CHECK(due(users).size() == 2);
    const std::vector<PendingCard> own{{renamed[0].due, renamed[0].user.number},
                                       {renamed[1].due, renamed[1].user.number}};
    users.settle_cards(own);
    CHECK(due(users).empty());
  });
}

TEST_CASE("user directory: notes of many cards are settled at once, and no others with them") {
  on_each_directory([](UserDirectory& users) {
    std::vector<LoadedUser> many;
    for (std::uint64_t source = 1; source <= 100; ++source) many.push_back(loaded(source));
    users.load(many, kNow);
    auto cards = users.due_cards(kMany);
    REQUIRE(cards.size() == 100);
    const UserNumber kept = cards[50].user;
    cards.erase(cards.begin() + 50);
    users.settle_cards(cards);
    CHECK(due(users) == std::vector{kept});
    users.settle_cards({});
    CHECK(due(users) == std::vector{kept});
  });
}

}  // namespace chirp::test
