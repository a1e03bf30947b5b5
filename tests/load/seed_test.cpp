// Goal: a made-up world is exact in its counts, the same each time, and looks like a real one.
// Method: worlds of many shapes; measures of the graph and of the hours; two worlds side by side.
#include "core/load/seed.h"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/load/seed_words.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "tests/support/load_world.h"

namespace chirp::load {
namespace {

using test::LoadWorld;

std::vector<SourceEdge> follows_of(SeedWorld& world) {
  std::vector<SourceEdge> edges;
  for (std::uint32_t user = 0; user < world.options().users; ++user) world.add_follows(user, edges);
  return edges;
}

std::vector<SourcePost> posts_of(const SeedWorld& world) {
  std::vector<SourcePost> posts;
  world.each_post([&](SourcePost&& post) { posts.push_back(std::move(post)); });
  return posts;
}

std::set<LoadWorld::Follow> pairs_of(const std::vector<SourceEdge>& edges) {
  std::set<LoadWorld::Follow> pairs;
  for (const SourceEdge& edge : edges) pairs.emplace(edge.follower.value, edge.followee.value);
  return pairs;
}

Counts count_planted(LoadWorld& world, const SeedOptions& options) {
  return plant(options, world.storage, world.directory, world.clock,
               {.made = [](std::uint64_t) {}, .pause = world.pause()});
}

}  // namespace

TEST_CASE("seed: counts are exact, whatever the shape") {
  for (const auto& [users, follows] : {std::pair<std::uint64_t, std::uint64_t>{0, 0},
                                       {1, 0},
                                       {2, 2},
                                       {3, 6},
                                       {3, 1},
                                       {60, 3540},
                                       {100, 0},
                                       {1000, 20'000},
                                       {5000, 7},
                                       {300, 60'000}}) {
    CAPTURE(users);
    CAPTURE(follows);
    SeedWorld world({.users = users, .follows = follows, .posts = users * 3});
    const auto edges = follows_of(world);
    CHECK(edges.size() == follows);
    const auto pairs = pairs_of(edges);
    CHECK(pairs.size() == follows);
    for (const auto& [follower, followee] : pairs) REQUIRE(follower != followee);
    CHECK(posts_of(world).size() == users * 3);
  }
}

TEST_CASE("seed: the same options give the same world, another seed another one") {
  SeedWorld one({});
  SeedWorld same({});
  SeedWorld other({.seed = 2});
  CHECK(follows_of(one) == follows_of(same));
  CHECK(follows_of(one) != follows_of(other));
  const auto posts = posts_of(one);
  const auto same_posts = posts_of(same);
  REQUIRE(posts.size() == same_posts.size());
  for (std::size_t i = 0; i < posts.size(); ++i) {
    REQUIRE(posts[i].text == same_posts[i].text);
    REQUIRE(posts[i].created_at == same_posts[i].created_at);
    REQUIRE(posts[i].author_id == same_posts[i].author_id);
  }
  CHECK(one.user(5).username == same.user(5).username);
}

// What the words and numbers come to must not change between versions: whoever cites a seed means
// the same world for ever.
TEST_CASE("seed: a world stays the one it was") {
  SeedWorld world({});
  std::uint64_t hash = 0;
  for (const SourceEdge& edge : follows_of(world)) {
    hash = mixed(hash ^ edge.follower.value) ^ edge.followee.value;
  }
  for (const SourcePost& post : posts_of(world)) {
    for (const char c : post.text) hash = mixed(hash ^ static_cast<unsigned char>(c));
    hash = mixed(hash ^ static_cast<std::uint64_t>(post.created_at.ms));
  }
  for (std::uint32_t user = 0; user < 1000; ++user) {
    const LoadedUser made = world.user(user);
    for (const char c : made.username.value_or("") + made.bio) {
      hash = mixed(hash ^ static_cast<unsigned char>(c));
    }
  }
  CHECK(hash == 18400390057545920374u);
}

TEST_CASE("seed: the graph looks like a real one") {
  SeedWorld world({.users = 5000, .follows = 100'000, .posts = 0});
  const auto pairs = pairs_of(follows_of(world));
  std::map<std::uint64_t, std::uint64_t> followers;
  std::map<std::uint64_t, std::uint64_t> following;
  std::uint64_t mutual = 0;
  for (const auto& [follower, followee] : pairs) {
    ++followers[followee];
    ++following[follower];
    if (pairs.contains({followee, follower})) ++mutual;
  }
  std::vector<std::uint64_t> by_followers;
  for (const auto& [user, count] : followers) by_followers.push_back(count);
  std::ranges::sort(by_followers, std::greater());
  CHECK(by_followers.front() > 20 * 20);  // the mean is 20
  CHECK(by_followers[by_followers.size() / 2] < 20);
  std::uint64_t most = 0;
  for (const auto& [user, count] : following) most = std::max(most, count);
  CHECK(most > 200);
  CHECK(mutual * 100 > pairs.size() * 15);
  CHECK(mutual * 100 < pairs.size() * 60);
}

TEST_CASE("seed: most follows stay inside communities") {
  SeedGraph graph(5000, 100'000, 1);
  std::uint64_t inside = 0;
  for (std::uint32_t user = 0; user < graph.users(); ++user) {
    const auto home = graph.community(user);
    REQUIRE(user >= home.first);
    REQUIRE(user < home.first + home.size);
    for (const std::uint32_t followee : graph.followees(user)) {
      if (graph.community(followee).ordinal == home.ordinal) ++inside;
    }
  }
  CHECK(inside > 50'000);
  CHECK(inside < 95'000);
}

TEST_CASE("seed: posts rise in time, end before the end, and come in bursts") {
  const SeedOptions options{.users = 500, .follows = 0, .posts = 50'000};
  SeedWorld world(options);
  Time last{0};
  std::map<std::int64_t, std::uint64_t> by_hour;
  std::map<std::uint64_t, std::uint64_t> by_author;
  std::uint64_t tagged = 0;
  std::uint64_t mentions = 0;
  for (const SourcePost& post : posts_of(world)) {
    REQUIRE(post.created_at >= last);
    REQUIRE(post.created_at < options.until);
    last = post.created_at;
    ++by_hour[last.ms / kHourMs];
    ++by_author[post.author_id->value];
    REQUIRE_NOTHROW((void)checked_post_text(post.text));
    if (post.text.find('#') != std::string::npos) ++tagged;
    if (post.text.starts_with('@')) ++mentions;
  }
  std::uint64_t busiest = 0;
  for (const auto& [hour, count] : by_hour) busiest = std::max(busiest, count);
  CHECK(busiest > 4 * 50'000 / by_hour.size());
  std::uint64_t most = 0;
  for (const auto& [author, count] : by_author) most = std::max(most, count);
  CHECK(most > 5 * 100);
  CHECK(tagged > 10'000);
  CHECK(mentions > 3'000);
}

TEST_CASE("seed: usernames are valid and all different") {
  std::set<std::string> names;
  for (std::uint32_t user = 0; user < 50'000; ++user) {
    const std::string name = seed_username(1, user);
    REQUIRE(is_username(name));
    REQUIRE(names.insert(folded(name)).second);
  }
  CHECK(is_username(seed_username(1, kSeedUsersMax - 1)));
  CHECK_NOTHROW((void)checked_display_name(seed_display_name(1, 5)));
}

TEST_CASE("seed: people sign up in order, before anybody posts") {
  SeedWorld world({.users = 1000, .follows = 0, .posts = 100});
  Time last{0};
  for (std::uint32_t user = 0; user < 1000; ++user) {
    const LoadedUser made = world.user(user);
    REQUIRE(made.created_at >= last);
    REQUIRE(made.created_at->ms >= snowflake::kEpochMs);
    last = *made.created_at;
    REQUIRE_NOTHROW((void)checked_bio(made.bio));
  }
  CHECK(last < posts_of(world).front().created_at);
  // A young world fits too.
  SeedWorld young(
      {.users = 10, .follows = 5, .posts = 10, .until = {snowflake::kEpochMs + kDayMs}});
  CHECK(young.user(0).created_at->ms >= snowflake::kEpochMs);
  CHECK(posts_of(young).size() == 10);
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("seed: planted twice it is planted once") {
  const SeedOptions options{.users = 60, .follows = 500, .posts = 300};
  LoadWorld world;
  const Counts first = count_planted(world, options);
  CHECK(first.stored == 860);
  CHECK(first.duplicates == 0);
  CHECK(world.follows().size() == 500);
  CHECK(world.posts().size() == 300);
  const Counts second = count_planted(world, options);
  CHECK(second.stored == 0);
  CHECK(second.duplicates == 860);
  CHECK(world.directory.count() == 60);
  // Follows are as old as the world.
  const auto follow = *world.follows().begin();
  CHECK(reads::follows(*world.storage.snapshot(), world.user(follow.first)->number,
                       world.user(follow.second)->number) == options.until);

  LoadWorld again;
  count_planted(again, options);
  CHECK(again.posts() == world.posts());
  CHECK(again.names() == world.names());
}

TEST_SUITE_END();

TEST_CASE("seed: what can't be is refused") {
  const Time now = LoadWorld::kNow;
  CHECK_NOTHROW(check_seed({}, now));
  for (const SeedOptions& bad :
       {SeedOptions{.users = 2, .follows = 3}, SeedOptions{.users = 0, .follows = 0},
        SeedOptions{.users = kSeedUsersMax + 1}, SeedOptions{.posts = kSeedRowsMax + 1},
        SeedOptions{.until = {now.ms + 1}}, SeedOptions{.until = {snowflake::kEpochMs}}}) {
    CHECK_THROWS_AS(check_seed(bad, now), Error);
  }
}

}  // namespace chirp::load
