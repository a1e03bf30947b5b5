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
  const std::vector<Entry> feed = naive_feed(small_world(), kAnn);
  const NaivePage first = naive_page(feed, {}, {}, 3);
  CHECK(ids(first.entries) == Ids{7, 6, 2});
  CHECK(first.next_cursor == PostId{2});
  CHECK(first.prev_cursor == PostId{7});
  CHECK(first.has_more);
  const NaivePage second = naive_page(feed, first.next_cursor, {}, 3);
  CHECK(ids(second.entries) == Ids{1});
  CHECK_FALSE(second.next_cursor);
  CHECK_FALSE(second.has_more);
  const NaivePage below = naive_page(feed, PostId{1}, {}, 3);
  CHECK(below.entries.empty());
  CHECK_FALSE(below.next_cursor);
  CHECK(below.prev_cursor == PostId{1});
  CHECK_FALSE(naive_page({}, {}, {}, 3).prev_cursor);
}

TEST_CASE("naive feed: pages go up without a gap") {
  const std::vector<Entry> feed = naive_feed(small_world(), kAnn);
  const NaivePage first = naive_page(feed, {}, PostId{1}, 2);
  CHECK(ids(first.entries) == Ids{6, 2});
  CHECK(first.next_cursor == PostId{2});
  CHECK(first.prev_cursor == PostId{6});
  CHECK(first.has_more);
  const NaivePage second = naive_page(feed, {}, first.prev_cursor, 2);
  CHECK(ids(second.entries) == Ids{7});
  CHECK_FALSE(second.has_more);
  const NaivePage top = naive_page(feed, {}, PostId{7}, 2);
  CHECK(top.entries.empty());
  CHECK(top.next_cursor == PostId{7});
  CHECK(top.prev_cursor == PostId{7});
}

}  // namespace chirp::test
