// Goal: trends are the hashtags of public posts by several authors, newer ones first, and a
// reader's memory is bounded. Method: small worlds by hand, and random ones whose list is computed
// again from the posts alone.
#include "core/social/trends.h"

#include <cmath>
#include <map>
#include <random>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/limits.h"
#include "core/model/entities.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/settings.h"
#include "tests/support/seeds.h"
#include "tests/support/small_world.h"

namespace chirp::test::trends_test {
namespace {

using social::Trend;
using social::TrendQuery;

void take_in(SmallWorld& world) {
  events::TrendConsumer consumer(world.storage, world.clock);
  while (consumer.step() == events::Progress::kMoved) continue;
}

PostId say(SmallWorld& world, std::uint32_t author, const std::string& text,
           Privacy privacy = Privacy::kPublic) {
  return world.write(Publish{UserNumber{author}, text, privacy}).post;
}

std::vector<Trend> trends(const SmallWorld& world, const TrendQuery& query = {}) {
  return social::trends_in(*world.storage.snapshot(), query, world.clock.now()).trends;
}

// From the definition, out of all posts there are.
std::vector<Trend> expected(const SmallWorld& world, const TrendQuery& query) {
  const auto snapshot = world.storage.snapshot();
  const Time now = world.clock.now();
  std::map<std::string, std::map<UserNumber, std::int64_t>> ages;
  std::map<std::string, std::uint64_t> posts;
  for (const Post& post :
       reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, 1'000'000)) {
    const std::int64_t age = now.ms - snowflake::time_of(post.id.value).ms;
    if (post.privacy != Privacy::kPublic || age > query.window_ms) continue;
    if (!snapshot->post(post.id)) continue;  // its author is on the way out
    for (const std::string& tag : tags_in(post.text)) {
      ++posts[tag];
      auto [at, fresh] = ages[tag].emplace(post.author, age);
      at->second = std::min(at->second, age);
    }
  }
  std::vector<Trend> list;
  for (const auto& [tag, authors] : ages) {
    if (authors.size() < 2) continue;
    Trend trend{tag, posts[tag], 0};
    for (const auto& [author, age] : authors) {
      trend.score += std::pow(2.0, -static_cast<double>(std::max<std::int64_t>(age, 0)) /
                                       static_cast<double>(query.half_life_ms));
    }
    list.push_back(trend);
  }
  return list;
}

}  // namespace

TEST_CASE("trends: one author alone makes none, however often") {
  SmallWorld world(3);
  for (int i = 0; i < 9; ++i) say(world, 1, "#frost");
  take_in(world);
  CHECK(trends(world).empty());
  say(world, 2, "more #Frost, #frost");
  take_in(world);
  CHECK(trends(world) == std::vector<Trend>{{"frost", 10, 2.0}});
}

TEST_CASE("trends: the newest use of each author counts, by half after a half-life") {
  SmallWorld world(3);
  say(world, 1, "#frost");
  say(world, 2, "#frost #sun");
  world.clock.advance(6 * kHourMs);
  say(world, 2, "#frost");
  say(world, 3, "#sun");
  take_in(world);
  CHECK(trends(world) == std::vector<Trend>{{"frost", 3, 1.5}, {"sun", 2, 1.5}});
  TrendQuery query;
  query.half_life_ms = 3 * kHourMs;
  CHECK(trends(world, query).front().score == doctest::Approx(1.25));
  query.window_ms = 5 * kHourMs;
  CHECK(trends(world, query).empty());
  query = {};
  query.limit = 1;
  CHECK(trends(world, query).size() == 1);
}

TEST_CASE("trends: what is hidden, removed or by removed users does not count") {
  SmallWorld world(4);
  say(world, 1, "#frost");
  say(world, 2, "#frost", Privacy::kFollowers);
  const PostId gone = say(world, 3, "#frost");
  say(world, 4, "#frost");
  take_in(world);
  CHECK(trends(world).front().posts == 3);
  world.remove(gone);
  CHECK(trends(world).front().posts == 2);
  world.leave(4);
  CHECK(trends(world).empty());
}

TEST_CASE("trends: a reader remembers so many tags by author, the newest") {
  SmallWorld world(3);
  say(world, 1, "#old");
  say(world, 2, "#old");
  say(world, 1, "#new");
  say(world, 2, "#new");
  take_in(world);
  CHECK(trends(world).size() == 2);
  TrendQuery query;
  query.pairs = 2;
  CHECK(trends(world, query) == std::vector<Trend>{{"new", 2, 2.0}});
}

TEST_CASE("trends: a reader looks at a limited number of uses of tags, whoever made them") {
  SmallWorld world(2);
  say(world, 1, "#old");
  say(world, 2, "#old");
  for (int i = 0; i < 5; ++i) say(world, 1, "#new");
  say(world, 2, "#new");
  take_in(world);
  CHECK(trends(world).size() == 2);
  TrendQuery query;
  query.uses = 6;
  CHECK(trends(world, query) == std::vector<Trend>{{"new", 6, 2.0}});
  query.uses = 3;
  CHECK(trends(world, query) == std::vector<Trend>{{"new", 3, 2.0}});
  query.uses = 0;
  CHECK(trends(world, query).empty());
}

TEST_CASE("trends: hashtags older than a week are dropped by the consumer") {
  SmallWorld world(2);
  say(world, 1, "#frost");
  take_in(world);
  world.clock.advance(kTagsKeptMs - kHourMs);
  say(world, 2, "a week later");
  world.clock.advance(kHourMs);
  say(world, 2, "and the clock stops");
  take_in(world);
  CHECK(reads::oldest_tagged_post(*world.storage.snapshot()));
  world.clock.advance(1);
  take_in(world);
  CHECK_FALSE(reads::oldest_tagged_post(*world.storage.snapshot()));
}

TEST_CASE("trends: a window or a page out of bounds is refused") {
  SmallWorld world(1);
  TrendQuery query;
  for (const std::int64_t window : {kHourMs - 1, kTagsKeptMs + 1, std::int64_t{0}}) {
    query.window_ms = window;
    CHECK_THROWS_AS(trends(world, query), Error);
  }
  query = {};
  for (const std::uint32_t limit : {0u, limits::kPostPageMax + 1}) {
    query.limit = limit;
    CHECK_THROWS_AS(trends(world, query), Error);
  }
}

TEST_CASE("trends: the half-life is a setting") {
  SmallWorld world(2);
  CHECK(settings::trend_half_life_ms(world.storage) == 6 * kHourMs);
  settings::set(world.storage, "trend.half_life", "90m", world.clock.now());
  CHECK(settings::trend_half_life_ms(world.storage) == 90 * kMinuteMs);
  CHECK(settings::get(world.storage, "trend.half_life") == settings::SettingValue("90m"));
  for (const char* bad : {"0s", "59s", "366d", "soon", ""}) {
    CHECK_THROWS_AS(settings::set(world.storage, "trend.half_life", bad, world.clock.now()), Error);
  }
}

TEST_CASE("trends: random worlds give the definition's list") {
  for (std::uint64_t round = 0; round < worlds_or(40); ++round) {
    const std::uint64_t seed = first_seed() + round;
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    SmallWorld world(6);
    std::uint64_t source = 0;
    for (int step = 0; step < 120; ++step) {
      const auto user = static_cast<std::uint32_t>(1 + random() % 6);
      const auto text = fmt::format("#t{} #T{} and #{}", random() % 4, random() % 4, random() % 2);
      switch (random() % 8) {
        case 0: {
          const auto posts =
              reads::rows_above<tables::Posts>(*world.storage.snapshot(), {kBelowAllPosts}, 1000);
          if (!posts.empty()) world.remove(posts[random() % posts.size()].id);
          break;
        }
        case 1:
          world.clock.advance(static_cast<std::int64_t>(random() % (8 * kHourMs)));
          break;
        case 2:
          if (random() % 12 == 0) world.leave(user);
          break;
        case 3: {
          const Time written{world.clock.now().ms - static_cast<std::int64_t>(random() % kDayMs)};
          const LoadedPost post{SourceId{++source}, UserNumber{user}, written, text};
          rules::load_posts(world.storage, {&post, 1}, world.clock.now());
          break;
        }
        case 4:
          take_in(world);
          break;
        default:
          say(world, user, text, random() % 5 == 0 ? Privacy::kPrivate : Privacy::kPublic);
      }
    }
    take_in(world);
    TrendQuery query;
    query.window_ms = static_cast<std::int64_t>(1 + random() % 7) * kDayMs;
    query.limit = limits::kPostPageMax;
    auto found = trends(world, query);
    CHECK(std::is_sorted(found.begin(), found.end(),
                         [](const Trend& a, const Trend& b) { return a.score > b.score; }));
    std::sort(found.begin(), found.end(),
              [](const Trend& a, const Trend& b) { return a.tag < b.tag; });
    const auto wanted = expected(world, query);
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].tag == wanted[i].tag);
      CHECK(found[i].posts == wanted[i].posts);
      CHECK(found[i].score == doctest::Approx(wanted[i].score));
    }
  }
}

}  // namespace chirp::test::trends_test
