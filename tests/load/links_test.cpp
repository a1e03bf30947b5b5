// Goal: retweets become reposts and replies comments wherever the other post is known, in whatever
// order the input has them, and everything else stays a plain post.
// Method: small archives in every order and in batches of every small size; loaded twice.
#include <algorithm>
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "core/load/post_loader.h"
#include "core/ports/reads.h"
#include "tests/support/load_world.h"

namespace chirp::load::links_test {
namespace {

using test::LoadWorld;
using test::with;

constexpr Time kThen{1'462'306'917'000};

// Each a second after the one of the number before.
SourcePost post(std::uint64_t author, std::uint64_t id) {
  return test::source_post(author, id, Time{kThen.ms + static_cast<std::int64_t>(id) * 1000});
}
SourcePost reply(std::uint64_t author, std::uint64_t id, std::uint64_t to) {
  SourcePost result = post(author, id);
  result.reply_to = SourceId{to};
  return result;
}
SourcePost retweet(std::uint64_t author, std::uint64_t id, std::uint64_t of) {
  SourcePost result = post(author, id);
  result.repost_of = SourceId{of};
  return result;
}

Counts load(LoadWorld& world, const std::vector<SourcePost>& posts, PostOptions options = {}) {
  PostLoader loader(world.storage, world.directory, world.clock, world.pause(), options);
  return test::load_all(loader, posts);
}

// What there is by source ids, as "repost 7 of 1", "comment 3 on 1 under 2", "post 4".
std::vector<std::string> world_of(const LoadWorld& world) {
  std::vector<std::string> lines;
  const auto snapshot = world.storage.snapshot();
  std::map<std::uint64_t, std::string> names;
  const auto posts = world.posts();
  for (const Post& each : posts) names[each.id.value] = std::to_string(each.source->number.value);
  const auto comments = reads::rows_above<tables::Comments>(*snapshot, {kNoComment}, 1000);
  for (const Comment& each : comments)
    names[each.id.value] = std::to_string(each.source->number.value);
  for (const Post& each : posts) {
    lines.push_back(each.is_repost()
                        ? "repost " + names[each.id.value] + " of " + names[each.original.value]
                        : "post " + names[each.id.value]);
    CHECK(each.text == (each.is_repost() ? "" : "text " + names[each.id.value]));
  }
  for (const Comment& each : comments) {
    lines.push_back("comment " + names[each.id.value] + " on " + names[each.post.value] +
                    (each.parent == kNoComment ? "" : " under " + names[each.parent.value]));
    CHECK(snowflake::machine(each.id.value) == snowflake::kLoadMachine);
    CHECK(each.text == "text " + names[each.id.value]);
  }
  std::ranges::sort(lines);
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("links: known in any order, whatever the batches") {
  const std::vector<SourcePost> posts{post(1, 1),       reply(2, 2, 1),    reply(1, 3, 2),
                                      retweet(3, 4, 1), retweet(2, 5, 4),  reply(3, 6, 5),
                                      reply(2, 7, 99),  retweet(2, 8, 98), reply(1, 9, 7)};
  const Lines expected{"comment 2 on 1", "comment 3 on 1 under 2",
                       "comment 6 on 1", "comment 9 on 7",
                       "post 1",         "post 7",
                       "post 8",         "repost 4 of 1",
                       "repost 5 of 1"};
  std::vector<std::size_t> order{0, 1, 2, 3, 4, 5, 6, 7, 8};
  std::mt19937 random(5);
  for (int round = 0; round < 40; ++round) {
    if (round == 1) std::ranges::reverse(order);
    if (round > 1) std::ranges::shuffle(order, random);
    const std::size_t rows = 1 + static_cast<std::size_t>(round) % 5;
    std::vector<SourcePost> shuffled;
    for (const std::size_t i : order) shuffled.push_back(posts[i]);
    CAPTURE(round);
    LoadWorld world;
    const PostOptions options{.first_rows = rows, .most_rows = rows, .people = {}};
    const Counts counts = load(world, shuffled, options);
    CHECK(world_of(world) == expected);
    CHECK(counts.stored == 9);
    CHECK(counts.reposts == 2);
    CHECK(counts.comments == 4);
    CHECK(counts.duplicates == 0);
    const auto state = world.storage.snapshot()->state();
    CHECK(load(world, shuffled, options).duplicates == 9);
    CHECK(world.storage.snapshot()->state().log_end == state.log_end);
    CHECK(world_of(world) == expected);
  }
}

TEST_CASE("links: what came inside is loaded first, with its author, and counted apart") {
  SourcePost inner = post(7, 1);
  inner.username = "mira";
  // A line of its own comes second, in a later batch or in the same one.
  const std::vector<SourcePost> posts{with(post(2, 5), inner), with(post(3, 6), inner), post(7, 1)};
  LoadWorld world;
  for (const std::size_t rows : {2u, 100u}) {
    LoadWorld other;
    LoadWorld& where = rows == 2 ? other : world;
    const Counts counts = load(where, posts, {.first_rows = rows, .most_rows = rows, .people = {}});
    CHECK(world_of(where) == Lines{"post 1", "repost 5 of 1", "repost 6 of 1"});
    CHECK(where.user(7)->username == "mira");
    CHECK(counts.originals == 1);
    CHECK(counts.stored == 3);
    CHECK(counts.duplicates == 1);
  }
  const auto original = world.posts().front();
  const ContentId content = content_of(original.id);
  CHECK(world.storage.snapshot()->content_counters({&content, 1}).front().reposts == 2);
  CHECK(reads::reposts(*world.storage.snapshot(), original.id, kNobody, 9).size() == 2);
}

TEST_CASE("links: an original that is unfit leaves a plain post") {
  for (const int what : {0, 1, 2, 3}) {
    CAPTURE(what);
    LoadWorld world;
    SourcePost inner = post(7, 1);
    if (what == 0) inner.created_at = Time{LoadWorld::kNow.ms + 1};
    if (what == 1) inner.text = std::string(5000, 'x');
    if (what == 2) inner.author_id.reset();
    if (what == 3) inner.created_at = Time{5};
    load(world, {with(post(2, 5), inner)});
    CHECK(world_of(world) == Lines{"post 5"});
    CHECK(world.directory.count() == 1);
  }
}

TEST_CASE("links: a comment is not reposted, and nobody reposts a post twice") {
  LoadWorld world;
  const Counts counts = load(world, {post(1, 1), reply(2, 2, 1), retweet(3, 3, 2), retweet(3, 4, 1),
                                     retweet(3, 5, 1), retweet(3, 6, 4)});
  CHECK(world_of(world) == Lines{"comment 2 on 1", "post 1", "post 3", "repost 4 of 1"});
  CHECK(counts.stored == 4);
  CHECK(counts.duplicates == 2);
  // An original that turns out to be a comment takes its retweets along.
  LoadWorld other;
  SourcePost inner = reply(2, 2, 1);
  const Counts inside = load(other, {with(post(3, 5), inner), post(1, 1)});
  CHECK(world_of(other) == Lines{"comment 2 on 1", "post 1", "post 5"});
  CHECK(inside.originals == 1);
  CHECK(inside.stored == 3);
}

TEST_CASE("links: circles and posts about themselves end as plain posts and comments") {
  LoadWorld world;
  load(world, {reply(1, 1, 2), reply(2, 2, 1), reply(1, 3, 3)});
  const Lines lines = world_of(world);
  CHECK(lines.size() == 3);
  CHECK(std::ranges::count(lines, "post 3") == 1);
  CHECK(std::ranges::count(lines, "comment 2 on 1") == 1);
}

TEST_CASE("links: what waits is bounded, and given up oldest first") {
  LoadWorld world;
  std::vector<SourcePost> posts;
  for (std::uint64_t i = 100; i > 1; --i) posts.push_back(reply(1, i, i % 2 == 0 ? 1 : 500 + i));
  posts.push_back(post(2, 1));
  const Counts counts = load(
      world, posts,
      {.first_rows = 5, .most_rows = 5, .window_bytes = 0, .waiting_bytes = 5'000, .people = {}});
  CHECK(counts.stored == 100);
  CHECK(counts.comments > 0);
  CHECK(counts.comments < 49);
  CHECK(counts.given_up >= 50 - counts.comments);
  LoadWorld roomy;
  const Counts all = load(roomy, posts);
  CHECK(all.comments == 50);
  CHECK(all.given_up == 0);
}

// The sweep hands out retweets and replies where it is, and posts older than its place later.
TEST_CASE("links: what came before or inside is found, however little may wait") {
  const PostOptions tight{
      .first_rows = 5, .most_rows = 5, .window_bytes = 4'000, .waiting_bytes = 1'500, .people = {}};
  std::vector<SourcePost> retweets;
  std::vector<SourcePost> replies;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const std::uint64_t age = 1 + i * 7919 % 500;
    SourcePost other = post(7, 1'000 + i - age);
    other.id = SourceId{50'000 + i};
    retweets.push_back(with(post(2, 1'000 + i), other));
    replies.push_back(std::move(other));
    replies.push_back(reply(1, 1'000 + i, 50'000 + i));
  }
  LoadWorld inside;
  const Counts reposts = load(inside, retweets, tight);
  CHECK(reposts.reposts == 300);
  CHECK(reposts.given_up == 0);
  LoadWorld before;
  const Counts comments = load(before, replies, tight);
  CHECK(comments.comments == 300);
  CHECK(comments.given_up == 0);
}

TEST_CASE("links: originals inside keep their author when the lines are one user's") {
  LoadWorld world;
  const UserNumber mira = world.sign_up("mira");
  load(world, {with(post(2, 5), post(7, 1))}, {.author = mira, .people = {}});
  REQUIRE(world.posts().size() == 2);
  CHECK(world.posts()[0].author == world.user(7)->number);
  CHECK(world.posts()[1].author == mira);
  CHECK(world.directory.count() == 2);
}

TEST_CASE("links: giving up forgets what waits, and the next load finds it") {
  LoadWorld world;
  {
    PostLoader loader(world.storage, world.directory, world.clock, world.pause(),
                      {.first_rows = 1, .most_rows = 1, .people = {}});
    REQUIRE_FALSE(loader.add(reply(2, 2, 1)));
    REQUIRE_FALSE(loader.add(post(1, 5)));
    loader.abandon();
  }
  CHECK(world_of(world) == Lines{"post 5"});
  load(world, {reply(2, 2, 1), post(1, 5), post(1, 1)});
  CHECK(world_of(world) == Lines{"comment 2 on 1", "post 1", "post 5"});
}

TEST_SUITE_END();

}  // namespace chirp::load::links_test
