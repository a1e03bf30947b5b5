// Processes that read feeds through hot sets of their own, over one store that others write to, and
// the comparison of what they say with the naive feed and with counts taken from the rows.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "core/hot/hot_set.h"
#include "server/json/render.h"
#include "tests/support/feed_simulation.h"

namespace chirp::test {

// Throws Mismatch unless each item says of its post what the rows of the snapshot do.
void compare_stats(const feed::Page& page, UserNumber viewer, const Snapshot& snapshot);

class HotReaders {
 public:
  // Two of them, bounded by so many bytes each. The simulation must outlive them.
  HotReaders(Simulation& simulation, std::size_t bytes);

  // Something that feeds of the simulation do not know of: reactions, comments, other names,
  // repairs of what is counted.
  void stir(const Action& action);
  // One of them reads a few pages, of the newest state and, where there is one, of an old snapshot.
  void read(const Action& action);
  // Each of them reads the feed of everybody.
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
