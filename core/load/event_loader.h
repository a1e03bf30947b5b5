// Loads interactions that name no post: A's i-th one of a kind with B belongs to B's i-th oldest
// post.
//
// B's posts are the public ones that are not reposts and not made up here, oldest first. After them
// come placeholders, in a separate order, each with the time of the first event that needs it. A
// mention is a post by A that names B. Counting starts at one in each load, so a load gives the
// total between two users: loading the same again changes nothing, and continuations of an input
// belong to the same load.
//
// Batches are stored in the order of rows. Memory grows with the number of different pairs of
// users, some 70 bytes for each. Use it from one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/load/source.h"
#include "core/load/tally.h"
#include "core/load/turns.h"
#include "core/load/words.h"
#include "core/pace.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::load {

// Finds the i-th oldest post of an author, for events that do not name one: their own public posts
// and then placeholders.
class EventTargets {
 public:
  // Remembers about `most` posts.
  explicit EventTargets(std::size_t most) : most_(most) {}

  // Forgets everything if it is too large. Call it between batches.
  void make_room();
  // Reads the author's own posts until there are `ordinal` of them, or until the end.
  void learn(const Snapshot& snapshot, UserNumber author, std::uint32_t ordinal);

  // Returns the placeholder (from 1) of the author's post with this ordinal; 0 if it is a real
  // post.
  [[nodiscard]] std::uint32_t placeholder(UserNumber author, std::uint32_t ordinal) const;
  // The post; empty if it is an unknown placeholder.
  [[nodiscard]] std::optional<PostId> find(UserNumber author, std::uint32_t ordinal) const;
  void put_placeholder(UserNumber author, std::uint32_t placeholder, PostId post);

 private:
  struct List {
    std::vector<PostId> own;   // oldest first
    std::vector<PostId> made;  // 0: unknown
    PostId read_to = kBelowAllPosts;
    bool complete = false;
  };

  std::size_t most_;
  std::size_t posts_ = 0;
  std::unordered_map<UserNumber, List> lists_;
};

struct EventOptions {
  std::size_t first_rows = 8'192;  // of the first transaction; later sizes follow the pace
  std::size_t most_rows = 32'768;
  std::size_t batch = 32'768;                  // interactions gathered before they are stored
  std::size_t targets = std::size_t{1} << 20;  // posts remembered
};

class EventLoader {
 public:
  EventLoader(Storage& storage, const Clock& clock, Pause pause, EventOptions options = {});

  // Adds the events of one row, all or none. Returns what is wrong with them, if anything (a time
  // before 2000 or after now).
  [[nodiscard]] std::optional<std::string> add(std::span<const SourceEvent> row);

  // Stores what is gathered.
  void finish();
  // Drops what is gathered; whole batches before it are stored. Call it after a bad line.
  void abandon();

  [[nodiscard]] Counts counts() const { return tally_.counts(); }

  // The numbers of the added events' source ids that are words.
  [[nodiscard]] Words& words() { return words_; }

 private:
  // One interaction between known users; `ordinal` counts from 1.
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
  // Adds to the tally what was done, and returns how much was stored.
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
  std::vector<SourceEvent> gathered_;  // each with a count of one
  // The number of interactions so far, by pair of users and kind.
  std::unordered_map<std::uint64_t, std::array<std::uint32_t, kEventKinds>> seen_;
};

}  // namespace chirp::load
