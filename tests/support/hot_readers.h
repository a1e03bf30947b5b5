// Readers with their own hot sets over one store that others write to. Their pages are compared
// with the naive feed, and counts with those of the rows.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "core/hot/hot_set.h"
#include "server/json/render.h"
#include "tests/support/feed_simulation.h"

namespace chirp::test {

// Throws Mismatch if an item's counts differ from the rows of the snapshot.
void compare_stats(const feed::Page& page, UserNumber viewer, const Snapshot& snapshot);

class HotReaders {
 public:
  // Two readers, each bounded to `bytes`. The simulation must outlive them.
  HotReaders(Simulation& simulation, std::size_t bytes);

  // Changes that the simulation's feeds do not model: reactions, comments, renames, repairs of
  // counters.
  void stir(const Action& action);
  // One reader reads a few pages, of the newest state and of an old snapshot, if there is one.
  void read(const Action& action);
  // Each reader reads all feeds.
  void read_all();
  [[nodiscard]] std::uint64_t from_memory() const;

 private:
  void compare(hot::HotSet& set, const feed::PageRequest& request);
  void scroll(hot::HotSet& set, UserNumber viewer, std::mt19937_64& random);
  [[nodiscard]] PostId some_cursor(std::mt19937_64& random) const;
  void compare_held(hot::HotSet& set, UserNumber viewer);

  Simulation& simulation_;
  api::FieldPrinter printer_;
  std::vector<std::unique_ptr<hot::HotSet>> sets_;
};

}  // namespace chirp::test
