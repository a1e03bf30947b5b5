// Goal: whoever waits for a post gets it when it comes, once, and nobody waits for ever.
// Method: chains, crowds and circles put in and taken out.
#include "core/load/waiting_posts.h"

#include <doctest/doctest.h>

namespace chirp::load {
namespace {

PostRow reply(std::uint64_t source, std::uint64_t target) {
  PostRow row;
  row.source = SourceId{source};
  row.author = UserNumber{1};
  row.text = "text";
  row.link = Link::kReply;
  row.target = SourceId{target};
  return row;
}

std::vector<std::uint64_t> sources(const std::vector<PostRow>& rows) {
  std::vector<std::uint64_t> result;
  for (const PostRow& row : rows) result.push_back(row.source.value);
  return result;
}

using Sources = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("waiting: all who wait for a post come out in their order, and once") {
  WaitingPosts waiting;
  for (const auto& [source, target] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{9, 1}, {3, 2}, {7, 1}, {8, 1}}) {
    CHECK(waiting.put(reply(source, target)));
  }
  CHECK_FALSE(waiting.put(reply(7, 2)));  // it waits already
  CHECK(waiting.arrived(SourceId{5}).empty());
  CHECK(sources(waiting.arrived(SourceId{1})) == Sources{9, 7, 8});
  CHECK(waiting.arrived(SourceId{1}).empty());
  CHECK(waiting.put(reply(7, 2)));
  CHECK(sources(waiting.arrived(SourceId{2})) == Sources{3, 7});
  CHECK(waiting.empty());
  CHECK(waiting.bytes() == 0);
}

TEST_CASE("waiting: those who wait for nobody who waits are given up first") {
  WaitingPosts waiting;
  for (std::uint64_t i = 1; i <= 4; ++i) CHECK(waiting.put(reply(i, i + 1)));  // 1 → 2 → … → 5
  CHECK(waiting.put(reply(10, 11)));
  CHECK(sources(waiting.give_up(9)) == Sources{4, 10});
  CHECK(sources(waiting.arrived(SourceId{4})) == Sources{3});
  CHECK(sources(waiting.give_up(1)) == Sources{2});
  CHECK(sources(waiting.give_up(1)) == Sources{1});
  CHECK(waiting.give_up(1).empty());
}

TEST_CASE("waiting: a circle is broken at its oldest") {
  WaitingPosts waiting;
  CHECK(waiting.put(reply(1, 2)));
  CHECK(waiting.put(reply(2, 3)));
  CHECK(waiting.put(reply(3, 1)));
  CHECK(sources(waiting.give_up(9)) == Sources{1});
  CHECK(sources(waiting.arrived(SourceId{1})) == Sources{3});
  CHECK(sources(waiting.arrived(SourceId{3})) == Sources{2});
  CHECK(waiting.empty());
}

TEST_CASE("waiting: a crowd costs no more than its size") {
  WaitingPosts waiting;
  for (std::uint64_t i = 1; i <= 50'000; ++i) CHECK(waiting.put(reply(i, 100'000)));
  CHECK(waiting.bytes() >= 50'000 * sizeof(PostRow));
  CHECK(waiting.give_up(20'000).size() == 20'000);
  CHECK(waiting.arrived(SourceId{100'000}).size() == 30'000);
  CHECK(waiting.bytes() == 0);
}

}  // namespace chirp::load
