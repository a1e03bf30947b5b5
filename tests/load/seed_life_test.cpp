// Goal: in a world that is alive people answer, repost and react, in the last days most of all, so
// that there are trends and counts; without life a world is the one it was.
// Method: the world itself, looked over; the same planted into a store, and planted again.
#include "core/load/seed_life.h"

#include <algorithm>
#include <map>
#include <set>

#include <doctest/doctest.h>

#include "core/limits.h"
#include "core/load/seed.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "core/social/trends.h"
#include "tests/support/load_world.h"

namespace chirp::load {
namespace {

using test::LoadWorld;

SeedOptions lively(std::uint64_t users, std::uint64_t posts) {
  return {.users = users,
          .follows = users * 8,
          .posts = posts,
          .until = LoadWorld::kNow,
          .alive = true};
}

struct Made {
  std::vector<SourcePost> posts;
  std::vector<SourcePost> answers;
  std::vector<SeedReaction> reactions;
};

Made made_by(const SeedOptions& options) {
  const SeedWorld world(options);
  const SeedLife life(world);
  Made made;
  world.each_post([&](SourcePost&& post) {
    life.each_answer(post, [&](SourcePost&& answer) { made.answers.push_back(std::move(answer)); });
    life.add_reactions(post, made.reactions);
    made.posts.push_back(std::move(post));
  });
  return made;
}

std::uint64_t planted(LoadWorld& world, const SeedOptions& options, std::uint64_t& made) {
  return plant(options, world.storage, world.directory, world.clock,
               {.made = [&](std::uint64_t rows) { made += rows; }, .pause = world.pause()})
      .stored;
}

}  // namespace

TEST_CASE("seed, alive: the same options give the same life, another seed another one") {
  const Made one = made_by(lively(300, 3000));
  const Made same = made_by(lively(300, 3000));
  REQUIRE(one.answers.size() == same.answers.size());
  for (std::size_t i = 0; i < one.answers.size(); ++i) {
    REQUIRE(one.answers[i].text == same.answers[i].text);
    REQUIRE(one.answers[i].id == same.answers[i].id);
    REQUIRE(one.answers[i].created_at == same.answers[i].created_at);
  }
  CHECK(one.reactions == same.reactions);
  SeedOptions other = lively(300, 3000);
  other.seed = 2;
  CHECK(made_by(other).reactions != one.reactions);
}

TEST_CASE("seed, alive: answers come after what they are about, to what everybody may see") {
  const SeedOptions options = lively(300, 3000);
  const Made made = made_by(options);
  std::map<SourceId, const SourcePost*> said;
  std::set<SourceId> narrow;
  for (const SourcePost& post : made.posts) {
    REQUIRE(post.created_at < options.until);
    REQUIRE(said.emplace(post.id, &post).second);
    if (post.privacy != Privacy::kPublic) narrow.insert(post.id);
  }
  CHECK(narrow.size() > 100);
  std::size_t comments = 0;
  std::size_t replies = 0;
  std::set<std::pair<SourceId, SourceId>> reposts;
  for (const SourcePost& answer : made.answers) {
    REQUIRE(said.emplace(answer.id, &answer).second);
    const SourceId about = answer.repost_of ? *answer.repost_of : *answer.reply_to;
    REQUIRE(said.contains(about));
    REQUIRE_FALSE(narrow.contains(about));
    REQUIRE(answer.created_at >= said.at(about)->created_at);
    REQUIRE(answer.created_at < options.until);
    if (answer.repost_of) {
      REQUIRE(reposts.emplace(about, *answer.author_id).second);
      REQUIRE(answer.author_id != said.at(about)->author_id);
    } else {
      ++comments;
      replies += said.at(about)->reply_to ? 1 : 0;
      REQUIRE_NOTHROW((void)checked_post_text(answer.text));
    }
  }
  CHECK(comments > 100);
  CHECK(replies > 10);
  CHECK(reposts.size() > 100);
  std::set<std::pair<SourceId, SourceId>> reacted;
  std::set<ReactionType> types;
  for (const SeedReaction& reaction : made.reactions) {
    REQUIRE(reacted.emplace(reaction.post, reaction.user).second);
    REQUIRE_FALSE(narrow.contains(reaction.post));
    types.insert(reaction.type);
  }
  CHECK(reacted.size() > 1000);
  CHECK(types.size() == kReactionTypes);
}

TEST_CASE("seed, alive: most follow the celebrity, and the last days have most of the posts") {
  const SeedOptions options = lively(1000, 5000);
  SeedWorld world(options);
  std::vector<SourceEdge> edges;
  for (std::uint32_t user = 0; user < 1000; ++user) world.add_follows(user, edges);
  const SourceId celebrity = world.user_source(world.celebrity());
  CHECK(std::ranges::count(edges, celebrity, &SourceEdge::followee) > 550);
  std::set<std::pair<SourceId, SourceId>> pairs;
  for (const SourceEdge& edge : edges) pairs.emplace(edge.follower, edge.followee);
  CHECK(pairs.size() == edges.size());
  const Made made = made_by(options);
  CHECK(made.posts.size() == 5000);
  const Time last_week{options.until.ms - 7 * kDayMs};
  const auto recent = std::ranges::count_if(
      made.posts, [&](const SourcePost& post) { return post.created_at > last_week; });
  CHECK(recent > 5000 / 90 * 7 * 2);
}

TEST_CASE("seed, alive: nobody, and nobody but one, have no life") {
  for (const std::uint64_t users : {0u, 1u}) {
    CAPTURE(users);
    SeedOptions options = lively(users, users * 50);
    options.follows = 0;
    const Made made = made_by(options);
    CHECK(made.answers.empty());
    CHECK(made.reactions.empty());
    CHECK(rows_of(options) == users * 51);
  }
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("seed, alive: planted it has trends and counts, and planted twice it is planted once") {
  const SeedOptions options = lively(120, 800);
  LoadWorld world;
  std::uint64_t made = 0;
  const std::uint64_t stored = planted(world, options, made);
  CHECK(made == rows_of(options));
  CHECK(stored == made);
  const auto snapshot = world.storage.snapshot();
  CHECK_FALSE(social::trends_in(*snapshot, {}, options.until).trends.empty());
  auto rows = snapshot->table_rows();
  for (const char* table : {"reactions", "comments", "reposts"}) {
    CHECK_MESSAGE(rows[table] > 20, table);
  }
  std::size_t narrow = 0;
  for (const Post& post :
       reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, ~std::uint32_t{0})) {
    narrow += post.privacy == Privacy::kFollowers ? 1 : 0;
  }
  CHECK(narrow > 20);
  std::uint64_t again = 0;
  CHECK(planted(world, options, again) == 0);
  CHECK(again == made);
}

TEST_SUITE_END();

}  // namespace chirp::load
