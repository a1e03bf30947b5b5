// Goal: posts in no order of time come out in that order as far as they are gathered, none twice
// and none lost, and a load of them stores what a load in order stores.
// Method: small windows by hand; random archives loaded as they are and sorted beforehand, in
// windows of every size.
#include "core/load/post_window.h"

#include <algorithm>
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "core/load/post_loader.h"
#include "tests/support/load_world.h"
#include "tests/support/seeds.h"

namespace chirp::load::post_window_test {
namespace {

using test::LoadWorld;
using Sources = std::vector<std::uint64_t>;

constexpr Time kThen{1'462'306'917'000};
// A window of so few bytes holds about this many posts of the random archives.
constexpr std::size_t kRowBytes = 110;

PostRow row_at(std::uint64_t source, std::uint64_t ms) {
  return {.source = SourceId{source},
          .author = UserNumber{7},
          .created_at = Time{kThen.ms + static_cast<std::int64_t>(ms)},
          .text = "text " + std::to_string(source)};
}

PostRow link_to(std::uint64_t target, PostRow row) {
  row.link = Link::kReply;
  row.target = SourceId{target};
  return row;
}

Sources take(PostWindow& window, std::size_t most) {
  Sources sources;
  for (const PostRow& row : window.take(most)) sources.push_back(row.source.value);
  return sources;
}

SourcePost post(std::uint64_t id, std::int64_t ms) {
  SourcePost result;
  result.id = SourceId{id};
  result.author_id = SourceId{1};
  result.text = "text " + std::to_string(id) + " at " + std::to_string(ms);
  result.created_at = Time{kThen.ms + ms};
  return result;
}

Counts load(LoadWorld& world, const std::vector<SourcePost>& posts, const PostOptions& options) {
  PostLoader loader(world.storage, world.directory, world.clock, world.pause(), options);
  for (const SourcePost& each : posts) REQUIRE_FALSE(loader.add(SourcePost(each)));
  loader.finish();
  return loader.counts();
}

// The first of each source id, in the order of time.
std::vector<SourcePost> put_in_order(std::vector<SourcePost> posts) {
  std::map<std::uint64_t, SourcePost> first;
  std::vector<SourcePost> kept;
  for (SourcePost& each : posts) {
    if (first.try_emplace(each.id.value, each).second) kept.push_back(std::move(each));
  }
  std::ranges::stable_sort(kept, {}, &SourcePost::created_at);
  return kept;
}

std::vector<SourcePost> archive(std::mt19937_64& random) {
  std::vector<SourcePost> posts;
  const std::uint64_t count = 20 + random() % 200;
  const std::uint64_t spread = 1 + random() % 400;
  for (std::uint64_t i = 0; i < count; ++i) {
    posts.push_back(post(1 + random() % (2 * count), static_cast<std::int64_t>(random() % spread)));
  }
  return posts;
}

}  // namespace

TEST_CASE("post window: a sweep goes on where it stopped, and begins again at the oldest") {
  PostWindow window;
  for (const std::uint64_t ms : {5u, 1u, 9u, 3u, 7u}) CHECK(window.add(row_at(100 + ms, ms)));
  CHECK(take(window, 2) == Sources{101, 103});
  for (const std::uint64_t ms : {2u, 6u}) CHECK(window.add(row_at(100 + ms, ms)));
  CHECK(take(window, 3) == Sources{105, 106, 107});
  CHECK(window.add(row_at(104, 4)));
  CHECK(take(window, 9) == Sources{109});
  CHECK_FALSE(window.empty());
  CHECK(take(window, 9) == Sources{102, 104});
  CHECK(window.empty());
  CHECK(window.bytes() == 0);
  CHECK(take(window, 9) == Sources{});
}

TEST_CASE("post window: equal times come out as they came in, wherever the sweep stops") {
  PostWindow window;
  for (const std::uint64_t source : {4u, 3u, 9u}) CHECK(window.add(row_at(source, 1)));
  CHECK(take(window, 1) == Sources{4});
  CHECK(window.add(row_at(1, 1)));
  CHECK(window.add(row_at(2, 0)));
  CHECK(take(window, 2) == Sources{3, 9});
  CHECK(take(window, 9) == Sources{1});
  CHECK(take(window, 9) == Sources{2});
}

TEST_CASE("post window: what is handed out takes along what it names behind the sweep") {
  PostWindow window;
  CHECK(window.add(row_at(1, 50)));
  CHECK(window.add(link_to(13, row_at(2, 60))));
  CHECK(window.add(link_to(404, row_at(3, 70))));
  CHECK(window.add(row_at(4, 80)));
  CHECK(take(window, 1) == Sources{1});
  CHECK(window.add(row_at(11, 10)));
  CHECK(window.add(row_at(12, 20)));
  CHECK(window.add(row_at(14, 30)));
  CHECK(window.add(link_to(12, row_at(13, 30))));  // 14 came first at this time, and stays first
  CHECK(window.add(link_to(3, row_at(15, 30))));
  CHECK(take(window, 1) == Sources{12, 14, 13, 2});
  CHECK(take(window, 2) == Sources{3, 4});
  CHECK(take(window, 9) == Sources{11, 15});
  CHECK(window.empty());
  CHECK(window.bytes() == 0);
}

TEST_CASE("post window: posts that name each other in a circle come out together") {
  PostWindow window;
  CHECK(window.add(link_to(2, row_at(1, 10))));
  CHECK(window.add(row_at(4, 20)));
  CHECK(window.add(link_to(1, row_at(2, 30))));
  CHECK(window.add(link_to(3, row_at(3, 40))));
  CHECK(take(window, 1) == Sources{1, 2});
  CHECK(take(window, 1) == Sources{4});
  CHECK(take(window, 1) == Sources{3});
}

TEST_CASE("post window: a source id is gathered once, and comes out as it came in") {
  PostWindow window;
  PostRow reply = link_to(kSourceIdMax, row_at(8, 3));
  reply.came = Nesting::kInside;
  CHECK(window.add(reply));
  CHECK_FALSE(window.add(row_at(8, 1)));
  const auto rows = window.take(5);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].text == "text 8");
  CHECK(rows[0].author == UserNumber{7});
  CHECK(rows[0].created_at == reply.created_at);
  CHECK(rows[0].link == Link::kReply);
  CHECK(rows[0].target == SourceId{kSourceIdMax});
  CHECK(rows[0].came == Nesting::kInside);
  CHECK(window.add(row_at(8, 1)));  // it is gone from here
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("post window: a load in no order stores what a load in order stores") {
  std::mt19937_64 random(test::first_seed());
  CAPTURE(test::first_seed());
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const std::vector<SourcePost> posts = archive(random);
    const std::vector<SourcePost> sorted = put_in_order(posts);
    LoadWorld expected;
    const PostOptions plain{.first_rows = 4, .most_rows = 16, .people = {}};
    CHECK(load(expected, sorted, plain).stored == sorted.size());
    for (const std::size_t rows : {0u, 1u, 10u, 50u, 1'000u}) {
      CAPTURE(rows);
      LoadWorld world;
      const Counts counts = load(world, posts,
                                 {.first_rows = 1 + random() % 4,
                                  .most_rows = 4 + random() % 12,
                                  .window_bytes = rows * kRowBytes,
                                  .people = {}});
      CHECK(counts.stored == sorted.size());
      CHECK(counts.duplicates + counts.same_id_other_text == posts.size() - sorted.size());
      CHECK(world.posts() == expected.posts());
    }
  }
}

TEST_CASE("post window: giving up keeps whole batches, and the same load goes on from there") {
  std::mt19937_64 random(test::first_seed());
  const std::vector<SourcePost> posts = archive(random);
  const PostOptions options{.first_rows = 3, .most_rows = 3, .window_bytes = 400, .people = {}};
  LoadWorld whole;
  load(whole, posts, options);
  for (const std::size_t read : {2u, 3u, 7u, 12u, 20u}) {
    CAPTURE(read);
    LoadWorld world;
    {
      PostLoader loader(world.storage, world.directory, world.clock, world.pause(), options);
      for (std::size_t i = 0; i < read; ++i) REQUIRE_FALSE(loader.add(SourcePost(posts[i])));
      loader.abandon();
      CHECK(loader.counts().stored + loader.counts().duplicates +
                loader.counts().same_id_other_text ==
            read / 3 * 3);
    }
    load(world, posts, options);
    CHECK(world.texts() == whole.texts());
  }
}

TEST_SUITE_END();

}  // namespace chirp::load::post_window_test
