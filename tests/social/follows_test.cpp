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

namespace chirp::test {
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
  const auto added = world.follows.add("mira", Names{"tomas", "@Tomas"});
  CHECK(added.changed == 1);
  REQUIRE(added.follows.size() == 2);
  CHECK(added.follows[1].follower == mira.id);
  CHECK(added.follows[1].followee == tomas.id);
  CHECK(added.follows[1].since == first);
  world.clock.advance(kHourMs);
  const auto again = world.follows.add("mira", Names{"tomas"});
  CHECK(again.changed == 0);
  CHECK(again.follows[0].since == first);

  CHECK(world.follows.check("mira", "tomas").following);
  CHECK_FALSE(world.follows.check("mira", "tomas").followed_by);
  CHECK(world.follows.check("tomas", "mira").followed_by);
  CHECK_FALSE(world.follows.check("mira", "mira").following);

  const auto removed = world.follows.remove("mira", Names{"tomas"});
  CHECK(removed.changed == 1);
  CHECK_FALSE(removed.follows[0].since);
  CHECK(world.follows.remove("mira", Names{"tomas"}).changed == 0);
}

TEST_CASE("follows: an unknown name, or oneself, changes nothing") {
  SocialWorld world;
  world.add("mira");
  world.add("tomas");
  const auto version = world.storage.version();
  const Error unknown = error_of([&] { (void)world.follows.add("mira", Names{"tomas", "ghost"}); });
  CHECK(unknown.code() == ErrorCode::kNotFound);
  const Error oneself = error_of([&] { (void)world.follows.add("mira", Names{"tomas", "MIRA"}); });
  CHECK(oneself.code() == ErrorCode::kInvalidArgument);
  CHECK(error_of([&] {
          (void)world.follows.remove("mira", Names{"tomas", "ghost"});
        }).code() == ErrorCode::kNotFound);
  CHECK(world.storage.version() == version);
}

TEST_CASE("follows: pages go by order of arrival, and pass over who is being removed") {
  SocialWorld world;
  world.add("hub");
  std::vector<User> fans;
  for (int i = 0; i < 7; ++i) {
    fans.push_back(world.add("fan" + std::to_string(i)));
    (void)world.follows.add(fans.back().username, Names{"hub"});
    (void)world.follows.add("hub", Names{fans.back().username});
  }
  // Hidden at once; the edges go in steps.
  const Change leaving = MarkRemoved{fans[2].number};
  world.storage.write({&leaving, 1}, world.clock.now());
  const auto first = world.follows.followers("hub", kNobody, 3);
  CHECK(names(first) == Names{"fan0", "fan1", "fan3"});
  REQUIRE(first.next_cursor);
  const auto second = world.follows.followers("hub", *first.next_cursor, 3);
  CHECK(names(second) == Names{"fan4", "fan5", "fan6"});
  CHECK_FALSE(second.next_cursor);
  CHECK(names(world.follows.following("hub", fans[4].number, 50)) == Names{"fan5", "fan6"});
  CHECK(world.follows.following("fan0", kNobody, 50).total == 1);
  CHECK(error_of([&] { (void)world.follows.followers("hub", kNobody, 0); }).field() == "limit");
  CHECK(error_of([&] {
          (void)world.follows.followers("hub", kNobody, limits::kUserPageMax + 1);
        }).field() == "limit");
}

TEST_CASE("follows: a page that ends with somebody removed does not promise more") {
  SocialWorld world;
  world.add("hub");
  std::vector<User> fans;
  for (int i = 0; i < 3; ++i) {
    fans.push_back(world.add("fan" + std::to_string(i)));
    (void)world.follows.add(fans.back().username, Names{"hub"});
  }
  const Change leaving = MarkRemoved{fans[2].number};
  world.storage.write({&leaving, 1}, world.clock.now());
  const auto page = world.follows.followers("hub", kNobody, 2);
  CHECK(names(page) == Names{"fan0", "fan1"});
  CHECK_FALSE(page.next_cursor);
}

TEST_CASE("follows: the operator may set how many, and what is there already is no more") {
  SocialWorld world;
  for (const char* name : {"mira", "ann", "ben", "cat"}) world.add(name);
  world.follows.add("mira", Names{"ann"});
  settings::set(world.storage, "follow.max", "2", world.clock.now());
  const auto follow = [&](const Names& names) { world.follows.add("mira", names); };
  CHECK_THROWS_AS(follow({"ben", "cat"}), social::LimitExceeded);
  CHECK(world.follows.following("mira", kNobody, 9).total == 1);
  follow({"ben"});
  const Error error = error_of([&] { follow({"cat"}); });
  CHECK(error.code() == ErrorCode::kForbidden);
  CHECK(error.field() == "follow.max");
  follow({"ann", "ben"});  // as it is
  world.follows.remove("mira", Names{"ann"});
  follow({"cat"});
  settings::set(world.storage, "follow.max", "1", world.clock.now());
  follow({"cat"});
  CHECK_THROWS_AS(follow({"ann"}), social::LimitExceeded);
  settings::set(world.storage, "follow.max", "0", world.clock.now());
  follow({"ann"});
  CHECK(world.follows.following("mira", kNobody, 9).total == 3);
}

}  // namespace chirp::test
