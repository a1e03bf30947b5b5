// Goal: a ranked feed is scored by the public formula, stable over its snapshot, and hides what the
// rules hide by the time a page is read.
// Method: facts by hand for the formula; small worlds for the pages.
#include "core/feed/ranked.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/rules/writing.h"
#include "tests/support/small_world.h"

namespace chirp::test::ranked_test {
namespace {

using doctest::Approx;
using feed::RankFacts;
using feed::RankWeights;
using Ids = std::vector<PostId>;

constexpr Time kNow{1'700'000'000'000};
constexpr Time hours_ago(int hours) { return Time{kNow.ms - hours * kHourMs}; }

std::vector<std::size_t> order(const std::vector<RankFacts>& facts, const RankWeights& weights) {
  std::vector<std::size_t> result;
  for (const feed::Ranking& one : feed::rank(facts, kNow, weights)) result.push_back(one.index);
  return result;
}

}  // namespace

TEST_CASE("ranking: every part is from 0 to 1, by the public formula") {
  const std::vector<RankFacts> facts{{hours_ago(0), 1000, 4, UserNumber{1}},
                                     {hours_ago(6), 0, 0, UserNumber{1}},
                                     {Time{kNow.ms + kHourMs}, 1'000'000, 12, UserNumber{2}}};
  const auto ranking = feed::rank(facts, kNow, {});
  REQUIRE(ranking.size() == 3);
  CHECK(ranking[0].index == 2);
  CHECK(ranking[0].parts.recency == 1);
  CHECK(ranking[0].parts.engagement == 1);
  CHECK(ranking[0].parts.affinity == Approx(0.75));
  CHECK(ranking[0].parts.variety == 1);
  CHECK(ranking[0].score == Approx(0.4 + 0.2 + 0.15 + 0.2));
  CHECK(ranking[1].index == 0);
  CHECK(ranking[1].parts.engagement == Approx(1));
  CHECK(ranking[1].parts.affinity == Approx(0.5));
  CHECK(ranking[1].parts.variety == 1);
  CHECK(ranking[2].parts.recency == Approx(0.5));
  CHECK(ranking[2].parts.engagement == 0);
  CHECK(ranking[2].parts.variety == Approx(0.625));
  CHECK(ranking[2].score == Approx(0.4 * 0.5 + 0.2 * 0.625));
}

TEST_CASE("ranking: the weights alone say what matters, and equal scores stay in order") {
  const std::vector<RankFacts> facts{{hours_ago(1), 0, 0, UserNumber{1}},
                                     {hours_ago(2), 5, 0, UserNumber{2}},
                                     {hours_ago(3), 1, 9, UserNumber{3}},
                                     {hours_ago(4), 0, 9, UserNumber{3}}};
  using Order = std::vector<std::size_t>;
  CHECK(order(facts, {1, 0, 0, 0}) == Order{0, 1, 2, 3});
  CHECK(order(facts, {0, 1, 0, 0}) == Order{1, 2, 0, 3});
  CHECK(order(facts, {0, 0, 1, 0}) == Order{2, 3, 0, 1});
  CHECK(order(facts, {0, 0, 0, 1}) == Order{0, 1, 2, 3});
  CHECK(order({}, {}).empty());
  double before = 2;
  for (const feed::Ranking& one : feed::rank(facts, kNow, {})) {
    CHECK(one.score <= before);
    CHECK(one.score >= 0);
    CHECK(one.score <= 1);
    before = one.score;
  }
}

TEST_CASE("ranked feed: pages are cut from one snapshot, less what has become invisible since") {
  SmallWorld world(4);
  for (const std::uint32_t user : {2u, 3u}) world.follow(1, user);
  Ids posts;
  for (int i = 0; i < 6; ++i) {
    world.clock.advance(kHourMs);
    posts.push_back(world.post(i % 2 == 0 ? 2 : 3));
  }
  const PostId foreign = world.post(4);
  world.write(Repost{UserNumber{2}, foreign});
  world.write(Repost{UserNumber{3}, foreign});
  const auto first_state = world.storage.snapshot();
  const auto taken = feed::take_ranked(*first_state, UserNumber{1}, {}, world.clock);
  REQUIRE(taken.ranked.size() == 7);
  Ids walked;
  std::size_t from = 0;
  for (bool more = true; more;) {
    const auto cut = feed::ranked_page(*first_state, taken, from, 2, world.clock);
    for (const feed::FeedItem& item : cut.page.items) {
      REQUIRE(item.score);
      if (item.post->id == foreign) CHECK(item.reposted_by.size() == 2);
      walked.push_back(item.post->id);
    }
    from = cut.next;
    more = cut.page.has_more;
  }
  CHECK(walked.size() == 7);
  CHECK(walked.front() == foreign);  // the newest of all, by an author of its own

  world.post(2);
  world.remove(posts[0]);
  world.write(Relate{UserNumber{1}, UserNumber{3}, Relation::kMute});
  const auto later = feed::ranked_page(*world.storage.snapshot(), taken, 0, 20, world.clock);
  Ids left;
  for (const PostId id : walked) {
    if (id == foreign || id == posts[2] || id == posts[4]) left.push_back(id);
  }
  CHECK(SmallWorld::ids(later.page) == left);
  CHECK_FALSE(later.page.has_more);
  CHECK_THROWS_AS((void)feed::ranked_page(*first_state, taken, 0, 0, world.clock), Error);
  const auto beyond = feed::ranked_page(*first_state, taken, 99, 5, world.clock);
  CHECK(beyond.page.items.empty());
}

TEST_CASE("ranked feed: the page that takes the snapshot says what taking it cost") {
  SmallWorld world(4);
  for (const std::uint32_t user : {2u, 3u}) world.follow(1, user);
  for (int i = 0; i < 5; ++i) {
    world.post(2);
    world.post(3);
  }
  const auto state = world.storage.snapshot();
  const auto taken = feed::take_ranked(*state, UserNumber{1}, {}, world.clock);
  const auto first = feed::ranked_page(*state, taken, 0, 2, world.clock);
  const feed::Page newest_first = world.page(1);  // of as many entries
  CHECK(newest_first.cost.sources > 0);
  CHECK(first.page.cost.sources == newest_first.cost.sources);
  CHECK(first.page.cost.examined == 10);
  // The next ones merge nothing: they look at what they show, and one more.
  const auto second = feed::ranked_page(*state, taken, first.next, 2, world.clock);
  CHECK(second.page.cost.sources == 0);
  CHECK(second.page.cost.examined == 3);
}

TEST_CASE("ranked feed: responses of others and the viewer's own count") {
  SmallWorld world(4);
  for (const std::uint32_t user : {2u, 3u}) world.follow(1, user);
  const PostId liked = world.post(2);
  world.write(React{UserNumber{4}, liked, ReactionType::kLove});
  const PostId plain = world.post(3);
  const RankWeights by_responses{0, 1, 0, 0};
  const auto top = [&](const RankWeights& weights) {
    const auto state = world.storage.snapshot();
    const auto taken = feed::take_ranked(*state, UserNumber{1}, weights, world.clock);
    return feed::ranked_page(*state, taken, 0, 1, world.clock).page.items.front().post->id;
  };
  CHECK(top(by_responses) == liked);
  CHECK(top({1, 0, 0, 0}) == plain);
  world.write(React{UserNumber{1}, liked, ReactionType::kLike});
  CHECK(top({0, 0, 1, 0}) == liked);
}

TEST_CASE("ranked feed: a refresh counts all that is new and shows the best of it first") {
  SmallWorld world(4);
  for (const std::uint32_t user : {2u, 3u}) world.follow(1, user);
  const PostId seen = world.post(2);
  const PostId liked = world.post(2);
  const PostId plain = world.post(3);
  world.write(React{UserNumber{4}, liked, ReactionType::kLove});
  feed::RefreshRequest request{UserNumber{1}, seen, 1};
  const RankWeights by_responses{0, 1, 0, 0};
  const auto refresh = [&] {
    return feed::refresh_ranked(*world.storage.snapshot(), request, by_responses, world.clock);
  };
  CHECK(refresh().count == 2);
  REQUIRE(refresh().items.size() == 1);
  CHECK(refresh().items[0].post->id == liked);
  CHECK(refresh().items[0].score->total > 0);
  request.limit = 20;
  REQUIRE(refresh().items.size() == 2);
  CHECK(refresh().items[1].post->id == plain);
  request.since = plain;
  CHECK(refresh().count == 0);
  CHECK(refresh().items.empty());
  request.limit = 0;
  CHECK_THROWS_AS((void)refresh(), Error);
}

TEST_CASE("ranked feed: a read leaves a timeline to be built as any other does") {
  SmallWorld world(2);
  world.follow(1, 2);
  world.post(2);
  rules::drop_timeline(world.storage, UserNumber{1});
  feed::Feeds feeds(world.storage, world.clock);
  const auto read = [&] { return feeds.ranked_page(feeds.take_ranked(UserNumber{1}), 0, 5).page; };
  const feed::Page cold = read();
  CHECK_FALSE(cold.warm);
  CHECK(cold.upkeep == feed::Upkeep::kBuild);
  feeds.after_read(UserNumber{1}, cold.upkeep);
  CHECK(read().warm);
  CHECK(read().upkeep == feed::Upkeep::kNone);
}

}  // namespace chirp::test::ranked_test
