// Loads interactions that name no post: A's i-th of a kind with B falls on B's i-th oldest post.
//
// B's posts are the public ones that are no reposts and not made up here, oldest first; where they
// end, placeholders follow, in an order of their own, each with the time of the first event that
// needs it. A mention is a post by A that names B. Counting starts at one in each load, so a load
// says what there is between two users in all: loading the same again changes nothing, and what
// continues an input goes into the same load.
//
// Batches are stored in the order of rows. Memory grows with the number of different pairs of
// users, some 70 bytes for each. To be used from one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/load/event_targets.h"
#include "core/load/source.h"
#include "core/load/tally.h"
#include "core/load/turns.h"
#include "core/load/words.h"
#include "core/pace.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::load {

struct EventOptions {
  std::size_t first_rows = 8'192;  // of the first transaction; then as they go
  std::size_t most_rows = 32'768;
  std::size_t batch = 32'768;                  // interactions gathered before they are stored
  std::size_t targets = std::size_t{1} << 20;  // posts remembered
};

class EventLoader {
 public:
  EventLoader(Storage& storage, const Clock& clock, Pause pause, EventOptions options = {});

  // The events of one row, taken whole or not at all: what is wrong with them, if something is (a
  // time before 2000 or after now).
  [[nodiscard]] std::optional<std::string> add(std::span<const SourceEvent> row);

  // Stores what is gathered.
  void finish();
  // Gives up what is gathered; whole batches before it are stored. After a bad line.
  void abandon();

  [[nodiscard]] Counts counts() const { return tally_.counts(); }

  // The numbers of source ids that are words, in the events that are added.
  [[nodiscard]] Words& words() { return words_; }

 private:
  // One interaction, its users known; `ordinal` counts from 1.
  struct Interaction {
    SourceEvent event;
    UserNumber actor;
    UserNumber other;
    std::uint32_t ordinal = 1;
  };

  void gather(const SourceEvent& event);
  void close_batch();
  [[nodiscard]] std::vector<Interaction> resolved();
  void find_posts(std::span<const Interaction> batch);
  void make_placeholders(std::span<const Interaction> batch, Time now);
  // The usernames of the users in the batch.
  [[nodiscard]] std::unordered_map<UserNumber, std::string> names_of(
      std::span<const Interaction> batch) const;
  // Adds to the tally what was not stored, and returns how much was.
  std::uint64_t noted(const LoadCounts& counts);
  LoadCounts store_posts(std::span<const LoadedPost> posts);
  template <class Row, class Store>
  LoadCounts store(std::span<const Row> rows, Store store_rows);

  Storage& storage_;
  const Clock& clock_;
  EventOptions options_;
  Tally tally_;
  Turns turns_;
  Pace pace_;
  EventTargets targets_;
  Words words_;
  std::vector<SourceEvent> gathered_;  // of a count of one each
  // How many interactions there have been, by pair of users and kind.
  std::unordered_map<std::uint64_t, std::array<std::uint32_t, kEventKinds>> seen_;
};

}  // namespace chirp::load
