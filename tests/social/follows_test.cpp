// Goal: following is idempotent, all or nothing, and paged without gaps.
// Method: the use cases over the stores in memory.
#include "core/social/follows.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/settings.h"
#include "core/social/limit_exceeded.h"
#include "tests/support/social_world.h"
#include "tests/support/thrown.h"

namespace chirp::test::follows_test {
namespace {

using Names = std::vector<std::string>;

Names names(const social::FollowPage& page) {
  Names result;
  for (const social::FollowEntry& entry : page.follows) result.push_back(entry.user.username);
  return result;
}

}  // namespace

TEST_CASE("follows: the first time stays, and the second changes nothing") {
  SocialWorld world;
  const User mira = world.add("mira");
  const User tomas = world.add("tomas");
  const Time first = world.clock.now();
  const auto added = world.follows.add(world.user("mira"), world.users({"tomas", "@Tomas"}));
  CHECK(added.changed == 1);
  REQUIRE(added.follows.size() == 2);
  CHECK(added.follows[1].follower == mira.id);
  CHECK(added.follows[1].followee == tomas.id);
  CHECK(added.follows[1].since == first);
  world.clock.advance(kHourMs);
  const auto again = world.follows.add(world.user("mira"), world.users({"tomas"}));
  CHECK(again.changed == 0);
  CHECK(again.follows[0].since == first);

  CHECK(world.follows.check(world.user("mira"), world.user("tomas")).following);
  CHECK_FALSE(world.follows.check(world.user("mira"), world.user("tomas")).followed_by);
  CHECK(world.follows.check(world.user("tomas"), world.user("mira")).followed_by);
  CHECK_FALSE(world.follows.check(world.user("mira"), world.user("mira")).following);

  const auto removed = world.follows.remove(world.user("mira"), world.users({"tomas"}));
  CHECK(removed.changed == 1);
  CHECK_FALSE(removed.follows[0].since);
  CHECK(world.follows.remove(world.user("mira"), world.users({"tomas"})).changed == 0);
}

TEST_CASE("follows: an unknown name, or oneself, changes nothing") {
  SocialWorld world;
  world.add("mira");
  world.add("tomas");
  const auto version = world.storage.version();
  const Error unknown = error_of([&] {
    (void)world.follows.add(world.user("mira"), world.users({"tomas", "ghost"}));
  });
  CHECK(unknown.code() == ErrorCode::kNotFound);
  const Error oneself = error_of([&] {
    (void)world.follows.add(world.user("mira"), world.users({"tomas", "MIRA"}));
  });
  CHECK(oneself.code() == ErrorCode::kInvalidArgument);
  CHECK(error_of([&] {
          (void)world.follows.remove(world.user("mira"), world.users({"tomas", "ghost"}));
        }).code() == ErrorCode::kNotFound);
  CHECK(world.storage.version() == version);
}

TEST_CASE("follows: pages go by order of arrival, and pass over who is being removed") {
  SocialWorld world;
  world.add("hub");
  std::vector<User> fans;
  for (int i = 0; i < 7; ++i) {
    fans.push_back(world.add("fan" + std::to_string(i)));
    (void)world.follows.add(world.user(fans.back().username), world.users({"hub"}));
    (void)world.follows.add(world.user("hub"), world.users({fans.back().username}));
  }
  // Hidden at once; the edges go in steps.
  const Change leaving = MarkRemoved{fans[2].number};
  world.storage.write({&leaving, 1}, world.clock.now());
  const auto first = world.follows.followers(world.user("hub"), kNobody, 3);
  CHECK(names(first) == Names{"fan0", "fan1", "fan3"});
  REQUIRE(first.next_cursor);
  const auto second = world.follows.followers(world.user("hub"), *first.next_cursor, 3);
  CHECK(names(second) == Names{"fan4", "fan5", "fan6"});
  CHECK_FALSE(second.next_cursor);
  CHECK(names(world.follows.following(world.user("hub"), fans[4].number, 50)) ==
        Names{"fan5", "fan6"});
  CHECK(world.follows.following(world.user("fan0"), kNobody, 50).total == 1);
  CHECK(error_of([&] { (void)world.follows.followers(world.user("hub"), kNobody, 0); }).field() ==
        "limit");
  CHECK(error_of([&] {
          (void)world.follows.followers(world.user("hub"), kNobody, limits::kUserPageMax + 1);
        }).field() == "limit");
}

TEST_CASE("follows: a page that ends with somebody removed does not promise more") {
  SocialWorld world;
  world.add("hub");
  std::vector<User> fans;
  for (int i = 0; i < 3; ++i) {
    fans.push_back(world.add("fan" + std::to_string(i)));
    (void)world.follows.add(world.user(fans.back().username), world.users({"hub"}));
  }
  const Change leaving = MarkRemoved{fans[2].number};
  world.storage.write({&leaving, 1}, world.clock.now());
  const auto page = world.follows.followers(world.user("hub"), kNobody, 2);
  CHECK(names(page) == Names{"fan0", "fan1"});
  CHECK_FALSE(page.next_cursor);
}

TEST_CASE("follows: the operator may set how many, and what is there already is no more") {
  SocialWorld world;
  for (const char* name : {"mira", "ann", "ben", "cat"}) world.add(name);
  world.follows.add(world.user("mira"), world.users({"ann"}));
  settings::set(world.storage, "follow.max", "2", world.clock.now());
  const auto follow = [&](const Names& names) {
    world.follows.add(world.user("mira"), world.users(names));
  };
  CHECK_THROWS_AS(follow({"ben", "cat"}), social::LimitExceeded);
  CHECK(world.follows.following(world.user("mira"), kNobody, 9).total == 1);
  follow({"ben"});
  const Error error = error_of([&] { follow({"cat"}); });
  CHECK(error.code() == ErrorCode::kForbidden);
  CHECK(error.field() == "follow.max");
  follow({"ann", "ben"});  // as it is
  world.follows.remove(world.user("mira"), world.users({"ann"}));
  follow({"cat"});
  settings::set(world.storage, "follow.max", "1", world.clock.now());
  follow({"cat"});
  CHECK_THROWS_AS(follow({"ann"}), social::LimitExceeded);
  settings::set(world.storage, "follow.max", "0", world.clock.now());
  follow({"ann"});
  CHECK(world.follows.following(world.user("mira"), kNobody, 9).total == 3);
}

}  // namespace chirp::test::follows_test
