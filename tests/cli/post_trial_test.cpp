// Goal: what is counted of posts that name one another in circles is what a load then makes of
// them. Method: small circles by hand, and random ones with what hangs on them, counted by the
// trial and loaded into a store in memory.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/load/trial.h"
#include "core/load/post_loader.h"
#include "tests/support/load_world.h"
#include "tests/support/seeds.h"

namespace chirp::cli {
namespace {

using load::SourcePost;
using Posts = std::vector<SourcePost>;

constexpr Time kThen{1'462'306'917'000};

SourcePost post(std::uint64_t id, std::uint64_t author, int second, const std::string& text) {
  SourcePost made;
  made.id = SourceId{id};
  made.author_id = SourceId{author};
  made.text = text;
  made.created_at = Time{kThen.ms + std::int64_t{second} * 1000};
  return made;
}
SourcePost retweet(std::uint64_t id, std::uint64_t of, int second, const std::string& text = "") {
  SourcePost made = post(id, id, second, text);
  made.repost_of = SourceId{of};
  return made;
}

std::string to_text(const load::Counts& counts) {
  return fmt::format("{} stored, {} reposts, {} comments, {} duplicates, {} unknown originals",
                     counts.stored, counts.reposts, counts.comments, counts.duplicates,
                     counts.unknown_originals);
}

std::string counted(const Posts& posts) {
  PostTrial trial({}, load::Author::kFromSource);
  std::string inner;
  for (const SourcePost& each : posts) {
    REQUIRE_FALSE(trial.add(SourcePost(each), test::LoadWorld::kNow, inner));
  }
  trial.finish();
  return to_text(trial.counts());
}

std::string loaded(const Posts& posts) {
  test::LoadWorld world;
  load::PostLoader loader(world.storage, world.directory, world.clock, world.pause());
  for (const SourcePost& each : posts) REQUIRE_FALSE(loader.add(SourcePost(each)));
  loader.finish();
  return to_text(loader.counts());
}

std::string described(const Posts& posts) {
  std::string text;
  for (const SourcePost& each : posts) {
    const auto named = load::linked_post(each);
    text += fmt::format("{} by {} at {} {} {} \"{}\"\n", each.id.value, each.author_id->value,
                        each.created_at.ms - kThen.ms, each.repost_of ? "repeats" : "answers",
                        named ? named->value : 0, each.text);
  }
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("post trial: of a circle of retweets the oldest goes without what it repeats") {
  for (const auto& [first, second] : {std::pair{1, 2}, std::pair{2, 1}, std::pair{1, 1}}) {
    for (const char* const text : {"", "words"}) {
      const Posts posts{retweet(1, 2, first, text), retweet(2, 1, second)};
      CAPTURE(described(posts));
      CHECK(counted(posts) == loaded(posts));
    }
  }
  // The oldest hangs on the circle.
  const Posts posts{retweet(1, 2, 5, "a"), retweet(2, 1, 6), retweet(3, 1, 4), retweet(4, 3, 7)};
  CHECK(counted(posts) == loaded(posts));
}

TEST_CASE("post trial: what names a second repost by the same author goes without it") {
  Posts posts{post(1, 1, 1, "words"), retweet(2, 1, 2), retweet(3, 2, 3), retweet(4, 3, 4)};
  posts[2].author_id = posts[1].author_id;
  posts.push_back(post(5, 5, 5, "an answer"));
  posts.back().reply_to = SourceId{3};
  CHECK(counted(posts) == "3 stored, 1 reposts, 0 comments, 1 duplicates, 1 unknown originals");
  CHECK(counted(posts) == loaded(posts));
}

TEST_CASE("post trial: whatever hangs together in circles is counted as it is loaded") {
  std::mt19937_64 random(test::first_seed());
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t ids = 2 + random() % 9;
    Posts posts;
    for (std::uint64_t id = 1; id <= ids; ++id) {
      const auto second = static_cast<int>(random() % 5);
      posts.push_back(post(id, 1 + random() % ids, second, "words"));
      const std::uint64_t other = 1 + random() % (ids + 1);
      if (other == id) continue;
      if (random() % 3 == 0) {
        posts.back().reply_to = SourceId{other};
      } else {
        posts.back().repost_of = SourceId{other};
        if (random() % 2 == 0) posts.back().text.clear();
      }
    }
    CAPTURE(described(posts));
    CHECK(counted(posts) == loaded(posts));
  }
}

TEST_SUITE_END();

}  // namespace chirp::cli
