// A small world, changed through the engine and in plain sets, and the comparison of the two.
//
// Every action is at most one transaction: fan-out reads in one step and writes, part by part, in
// later ones, by two consumers; timelines are built in one step and stored in another. So any
// interleaving can occur.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/ports/storage.h"
#include "tests/support/fake_clock.h"
#include "tests/support/feed_actions.h"
#include "tests/support/naive_changes.h"
#include "tests/support/naive_feed.h"

namespace chirp::test {

// Throws Mismatch unless the page shows the matching part of `feed` (newest first).
void compare_page(const feed::Page& page, const feed::PageRequest& request, const World& world,
                  const std::vector<Entry>& feed);

// A page's items in the oracle's form. Reposters beyond a page's maximum are dropped.
[[nodiscard]] std::vector<NaiveItem> items_of(const feed::Page& page);

class Simulation {
 public:
  // A snapshot, and its expected contents.
  struct Held {
    std::unique_ptr<Snapshot> snapshot;
    World world;
  };

  // Seven users with random follows, random settings and tiny bounds.
  Simulation(Storage& storage, std::uint32_t setup);

  // Both throw Mismatch if an outcome differs from the expected one.
  void apply(const Action& action);
  void write(const std::vector<Change>& changes);
  // Compares all feeds, with pages at random positions.
  void check(const Action& action) const;
  // Checks timelines, counters, notifications and hashtags, too.
  void check_all() const;

  [[nodiscard]] feed::Page page(const feed::PageRequest& request) const;
  [[nodiscard]] const World& world() const { return world_; }
  // Null if no snapshot was taken.
  [[nodiscard]] const Held* held() const { return held_ ? &*held_ : nullptr; }
  [[nodiscard]] const FakeClock& clock() const { return clock_; }
  [[nodiscard]] Storage& storage() { return storage_; }
  [[nodiscard]] const std::vector<UserNumber>& users() const { return users_; }
  [[nodiscard]] UserNumber user(std::uint32_t pick) const { return users_[pick % users_.size()]; }

 private:
  struct Gathering {
    Sequence from;
    events::Gathered work;
  };

  void apply_social(const Action& action);
  void apply_relations(const Action& action);
  void apply_fan_out(const Action& action);
  void apply_timeline(const Action& action);
  void apply_settings(const Action& action);
  void apply_time(const Action& action);

  [[nodiscard]] std::optional<PostId> some_post(std::uint32_t pick) const;
  void forget_lost_reposts();
  void join();
  void leave(UserNumber user);
  void put_presence(UserNumber user, Presence presence);
  void batch(const Action& action);
  void gather(std::uint32_t slot);
  void flush(std::uint32_t slot, std::size_t count);
  void decide(UserNumber author);
  void store(const Action& action);
  void load_edges(const Action& action);
  void load_posts(const Action& action);
  void learn_loaded();
  void compare_feeds(const Snapshot& snapshot, const World& world, std::uint32_t bits) const;
  void check_counters(const Snapshot& snapshot) const;

  Storage& storage_;
  FakeClock clock_;
  feed::Feeds feeds_;
  events::FanOut fan_out_;
  std::array<events::Gatherer, 2> gatherers_;
  std::array<std::optional<Gathering>, 2> gathered_;
  std::vector<BuiltTimeline> walks_;
  std::optional<Held> held_;
  World world_;
  std::vector<UserNumber> users_;  // all users, including removed ones
  std::vector<UserNumber> removed_;
  std::uint64_t sources_ = 0;  // source ids given to loaded posts
};

}  // namespace chirp::test
