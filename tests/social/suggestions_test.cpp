// Goal: who is suggested is whom friends follow most, then who is followed most, and never somebody
// whom the reader follows, has blocked or muted, or who is gone.
// Method: the use cases over the stores in memory; random worlds against the order written out over
// sets, and the rules one by one.
#include "core/social/suggestions.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "tests/support/social_world.h"
#include "tests/support/thrown.h"

namespace chirp::test::suggestions_test {
namespace {

using Names = std::vector<std::string>;

Names suggested(const SocialWorld& world, const std::string& reader,
                std::uint32_t limit = limits::kSuggestionsMax) {
  Names names;
  for (const social::Suggestion& one : world.follows.suggestions(world.user(reader), limit)) {
    names.push_back(one.user.username);
  }
  return names;
}

void follow(SocialWorld& world, const std::string& who, const Names& whom) {
  (void)world.follows.add(world.user(who), world.users(whom));
}

}  // namespace

TEST_CASE("suggestions: friends of friends first, each with who follows them and how many do") {
  SocialWorld world;
  for (const char* const name : {"mira", "tomas", "yuki", "leila", "nell", "gus", "odile"}) {
    world.add(name);
  }
  follow(world, "mira", {"tomas", "yuki"});
  follow(world, "tomas", {"leila", "nell", "yuki"});
  follow(world, "yuki", {"nell", "mira"});
  follow(world, "gus", {"odile"});
  follow(world, "leila", {"odile"});
  CHECK(suggested(world, "mira") == Names{"nell", "leila", "odile", "gus"});
  const auto best = world.follows.suggestions(world.user("mira"), 1);
  REQUIRE(best.size() == 1);
  CHECK(best[0].followers == 2);
  CHECK(best[0].friends == 2);
  REQUIRE(best[0].through.size() == 2);
  CHECK(best[0].through[0].username == "tomas");
  // A user without followees sees the most followed users.
  CHECK(suggested(world, "odile") == Names{"yuki", "nell", "mira", "tomas", "leila", "gus"});
}

TEST_CASE("suggestions: nobody who is followed, blocked, blocking, muted, suspended or gone") {
  SocialWorld world;
  for (const char* const name :
       {"mira", "tomas", "yuki", "leila", "nell", "gus", "odile", "farid"}) {
    world.add(name);
  }
  follow(world, "mira", {"tomas"});
  follow(world, "tomas", {"yuki", "leila", "nell", "gus", "odile"});
  const User mira = world.user("mira");
  CHECK(world.relations.set(mira, Relation::kMute, world.user("yuki")));
  CHECK(world.relations.set(mira, Relation::kBlock, world.user("leila")));
  CHECK(world.relations.set(world.user("nell"), Relation::kBlock, mira));
  world.accounts.remove(world.user("gus"));
  const User odile = world.user("odile");
  (void)world.accounts.suspend(odile);
  CHECK(suggested(world, "mira") == Names{"farid"});
  (void)world.accounts.unsuspend(odile);
  CHECK(suggested(world, "mira") == Names{"odile", "farid"});
}

TEST_CASE("suggestions: a limit out of range is refused, and friends are named up to a bound") {
  SocialWorld world;
  world.add("mira");
  world.add("star");
  Names friends;
  for (std::size_t i = 0; i < limits::kSuggestedThrough + 2; ++i) {
    friends.push_back(fmt::format("friend{}", i));
    world.add(friends.back());
    follow(world, friends.back(), {"star"});
  }
  follow(world, "mira", friends);
  const auto best = world.follows.suggestions(world.user("mira"), 1);
  REQUIRE(best.size() == 1);
  CHECK(best[0].through.size() == limits::kSuggestedThrough);
  CHECK(best[0].friends == friends.size());
  CHECK(code_of([&] { suggested(world, "mira", 0); }) == ErrorCode::kInvalidArgument);
  CHECK(code_of([&] { suggested(world, "mira", limits::kSuggestionsMax + 1); }) ==
        ErrorCode::kInvalidArgument);
}

TEST_CASE("suggestions: in random worlds the order is that of the definition") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    SocialWorld world;
    constexpr int kPeople = 12;
    std::map<std::string, std::set<std::string>> following;
    Names names;
    for (int i = 0; i < kPeople; ++i) {
      names.push_back(fmt::format("user{:02}", i));
      world.add(names.back());
    }
    for (const std::string& who : names) {
      for (const std::string& whom : names) {
        if (who == whom || random() % 4 != 0) continue;
        following[who].insert(whom);
        follow(world, who, {whom});
      }
    }
    const std::string& reader = names[random() % kPeople];
    std::vector<std::tuple<int, int, std::string>> expected;  // the best has the smallest
    for (const std::string& name : names) {
      if (name == reader || following[reader].contains(name)) continue;
      int friends = 0;
      int followers = 0;
      for (const std::string& other : names) {
        if (!following[other].contains(name)) continue;
        ++followers;
        if (following[reader].contains(other)) ++friends;
      }
      expected.emplace_back(-friends, -followers, name);  // names are in the order of sign-up
    }
    std::sort(expected.begin(), expected.end());
    Names order;
    for (const auto& [friends, followers, name] : expected) order.push_back(name);
    CHECK(suggested(world, reader) == order);
  }
}

}  // namespace chirp::test::suggestions_test
