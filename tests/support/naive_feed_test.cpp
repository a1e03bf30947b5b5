// Goal: the oracle itself follows the definition and the rules of cursors.
// Method: a world small enough to check by eye, and the pages of it in both directions.
#include "tests/support/naive_feed.h"

#include <doctest/doctest.h>

namespace chirp::test {
namespace {

constexpr UserNumber kAnn{1};
constexpr UserNumber kBob{2};
constexpr UserNumber kCat{3};
constexpr UserNumber kDan{4};  // removed

std::vector<std::uint64_t> ids(const std::vector<Entry>& entries) {
  std::vector<std::uint64_t> result;
  for (const Entry& entry : entries) result.push_back(entry.id.value);
  return result;
}

// The originals of a page.
std::vector<std::uint64_t> ids(const NaivePage& page) {
  std::vector<std::uint64_t> result;
  for (const NaiveItem& item : page.items) result.push_back(item.original.value);
  return result;
}

World small_world() {
  World world;
  world.users = {kAnn, kBob, kCat};
  world.follows = {{kAnn, kBob}, {kAnn, kDan}, {kBob, kCat}};
  world.posts = {{PostId{1}, {kAnn}},
                 {PostId{2}, {kBob, Privacy::kFollowers}},
                 {PostId{3}, {kCat}},
                 {PostId{4}, {kDan}},
                 {PostId{5}, {kBob, Privacy::kPrivate}},
                 {PostId{6}, {kAnn, Privacy::kPrivate}},
                 {PostId{7}, {kBob}}};
  return world;
}

using Ids = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("naive feed: own posts and those of followees who are there") {
  const World world = small_world();
  CHECK(ids(naive_feed(world, kAnn)) == Ids{7, 6, 2, 1});
  CHECK(ids(naive_feed(world, kBob)) == Ids{7, 5, 3, 2});
  CHECK(naive_feed(world, kDan).empty());
  CHECK(naive_feed(world, UserNumber{99}).empty());
}

TEST_CASE("naive feed: pages go down to the end") {
  const World world = small_world();
  const std::vector<Entry> feed = naive_feed(world, kAnn);
  const NaivePage first = naive_page(world, feed, {}, {}, 3);
  CHECK(ids(first) == Ids{7, 6, 2});
  CHECK(first.next_cursor == PostId{2});
  CHECK(first.prev_cursor == PostId{7});
  CHECK(first.has_more);
  const NaivePage second = naive_page(world, feed, first.next_cursor, {}, 3);
  CHECK(ids(second) == Ids{1});
  CHECK_FALSE(second.next_cursor);
  CHECK_FALSE(second.has_more);
  const NaivePage below = naive_page(world, feed, PostId{1}, {}, 3);
  CHECK(below.items.empty());
  CHECK_FALSE(below.next_cursor);
  CHECK(below.prev_cursor == PostId{1});
  CHECK_FALSE(naive_page(world, {}, {}, {}, 3).prev_cursor);
}

TEST_CASE("naive feed: pages go up without a gap") {
  const World world = small_world();
  const std::vector<Entry> feed = naive_feed(world, kAnn);
  const NaivePage first = naive_page(world, feed, {}, PostId{1}, 2);
  CHECK(ids(first) == Ids{6, 2});
  CHECK(first.next_cursor == PostId{2});
  CHECK(first.prev_cursor == PostId{6});
  CHECK(first.has_more);
  const NaivePage second = naive_page(world, feed, {}, first.prev_cursor, 2);
  CHECK(ids(second) == Ids{7});
  CHECK_FALSE(second.has_more);
  const NaivePage top = naive_page(world, feed, {}, PostId{7}, 2);
  CHECK(top.items.empty());
  CHECK(top.next_cursor == PostId{7});
  CHECK(top.prev_cursor == PostId{7});
}

TEST_CASE(
    "naive feed: a repost is there while its original is, in public and by somebody present") {
  World world = small_world();
  world.posts[PostId{8}] = {kBob, Privacy::kPublic, PostId{3}};
  world.posts[PostId{9}] = {kBob, Privacy::kPublic, PostId{99}};
  world.posts[PostId{10}] = {kBob, Privacy::kPublic, PostId{4}};  // of a removed user's
  world.posts[PostId{11}] = {kBob, Privacy::kPublic, PostId{2}};  // of what is not public
  world.posts[PostId{12}] = {kAnn, Privacy::kPublic, PostId{3}};
  CHECK(ids(naive_feed(world, kAnn)) == Ids{12, 8, 7, 6, 2, 1});
  CHECK(naive_sees(world, kAnn, PostId{8}));
  CHECK_FALSE(naive_sees(world, kAnn, PostId{10}));
  CHECK_FALSE(naive_sees(world, kCat, PostId{2}));
  CHECK(naive_sees(world, kAnn, PostId{2}));
  world.posts.erase(PostId{3});
  CHECK(ids(naive_feed(world, kAnn)) == Ids{7, 6, 2, 1});
}

TEST_CASE("naive feed: blocks, mutes and switched-off reposts hide, through third parties too") {
  World world = small_world();
  world.posts[PostId{8}] = {kBob, Privacy::kPublic, PostId{3}};
  world.posts[PostId{9}] = {kBob, Privacy::kPublic, PostId{1}};
  CHECK(ids(naive_feed(world, kAnn)) == Ids{9, 8, 7, 6, 2, 1});
  const auto with = [&](Pairs World::*pairs, UserNumber a, UserNumber b) {
    World other = world;
    (other.*pairs).insert({a, b});
    return ids(naive_feed(other, kAnn));
  };
  CHECK(with(&World::mutes, kAnn, kBob) == Ids{6, 1});
  CHECK(with(&World::mutes, kBob, kAnn) == Ids{9, 8, 7, 6, 2, 1});
  CHECK(with(&World::mutes, kAnn, kCat) == Ids{9, 7, 6, 2, 1});
  CHECK(with(&World::blocks, kAnn, kCat) == Ids{9, 7, 6, 2, 1});
  CHECK(with(&World::blocks, kCat, kAnn) == Ids{9, 7, 6, 2, 1});
  CHECK(with(&World::blocks, kBob, kAnn) == Ids{6, 1});
  CHECK(with(&World::reposts_off, kAnn, kBob) == Ids{7, 6, 2, 1});
  CHECK(with(&World::reposts_off, kBob, kAnn) == Ids{9, 8, 7, 6, 2, 1});
}

TEST_CASE("naive feed: a page stops with the entry that makes its last item") {
  World world;
  world.users = {kAnn, kBob, kCat};
  world.follows = {{kAnn, kBob}, {kAnn, kCat}};
  world.posts = {{PostId{16}, {kBob}},
                 {PostId{17}, {kBob}},
                 {PostId{18}, {kCat, Privacy::kPublic, PostId{16}}},
                 {PostId{19}, {kAnn, Privacy::kPublic, PostId{16}}}};
  const std::vector<Entry> feed = naive_feed(world, kAnn);
  const auto one = naive_page(world, feed, {}, {}, 1);
  CHECK(one.items == std::vector<NaiveItem>{{PostId{16}, PostId{19}, {PostId{19}}}});
  CHECK(one.next_cursor == PostId{19});
  const auto two = naive_page(world, feed, {}, {}, 2);
  CHECK(two.items == std::vector<NaiveItem>{{PostId{16}, PostId{19}, {PostId{19}, PostId{18}}},
                                            {PostId{17}, PostId{17}, {}}});
  CHECK(two.next_cursor == PostId{17});
  const auto rest = naive_page(world, feed, two.next_cursor, {}, 2);
  CHECK(rest.items == std::vector<NaiveItem>{{PostId{16}, PostId{16}, {}}});
  CHECK_FALSE(rest.has_more);
  const auto up = naive_page(world, feed, {}, kBelowAllPosts, 2);
  CHECK(up.items ==
        std::vector<NaiveItem>{{PostId{17}, PostId{17}, {}}, {PostId{16}, PostId{16}, {}}});
  CHECK(up.prev_cursor == PostId{17});
  const auto all = naive_page(world, feed, {}, kBelowAllPosts, 3);
  CHECK(all.items == two.items);  // the original joins its reposts
  CHECK(all.items.front().entry == PostId{19});
  CHECK(all.next_cursor == PostId{16});
  CHECK_FALSE(all.has_more);
}

}  // namespace chirp::test
