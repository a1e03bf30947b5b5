// Goal: posts of equal times stand in the order of the input, whatever waits for what, and what a
// load stores does not depend on where its batches and transactions are cut.
// Method: small archives of few milliseconds, by hand and at random, in batches of every size; all
// that is stored is compared, ids too.
#include <algorithm>
#include <random>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/load/post_loader.h"
#include "core/ports/reads.h"
#include "tests/support/load_world.h"
#include "tests/support/seeds.h"

namespace chirp::load::order_test {
namespace {

using test::LoadWorld;
using test::with;
using Sources = std::vector<std::uint64_t>;

constexpr Time kThen{1'462'306'917'000};

SourcePost post(std::uint64_t id, std::uint64_t author = 1, Time time = kThen) {
  return test::source_post(author, id, time);
}
SourcePost reply(std::uint64_t id, std::uint64_t to) {
  SourcePost result = post(id);
  result.reply_to = SourceId{to};
  return result;
}
SourcePost retweet(std::uint64_t id, std::uint64_t of) {
  SourcePost result = post(id);
  result.repost_of = SourceId{of};
  return result;
}

Counts load(LoadWorld& world, const std::vector<SourcePost>& posts, std::size_t rows,
            std::size_t window_bytes = PostOptions{}.window_bytes) {
  PostLoader loader(world.storage, world.directory, world.clock, world.pause(),
                    {.first_rows = std::min<std::size_t>(rows, 3),
                     .most_rows = rows,
                     .window_bytes = window_bytes,
                     .people = {}});
  return test::load_all(loader, posts);
}

// Posts, reposts and comments together, by id.
std::vector<std::pair<std::uint64_t, std::string>> rows_of(const LoadWorld& world) {
  std::vector<std::pair<std::uint64_t, std::string>> rows;
  for (const Post& each : world.posts()) {
    rows.emplace_back(each.id.value, std::to_string(each.source->number.value) + "/" +
                                         std::to_string(each.author.value) + "/" + each.text + "/" +
                                         std::to_string(each.original.value));
  }
  for (const Comment& each :
       reads::rows_above<tables::Comments>(*world.storage.snapshot(), {kNoComment}, 10'000)) {
    rows.emplace_back(each.id.value, std::to_string(each.source->number.value) + "/" +
                                         std::to_string(each.author.value) + "/" + each.text + "/" +
                                         std::to_string(each.post.value) + "/" +
                                         std::to_string(each.parent.value));
  }
  std::ranges::sort(rows);
  return rows;
}

Sources order_of(const LoadWorld& world) {
  Sources sources;
  for (const auto& [id, row] : rows_of(world)) sources.push_back(std::stoull(row));
  return sources;
}

Sources order_of(const std::vector<SourcePost>& posts, std::size_t rows) {
  LoadWorld world;
  load(world, posts, rows);
  return order_of(world);
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("order: links do not move posts of equal times") {
  for (const std::size_t rows : {1u, 2u, 3u, 100u}) {
    CAPTURE(rows);
    CHECK(order_of({with(retweet(20, 10), post(10)), post(19)}, rows) == Sources{10, 20, 19});
    CHECK(order_of({post(10), retweet(20, 10), post(19)}, rows) == Sources{10, 20, 19});
    CHECK(order_of({post(10), reply(20, 10), post(19)}, rows) == Sources{10, 20, 19});
    // Reposts of posts that come later, or never.
    CHECK(order_of({retweet(20, 10), post(19), post(10), post(9)}, rows) == Sources{20, 19, 10, 9});
    CHECK(order_of({reply(5, 99), post(4), reply(3, 98), post(2)}, rows) == Sources{5, 4, 3, 2});
    CHECK(order_of({post(7), reply(6, 99), reply(5, 7), retweet(4, 98), post(3)}, rows) ==
          Sources{7, 6, 5, 4, 3});
  }
}

TEST_CASE("order: a full millisecond goes on in the next, in order") {
  std::vector<SourcePost> posts;
  Sources expected;
  for (std::uint64_t i = 0; i < snowflake::kSequences + 20; ++i) {
    posts.push_back(i % 7 == 3 ? reply(i + 1, 1'000'000) : post(i + 1));
    expected.push_back(i + 1);
  }
  for (const std::size_t rows : {500u, 10'000u}) {
    LoadWorld world;
    load(world, posts, rows);
    CHECK(order_of(world) == expected);
    CHECK(snowflake::ticks(rows_of(world).back().first) == snowflake::ticks_of(kThen) + 1);
  }
}

TEST_CASE("order: posts that are loaded later come after those that are there") {
  LoadWorld world;
  load(world, {post(5), reply(4, 99)}, 10);
  load(world, {reply(3, 5), post(2), reply(1, 98)}, 10);
  CHECK(order_of(world) == Sources{5, 4, 3, 2, 1});
}

TEST_CASE("order: nothing depends on where batches are cut") {
  std::mt19937_64 random(test::first_seed());
  CAPTURE(test::first_seed());
  const auto below = [&](std::uint64_t end) { return random() % end; };
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    std::vector<SourcePost> posts;
    const std::uint64_t ids = 5 + below(60);
    for (std::uint64_t i = 0; i < 60; ++i) {
      // Authors of their own: a second repost by one user would be none.
      const Time time{kThen.ms + static_cast<std::int64_t>(below(4))};
      SourcePost each = post(1 + below(ids), 100 + i, time);
      const std::uint64_t other = 1 + below(ids + 5);
      const std::uint64_t what = below(8);
      if (other != each.id.value) {
        if (what < 2) each.reply_to = SourceId{other};
        if (what == 2) each.repost_of = SourceId{other};
        if (what == 3) each = with(std::move(each), post(other, 50, time));
      }
      posts.push_back(std::move(each));
    }
    LoadWorld whole;
    const Counts counts = load(whole, posts, 1'000);
    const auto expected = rows_of(whole);
    CHECK(counts.stored == expected.size());
    CHECK(posts.size() + counts.originals ==
          counts.stored + counts.duplicates + counts.same_id_other_text);
    for (const std::size_t rows : {1u, 2u, 3u, 7u, 20u}) {
      CAPTURE(rows);
      LoadWorld world;
      const Counts found_counts = load(world, posts, rows, below(20) * 200);
      CHECK(found_counts.duplicates == counts.duplicates);
      CHECK(found_counts.same_id_other_text == counts.same_id_other_text);
      CHECK(found_counts == counts);
      // Users are numbered as they come up.
      CHECK(order_of(world) == order_of(whole));
      const auto found = rows_of(world);
      CHECK(std::ranges::equal(
          found, expected, {}, [](const auto& row) { return row.first; },
          [](const auto& row) { return row.first; }));
    }
  }
}

TEST_CASE("order: a repost needs no text where the other post is known") {
  for (const std::size_t rows : {1u, 100u}) {
    LoadWorld world;
    SourcePost empty = retweet(2, 1);
    empty.text.clear();
    SourcePost early = retweet(3, 4);
    early.text = " \n";
    SourcePost lost = retweet(5, 99);
    lost.text.clear();
    const Counts counts = load(world, {post(1), empty, early, post(4), lost}, rows);
    CHECK(order_of(world) == Sources{1, 2, 3, 4});
    CHECK(counts.reposts == 2);
    CHECK(counts.unknown_originals == 1);
    CHECK(counts.stored == 4);
  }
}

TEST_CASE("order: an interrupted load that is run again gives the same ids") {
  std::mt19937_64 random(test::first_seed());
  CAPTURE(test::first_seed());
  const auto below = [&](std::uint64_t end) { return random() % end; };
  int interrupted = 0;
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    std::vector<SourcePost> posts;
    for (std::uint64_t i = 1; i <= 40; ++i) {
      posts.push_back(post(i, i, Time{kThen.ms + static_cast<std::int64_t>(below(4))}));
      if (below(3) == 0) posts.back().reply_to = SourceId{1 + below(50)};
      if (below(5) == 0) posts.back().repost_of = SourceId{1 + below(50)};
    }
    // All of them are one batch, of several transactions.
    const PostOptions options{.first_rows = 3, .most_rows = 100, .people = {}};
    const auto load_all = [&](LoadWorld& world, const Pause& pause) {
      PostLoader loader(world.storage, world.directory, world.clock, pause, options);
      for (const SourcePost& each : posts) REQUIRE_FALSE(loader.add(SourcePost(each)));
      loader.finish();
    };
    LoadWorld whole;
    load_all(whole, [] {});
    for (int transaction = 0;; ++transaction) {
      CAPTURE(transaction);
      LoadWorld world;
      int left = transaction;
      try {
        load_all(world, [&left] {
          if (left-- == 0) throw Error(ErrorCode::kIo, "stopped");
        });
        break;
      } catch (const Error&) {
        ++interrupted;
      }
      load_all(world, [] {});
      CHECK(rows_of(world) == rows_of(whole));
    }
  }
  CHECK(interrupted > 20);
}

TEST_SUITE_END();

}  // namespace chirp::load::order_test
