// Goal: reposts are folded into their originals, explained, and hidden by the rules that hide them;
// what has been undone is back at the next read; a refresh counts originals.
// Method: small worlds by hand; the random worlds (worlds_test.cpp) try every order.
#include <doctest/doctest.h>

#include "core/error.h"
#include "core/rules/writing.h"
#include "tests/support/small_world.h"

namespace chirp::test::reposts_test {
namespace {

using Ids = std::vector<PostId>;

PostId repost(SmallWorld& world, std::uint32_t user, PostId post) {
  return world.write(Repost{UserNumber{user}, post}).post;
}

Ids reposts(const feed::FeedItem& item) {
  Ids ids;
  for (const feed::Reposter& reposter : item.reposted_by) ids.push_back(reposter.post);
  return ids;
}

}  // namespace

TEST_CASE("reposts: folded into the original at its newest entry, and explained by it") {
  SmallWorld world(4);
  world.follow(1, 2);
  world.follow(1, 3);
  const PostId original = world.post(4);
  const PostId by_two = repost(world, 2, original);
  const PostId other = world.post(2);
  const PostId by_three = repost(world, 3, original);
  const feed::Page page = world.page(1);
  CHECK(SmallWorld::ids(page) == Ids{original, other});
  const feed::FeedItem& item = page.items.front();
  CHECK(item.entry == by_three);
  CHECK(item.author->number == UserNumber{4});
  CHECK(reposts(item) == Ids{by_three, by_two});
  CHECK(item.reposted_by.front().user->number == UserNumber{3});
  CHECK(item.reposted_by.front().created_at ==
        world.storage.snapshot()->post(by_three)->created_at);
  CHECK(item.reason == feed::Reason::kRepost);
  CHECK(page.prev_cursor == by_three);
  CHECK_FALSE(page.next_cursor);

  const feed::Page first = world.page(1, 2);
  CHECK(SmallWorld::ids(first) == Ids{original, other});
  CHECK(reposts(first.items.front()) == Ids{by_three});
  CHECK(first.next_cursor == other);
  CHECK(first.has_more);  // the older repost
  const PostId own = repost(world, 1, original);
  CHECK(world.page(1).items.front().entry == own);
  CHECK(world.page(1).items.front().reason == feed::Reason::kSelf);
  CHECK(world.page(4).items.front().reason == feed::Reason::kSelf);
  CHECK(world.page(4).items.front().reposted_by.empty());
}

TEST_CASE("reposts: twenty reposters are shown, upwards the newest too") {
  SmallWorld world(30);
  const PostId original = world.post(30);
  Ids all;
  for (std::uint32_t user = 2; user < 30; ++user) {
    world.follow(1, user);
    all.insert(all.begin(), repost(world, user, original));
  }
  all.resize(limits::kRepostersShown);
  auto request = SmallWorld::asking(1);
  CHECK(reposts(world.page(request).items.front()) == all);
  request.after = kBelowAllPosts;
  const feed::Page up = world.page(request);
  REQUIRE(up.items.size() == 1);
  CHECK(reposts(up.items.front()) == all);
  CHECK(up.items.front().entry == all.front());
}

TEST_CASE("reposts: what hides them works on what is delivered, and undoing it brings them back") {
  SmallWorld world(3);
  world.follow(1, 2);
  const PostId original = world.post(3);
  const PostId own = world.post(2);
  repost(world, 2, original);
  const Ids both{original, own};
  for (const bool delivered : {false, true}) {
    CAPTURE(delivered);
    if (delivered) world.fan_out();
    CHECK(SmallWorld::ids(world.page(1)) == both);
    const UserNumber reader{1};
    const UserNumber author{3};
    for (const auto& [who, whom] : {std::pair(reader, author), std::pair(author, reader)}) {
      world.write(Relate{who, whom, Relation::kBlock});
      CHECK(SmallWorld::ids(world.page(1)) == Ids{own});
      world.write(Unrelate{who, whom, Relation::kBlock});
      CHECK(SmallWorld::ids(world.page(1)) == both);
    }
    world.write(Relate{reader, author, Relation::kMute});
    CHECK(SmallWorld::ids(world.page(1)) == Ids{own});
    CHECK(feed::verify(*world.storage.snapshot(), reader, world.clock).empty());
    world.write(Unrelate{reader, author, Relation::kMute});
    world.write(Relate{reader, UserNumber{2}, Relation::kMute});
    CHECK(world.page(1).items.empty());
    world.write(Unrelate{reader, UserNumber{2}, Relation::kMute});
    world.write(Follow{reader, UserNumber{2}, Reposts::kOff});
    CHECK(SmallWorld::ids(world.page(1)) == Ids{own});
    world.write(Follow{reader, UserNumber{2}, Reposts::kOn});
    CHECK(SmallWorld::ids(world.page(1)) == both);
  }
  world.remove(original);
  CHECK(SmallWorld::ids(world.page(1)) == Ids{own});
}

TEST_CASE("reposts: a repost of what is not public is in nobody's feed, however it came there") {
  SmallWorld world(3);
  world.follow(1, 2);
  world.follow(1, 3);
  const PostId inner = world.write(Publish{UserNumber{3}, "text", Privacy::kFollowers}).post;
  Post row;
  row.id = PostId{inner.value + 1000};
  row.author = UserNumber{2};
  row.created_at = world.clock.now();
  row.original = inner;
  row.original_author = UserNumber{3};
  rules::restore_posts(world.storage, {&row, 1}, world.clock.now());
  const feed::Page page = world.page(1);
  CHECK(SmallWorld::ids(page) == Ids{inner});
  CHECK(page.items.front().reposted_by.empty());
  CHECK(feed::verify(*world.storage.snapshot(), UserNumber{1}, world.clock).empty());
}

TEST_CASE("refresh: different originals above an entry are counted, the newest shown") {
  SmallWorld world(4);
  world.follow(1, 2);
  world.follow(1, 3);
  const PostId seen = world.post(2);
  const PostId original = world.post(4);
  const PostId first = repost(world, 2, original);
  const PostId fresh = world.post(3);
  const PostId second = repost(world, 3, original);
  feed::RefreshRequest request;
  request.viewer = UserNumber{1};
  request.since = seen;
  const auto refresh = [&] {
    return feed::refresh(*world.storage.snapshot(), request, world.clock);
  };
  CHECK(refresh().count == 2);
  REQUIRE(refresh().items.size() == 2);
  CHECK(refresh().items[0].post->id == original);
  CHECK(reposts(refresh().items[0]) == Ids{second, first});
  CHECK(refresh().items[1].post->id == fresh);
  CHECK(refresh().refreshed_at == world.clock.now());
  request.limit = 1;
  CHECK(refresh().count == 2);
  CHECK(refresh().items.size() == 1);
  request.since = second;
  CHECK(refresh().count == 0);
  request.limit = limits::kPostPageMax + 1;
  CHECK_THROWS_AS((void)refresh(), Error);
}

TEST_CASE("refresh: counting stops at its bound") {
  SmallWorld world(2);
  world.follow(1, 2);
  std::vector<Change> changes;
  for (std::uint32_t i = 0; i < limits::kRefreshCountMax + 5; ++i) {
    changes.emplace_back(Publish{UserNumber{2}, "text"});
  }
  world.storage.write(changes, world.clock.now());
  const feed::RefreshRequest request{UserNumber{1}, kBelowAllPosts, 3};
  const auto refreshed = feed::refresh(*world.storage.snapshot(), request, world.clock);
  CHECK(refreshed.count == limits::kRefreshCountMax);
  CHECK(refreshed.items.size() == 3);
}

}  // namespace chirp::test::reposts_test
