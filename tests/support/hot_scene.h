// A few users and a hot set over their store, which counts the snapshots taken of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/hot/hot_set.h"
#include "core/ports/forwarding_storage.h"
#include "tests/support/small_world.h"

namespace chirp::test {

inline constexpr std::size_t kHotRoom = std::size_t{1} << 24;

class CountingStorage final : public ForwardingStorage {
 public:
  using ForwardingStorage::ForwardingStorage;
  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override {
    ++taken;
    return inner_.snapshot();
  }
  mutable int taken = 0;
};

// Users 1 to 4; 1 follows the others, who all have posts.
struct HotScene {
  HotScene() {
    for (std::uint32_t user = 2; user <= 4; ++user) {
      world.follow(1, user);
      world.posts(user, 3);
    }
  }
  feed::Page read(std::uint32_t viewer = 1, std::uint32_t limit = 20) {
    return set.page(SmallWorld::asking(viewer, limit));
  }
  // Reads until the page is cached, then returns whether it is still cached after `change`.
  template <class Change>
  bool stays(Change change) {
    (void)read();
    if (!read().cost.from_memory) return false;
    change();
    return read().cost.from_memory;
  }

  SmallWorld world{4};
  CountingStorage storage{world.storage};
  hot::HotSet set{storage, world.clock, kHotRoom};
};

}  // namespace chirp::test
