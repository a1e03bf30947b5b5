// Goal: in a world that is alive people answer, repost and react, in the last days most of all, so
// that there are trends and counts; all of it is said before the end, and feeds are right.
// Method: the world itself, looked over; the same planted into a store, planted again later, and
// its feeds held against the naive oracle.
#include "core/load/seed_life.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/limits.h"
#include "core/load/seed.h"
#include "core/load/seed_words.h"
#include "core/model/entities.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/trends.h"
#include "tests/support/content_breaches.h"
#include "tests/support/feed_simulation.h"
#include "tests/support/load_world.h"
#include "tests/support/naive_feed.h"

namespace chirp::load::seed_life_test {
namespace {

using test::LoadWorld;

constexpr std::uint32_t kMany = 1'000'000;

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

using Told = std::pair<SourceId, std::string>;

std::vector<Told> told(const std::vector<SourcePost>& posts) {
  std::vector<Told> all;
  for (const SourcePost& post : posts) all.emplace_back(post.id, post.text);
  return all;
}

struct Planted {
  Counts counts;
  std::uint64_t made = 0;
};

Planted plant_into(LoadWorld& world, const SeedOptions& options) {
  Planted planted;
  planted.counts =
      plant(options, world.storage, world.directory, world.clock,
            {.made = [&](std::uint64_t rows) { planted.made += rows; }, .pause = world.pause()});
  return planted;
}

auto comments_of(const Snapshot& snapshot) {
  return reads::above<tables::Comments>(snapshot, {kNoComment}, kMany);
}
auto reactions_of(const Snapshot& snapshot) {
  return reads::above<tables::Reactions>(snapshot, {ContentId{}, kNobody}, kMany);
}
auto follows_of(const Snapshot& snapshot) { return test::world_of(snapshot).follows; }

// Reads the feed from its newest page to its end.
void compare_feed(const Snapshot& snapshot, const test::World& world, UserNumber viewer,
                  const Clock& clock, std::optional<feed::Policy> as_if) {
  const std::vector<Entry> feed = test::naive_feed(world, viewer);
  feed::PageRequest request;
  request.viewer = viewer;
  request.limit = limits::kPostPageMax;
  request.as_if = as_if;
  for (bool more = true; more;) {
    const feed::Page page = feed::home_feed(snapshot, request, clock);
    test::compare_page(page, request, world, feed);
    more = page.has_more;
    request.before = page.next_cursor;
  }
}

void compare_feeds(const LoadWorld& world) {
  const auto snapshot = world.storage.snapshot();
  const test::World stored = test::world_of(*snapshot);
  for (const UserNumber viewer : stored.users) {
    compare_feed(*snapshot, stored, viewer, world.clock, std::nullopt);
    compare_feed(*snapshot, stored, viewer, world.clock, feed::Policy::kPull);
  }
}

}  // namespace

TEST_CASE("seed, alive: the same options give the same life, another seed another one") {
  const Made one = made_by(lively(300, 3000));
  const Made same = made_by(lively(300, 3000));
  CHECK(told(one.posts) == told(same.posts));
  CHECK(told(one.answers) == told(same.answers));
  CHECK(one.reactions == same.reactions);
  SeedOptions other = lively(300, 3000);
  other.seed = 2;
  CHECK(made_by(other).reactions != one.reactions);
}

TEST_CASE("seed, alive: a world that ends later has the same answers and reactions") {
  const SeedOptions options = lively(300, 3000);
  SeedOptions later = options;
  later.until.ms += 30 * kHourMs + 1;
  const Made one = made_by(options);
  const Made other = made_by(later);
  REQUIRE(one.answers.size() == other.answers.size());
  for (std::size_t i = 0; i < one.answers.size(); ++i) {
    REQUIRE(one.answers[i].id == other.answers[i].id);
    REQUIRE(one.answers[i].author_id == other.answers[i].author_id);
    REQUIRE(one.answers[i].repost_of == other.answers[i].repost_of);
    REQUIRE(one.answers[i].reply_to == other.answers[i].reply_to);
  }
  REQUIRE(one.reactions.size() == other.reactions.size());
  for (std::size_t i = 0; i < one.reactions.size(); ++i) {
    REQUIRE(one.reactions[i].post == other.reactions[i].post);
    REQUIRE(one.reactions[i].user == other.reactions[i].user);
    REQUIRE(one.reactions[i].type == other.reactions[i].type);
  }
}

TEST_CASE("seed, alive: without `alive` all posts are plain, and differ") {
  SeedOptions options = lively(300, 3000);
  const Made alive = made_by(options);
  options.alive = false;
  const SeedWorld quiet(options);
  CHECK(rows_of(options) == options.users + options.follows + options.posts);
  std::set<SourceId> ids;
  quiet.each_post([&](SourcePost&& post) {
    REQUIRE(post.privacy == Privacy::kPublic);
    REQUIRE_FALSE(post.reply_to);
    REQUIRE_FALSE(post.repost_of);
    // Ids of before there was life.
    REQUIRE(post.id.value == quiet.user_source(0).value + ids.size());
    ids.insert(post.id);
  });
  CHECK(ids.size() == options.posts);
  for (const SourcePost& post : alive.posts) REQUIRE_FALSE(ids.contains(post.id));
  for (const SourcePost& answer : alive.answers) REQUIRE_FALSE(ids.contains(answer.id));
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
  std::size_t mentions = 0;
  std::set<std::string> texts;
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
      if (said.at(about)->reply_to) ++replies;
      if (answer.text.starts_with('@')) ++mentions;
      texts.insert(answer.text);
      REQUIRE_NOTHROW((void)checked_post_text(answer.text));
    }
  }
  CHECK(comments > 100);
  CHECK(replies > 10);
  CHECK(mentions > 10);
  CHECK(texts.size() * 2 > comments);
  CHECK(reposts.size() > 100);
  std::set<std::pair<SourceId, SourceId>> reacted;
  std::set<ReactionType> types;
  for (const SeedReaction& reaction : made.reactions) {
    REQUIRE(reacted.emplace(reaction.post, reaction.user).second);
    REQUIRE_FALSE(narrow.contains(reaction.post));
    REQUIRE(reaction.since >= said.at(reaction.post)->created_at);
    REQUIRE(reaction.since < options.until);
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
  std::map<SourceId, std::uint64_t> followers;
  std::set<std::pair<SourceId, SourceId>> pairs;
  for (const SourceEdge& edge : edges) {
    REQUIRE(pairs.emplace(edge.follower, edge.followee).second);
    ++followers[edge.followee];
  }
  CHECK(followers[celebrity] > 550);
  for (const auto& [user, count] : followers) {
    REQUIRE((user == celebrity || count < followers.at(celebrity)));
  }
  const Made made = made_by(options);
  CHECK(made.posts.size() == 5000);
  const Time last_days{options.until.ms - 2 * kDayMs};
  std::size_t recent = 0;
  std::size_t by_celebrity = 0;
  std::size_t tagged = 0;
  for (const SourcePost& post : made.posts) {
    if (post.created_at >= last_days) ++recent;
    if (post.author_id == celebrity) ++by_celebrity;
    if (!tags_in(post.text).empty()) ++tagged;
  }
  CHECK(recent > 5000 / 90 * 2 * 4);
  CHECK(by_celebrity > 5000 / 40);
  CHECK(tagged > 5000 / 4);
  // One post of theirs comes to more reactions than one of anybody else's.
  std::map<SourceId, std::uint64_t> reactions;
  for (const SeedReaction& reaction : made.reactions) ++reactions[reaction.post];
  std::uint64_t most = 0;
  std::uint64_t most_of_others = 0;
  for (const SourcePost& post : made.posts) {
    const bool theirs = post.author_id == celebrity;
    std::uint64_t& of = theirs ? most : most_of_others;
    of = std::max(of, reactions[post.id]);
  }
  CHECK(most > most_of_others * 2);
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

TEST_CASE("seed, alive: comments take up what they answer, and news have the hashtag they are of") {
  std::set<std::string> comments;
  for (std::uint64_t i = 0; i < 200; ++i) {
    SeedRandom random(1, 2, i);
    comments.insert(seed_comment("My pear tree again. #garden", "mira", random));
  }
  const auto holds = [&](const std::string& words) {
    return std::ranges::any_of(comments, [&](const std::string& comment) {
      return comment.find(words) != std::string::npos;
    });
  };
  CHECK(comments.size() > 50);
  CHECK(holds("your pear tree"));
  CHECK_FALSE(holds("my pear tree"));
  CHECK(holds("@mira "));
  CHECK(holds("slugs"));
  CHECK_FALSE(holds("the new chain"));
  SeedRandom random(1, 2, 3);
  CHECK_FALSE(seed_comment("Nothing of the kind", "mira", random).empty());
  for (std::uint64_t tag = 0; tag < 100; ++tag) {
    const std::string news = seed_news(tag, random);
    CHECK(tags_in(news).size() == 1);
    CHECK_NOTHROW((void)checked_post_text(news));
  }
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("seed, alive: planted it has trends and counts, and planted again later it is the same") {
  const SeedOptions options = lively(120, 800);
  LoadWorld world;
  const Planted planted = plant_into(world, options);
  CHECK(planted.made == rows_of(options));
  CHECK(planted.counts.stored == planted.made);
  CHECK(planted.counts.duplicates == 0);
  CHECK(planted.counts.reposts > 20);
  CHECK(planted.counts.comments > 20);
  CHECK(planted.counts.reactions > 200);
  const auto snapshot = world.storage.snapshot();
  CHECK(social::trends_in(*snapshot, {}, options.until).trends.size() > 2);
  auto rows = snapshot->table_rows();
  CHECK(rows["reposts"] == planted.counts.reposts);
  CHECK(rows["comments"] == planted.counts.comments);
  CHECK(rows["reactions"] == planted.counts.reactions);
  CHECK(test::content_breaches(*snapshot).empty());
  std::size_t narrow = 0;
  for (const Post& post : world.posts()) {
    if (post.privacy == Privacy::kFollowers) ++narrow;
    REQUIRE(post.created_at < options.until);
  }
  CHECK(narrow > 20);
  for (const auto& [key, comment] : comments_of(*snapshot)) {
    REQUIRE(comment.created_at < options.until);
    REQUIRE(comment.created_at >= snapshot->post(comment.post)->created_at);
  }
  for (const auto& [key, reaction] : reactions_of(*snapshot)) {
    REQUIRE(reaction.since < options.until);
  }

  SeedOptions later = options;
  later.until.ms += 3 * kHourMs;
  world.clock.set(later.until);
  const Planted again = plant_into(world, later);
  CHECK(again.counts.stored == 0);
  CHECK(again.counts.duplicates == planted.made);
}

TEST_CASE("seed, alive: the same seed and clock make the same rows in another directory") {
  const SeedOptions options = lively(60, 400);
  LoadWorld one;
  LoadWorld other;
  plant_into(one, options);
  plant_into(other, options);
  const auto left = one.storage.snapshot();
  const auto right = other.storage.snapshot();
  CHECK(one.names() == other.names());
  CHECK(one.posts() == other.posts());
  CHECK(follows_of(*left) == follows_of(*right));
  CHECK(comments_of(*left) == comments_of(*right));
  CHECK(reactions_of(*left) == reactions_of(*right));
}

TEST_CASE("seed, alive: a quiet world comes alive with the same people") {
  SeedOptions options = lively(60, 400);
  options.alive = false;
  LoadWorld world;
  plant_into(world, options);
  CHECK(comments_of(*world.storage.snapshot()).empty());
  CHECK(reactions_of(*world.storage.snapshot()).empty());
  options.alive = true;
  const Planted alive = plant_into(world, options);
  CHECK(alive.counts.users_added == 0);
  CHECK(alive.counts.duplicates == options.users + options.follows);
  CHECK(world.posts().size() == 2 * options.posts + alive.counts.reposts);
}

TEST_CASE("seed, alive: every feed equals its definition, before timelines and with them") {
  LoadWorld world;
  plant_into(world, lively(40, 600));
  compare_feeds(world);
  events::drain(world.storage, world.clock);
  const auto snapshot = world.storage.snapshot();
  for (const UserNumber viewer : test::world_of(*snapshot).users) {
    if (const auto built = feed::build_timeline(*snapshot, viewer, world.clock)) {
      rules::store(world.storage, *built, Replace::kAlways, world.clock.now());
    }
  }
  compare_feeds(world);
}

TEST_SUITE_END();

}  // namespace chirp::load::seed_life_test
