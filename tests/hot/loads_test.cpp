// Goal: a load of posts leaves in memory the pages that lie above it, and no other.
// Method: a small world by hand, with old posts loaded below a page of three.
#include <cstdint>

#include <doctest/doctest.h>

#include "core/rules/writing.h"
#include "tests/support/hot_scene.h"

namespace chirp::test {

TEST_CASE("hot set: a load of posts concerns the pages that reach down to them alone") {
  HotScene s;
  const Time before{s.world.clock.now().ms - kDayMs};
  feed::PageRequest request = SmallWorld::asking(1, 3);
  (void)s.set.page(request);
  const auto newest = SmallWorld::ids(s.set.page(request));
  REQUIRE(newest.size() == 3);
  const auto pages_equal = [&] {
    return SmallWorld::ids(s.set.page(request)) == SmallWorld::ids(s.world.page(1, 3)) &&
           SmallWorld::ids(s.read()) == SmallWorld::ids(s.world.page(1));
  };
  for (std::uint64_t source = 77; source < 80; ++source) {
    s.world.load_post(2, source, before);
    const feed::Page page = s.set.page(request);
    CHECK(page.cost.from_memory);
    CHECK(SmallWorld::ids(page) == newest);
  }
  SUBCASE("which are reported when the whole feed is read") { CHECK(s.read().items.size() == 12); }
  SUBCASE("and of where its posts come from the store is asked") {
    request.explain = feed::Explain::kYes;
    const feed::Page page = s.set.page(request);
    CHECK_FALSE(page.cost.from_memory);
    const feed::Page stored = feed::hydrated_page(*s.storage.snapshot(), request, s.world.clock);
    CHECK(page.items.front().source == stored.items.front().source);
  }
  SUBCASE("whatever was loaded before and after") {
    s.world.clock.advance(kSecondMs);
    s.world.load_post(3, 80, s.world.clock.now());
    s.world.load_post(4, 81, before);
    CHECK_FALSE(s.set.page(request).cost.from_memory);
  }
  SUBCASE("or show what was reposted, wherever the repost is") {
    LoadedPost repost{SourceId{80}, UserNumber{3}, before, ""};
    repost.original = newest.front();
    rules::load_posts(s.storage, {&repost, 1}, s.world.clock.now());
    CHECK(s.set.page(request).items.front().stats.counters.reposts == 1);
  }
  SUBCASE("and edges concern all") {
    const LoadedEdge edge{UserNumber{3}, UserNumber{1}};
    rules::load_edges(s.storage, {&edge, 1}, s.world.clock.now());
    CHECK_FALSE(s.set.page(request).cost.from_memory);
  }
  SUBCASE("and so does another generation beside it") {
    s.world.load_post(2, 80, before);
    rules::retire_marks(s.storage);
    CHECK_FALSE(s.set.page(request).cost.from_memory);
  }
  SUBCASE("with posts that arrive between loads") {
    s.world.post(3);
    s.world.load_post(3, 80, before);
    s.world.post(2);
    CHECK_FALSE(SmallWorld::ids(s.set.page(request)) == newest);
  }
  CHECK(pages_equal());
}

}  // namespace chirp::test
