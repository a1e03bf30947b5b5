// Goal: blocking and muting are idempotent, show the relation between two users, and prevent
// following.
// Method: the use cases over the stores in memory.
#include "core/social/relations.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/support/social_world.h"
#include "tests/support/thrown.h"

namespace chirp::test::relations_test {
namespace {

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("relations: what is set or lifted a second time changes nothing") {
  SocialWorld world;
  world.add("mira");
  world.add("tomas");
  for (const Relation relation : {Relation::kBlock, Relation::kMute}) {
    CHECK_FALSE(world.relations.lift(world.user("mira"), relation, world.user("tomas")));
    CHECK(world.relations.set(world.user("@Mira"), relation, world.user("tomas")));
    CHECK_FALSE(world.relations.set(world.user("mira"), relation, world.user("tomas")));
    CHECK(world.relations.lift(world.user("mira"), relation, world.user("tomas")));
  }
  const auto version = world.storage.version();
  CHECK(code_of([&] {
          world.relations.set(world.user("mira"), Relation::kBlock, world.user("Mira"));
        }) == ErrorCode::kInvalidArgument);
  CHECK(code_of([&] {
          world.relations.set(world.user("mira"), Relation::kMute, world.user("nobody"));
        }) == ErrorCode::kNotFound);
  CHECK(world.storage.version() == version);
}

TEST_CASE("relations: a block ends follows, shows from both sides, and keeps new follows away") {
  SocialWorld world;
  for (const char* name : {"mira", "tomas", "yuki"}) world.add(name);
  world.follows.add(world.user("tomas"), world.users({"mira"}));
  world.follows.add(world.user("mira"), world.users({"tomas"}));
  world.relations.set(world.user("mira"), Relation::kBlock, world.user("tomas"));
  const social::Relationship here = world.follows.check(world.user("mira"), world.user("tomas"));
  CHECK(here.blocking);
  CHECK_FALSE(here.blocked_by);
  CHECK_FALSE(here.following);
  CHECK_FALSE(here.followed_by);
  const social::Relationship there = world.follows.check(world.user("tomas"), world.user("mira"));
  CHECK(there.blocked_by);
  CHECK_FALSE(there.blocking);
  CHECK(code_of([&] {
          world.follows.add(world.user("tomas"), world.users({"yuki", "mira"}));
        }) == ErrorCode::kForbidden);
  CHECK(code_of([&] { world.follows.add(world.user("mira"), world.users({"tomas"})); }) ==
        ErrorCode::kForbidden);
  CHECK_FALSE(
      world.follows.check(world.user("tomas"), world.user("yuki")).following);  // all or none
  world.relations.lift(world.user("mira"), Relation::kBlock, world.user("tomas"));
  CHECK_FALSE(world.follows.check(world.user("tomas"), world.user("mira")).following);
  CHECK(world.follows.add(world.user("tomas"), world.users({"mira"})).changed == 1);
}

TEST_CASE("relations: reposts of a followee are switched off and on, and a mute is shown") {
  SocialWorld world;
  world.add("mira");
  world.add("yuki");
  CHECK(world.follows.add(world.user("yuki"), world.users({"mira"}), Reposts::kOff).changed == 1);
  CHECK_FALSE(world.follows.check(world.user("yuki"), world.user("mira")).showing_reposts);
  CHECK(world.follows.add(world.user("yuki"), world.users({"mira"})).changed == 0);
  CHECK_FALSE(world.follows.check(world.user("yuki"), world.user("mira")).showing_reposts);
  CHECK(world.follows.add(world.user("yuki"), world.users({"mira"}), Reposts::kOn).changed == 1);
  CHECK(world.follows.check(world.user("yuki"), world.user("mira")).showing_reposts);
  CHECK_FALSE(world.follows.check(world.user("mira"), world.user("yuki")).showing_reposts);
  world.relations.set(world.user("yuki"), Relation::kMute, world.user("mira"));
  CHECK(world.follows.check(world.user("yuki"), world.user("mira")).muting);
  CHECK_FALSE(world.follows.check(world.user("mira"), world.user("yuki")).muting);
}

TEST_CASE("relations: blocked and muted users are listed in pages, only to who blocks or mutes") {
  SocialWorld world;
  world.add("mira");
  for (const char* name : {"ann", "ben", "cat", "dan"}) world.add(name);
  for (const char* name : {"dan", "ann", "cat", "ben"}) {
    world.relations.set(world.user("mira"), Relation::kBlock, world.user(name));
  }
  world.relations.set(world.user("mira"), Relation::kMute, world.user("ben"));
  world.follows.add(world.user("ann"), world.users({"dan"}));
  world.accounts.remove(world.user("ben"));
  const auto list = [&](Relation relation, UserNumber after, std::uint32_t limit) {
    return world.relations.list(world.user("mira"), relation, after, limit);
  };
  const auto first = list(Relation::kBlock, kNobody, 2);
  REQUIRE(first.users.size() == 2);
  CHECK(first.users[0].user.username == "ann");
  CHECK(first.users[0].counters.following == 1);
  CHECK(first.users[1].user.username == "cat");
  REQUIRE(first.next_cursor);
  const auto second = list(Relation::kBlock, *first.next_cursor, 2);
  REQUIRE(second.users.size() == 1);
  CHECK(second.users[0].user.username == "dan");
  CHECK_FALSE(second.next_cursor);
  CHECK(list(Relation::kMute, kNobody, 50).users.empty());
  CHECK(world.relations.list(world.user("ann"), Relation::kBlock, kNobody, 50).users.empty());
  CHECK(code_of([&] { (void)list(Relation::kBlock, kNobody, 0); }) == ErrorCode::kInvalidArgument);
  CHECK(code_of([&] { (void)list(Relation::kBlock, kNobody, limits::kUserPageMax + 1); }) ==
        ErrorCode::kInvalidArgument);
}

}  // namespace chirp::test::relations_test
