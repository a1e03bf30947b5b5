// Goal: a window takes in what arrives, knows how far it reaches, and is filled anew where it
// missed something or was filled from what has been overtaken. Method: small worlds by hand, with
// more arriving than there is room for.
#include <functional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/hot/hot_set.h"
#include "tests/support/hot_scene.h"

namespace chirp::test {

TEST_CASE("hot set: a window that has taken in more than it has room for knows where it ends") {
  HotScene s;
  s.world.join(5);
  s.world.join(6);
  s.world.follow(5, 6);
  std::vector<PostId> posted{s.world.post(6)};
  CHECK(s.read(5, 1).has_more == false);  // so the window reaches to the end of the feed
  for (int i = 0; i < 9; ++i) {
    posted.insert(posted.begin(), s.world.post(6));
    CHECK(SmallWorld::ids(s.read(5, 1)) == std::vector<PostId>{posted.front()});
    CHECK(s.read(5, 1).cost.from_memory);
  }
  CHECK(SmallWorld::ids(s.read(5)) == posted);
}

TEST_CASE("hot set: of more at once than a window has room for it takes in the newest") {
  HotScene s;
  s.world.join(5);
  s.world.join(6);
  s.world.follow(5, 6);
  s.world.post(6);
  CHECK(s.read(5, 1).has_more == false);  // so the window reaches to the end of the feed
  std::vector<PostId> posted;
  for (int i = 0; i < 9; ++i) posted.insert(posted.begin(), s.world.post(6));
  CHECK(SmallWorld::ids(s.read(5, 1)) == std::vector<PostId>{posted.front()});
  CHECK(s.read(5, 1).cost.from_memory);
  CHECK(SmallWorld::ids(s.read(5, 9)) == posted);
  CHECK(s.read(5).items.size() == 10);
}

TEST_CASE("hot set: a window that was not read while more arrived than is noted is filled anew") {
  HotScene s;
  constexpr std::size_t kLittleRoom = std::size_t{1} << 16;  // for some hundred arrivals
  hot::HotSet set(s.storage, s.world.clock, kLittleRoom);
  s.world.join(5);
  (void)set.page(SmallWorld::asking(1));
  const PostId missed = s.world.post(2);
  for (int i = 0; i < 300; ++i) {
    s.world.post(5);
    (void)set.page(SmallWorld::asking(4));  // the set moves on
  }
  CHECK(set.page(SmallWorld::asking(1)).items.front().post->id == missed);
}

TEST_CASE("hot set: what is filled while the set moves on is not kept") {
  // Is asked for the time once a snapshot is taken, and before it is read.
  class Interrupting final : public Clock {
   public:
    [[nodiscard]] Time now() const override {
      if (auto call = std::exchange(interruption, {})) call();
      return {};
    }
    [[nodiscard]] std::int64_t steady_ns() const override { return 0; }
    mutable std::function<void()> interruption;
  };
  HotScene s;
  const Interrupting clock;
  hot::HotSet set(s.storage, clock, kHotRoom);
  clock.interruption = [&] {
    s.world.unfollow(1, 2);
    (void)set.page(SmallWorld::asking(4));
  };
  CHECK(set.page(SmallWorld::asking(1)).items.size() == 9);  // as it was when it was asked for
  CHECK(set.page(SmallWorld::asking(1)).items.size() == 6);
}
}  // namespace chirp::test
