// The numbers of a store that stand for all of it, and what both ways to its rows speak of.
#pragma once

#include <cstdint>

#include "core/model/passing.h"
#include "core/model/policy.h"
#include "core/model/post.h"
#include "core/model/user.h"

namespace chirp {

// What every read starts from.
struct StoreState {
  std::uint64_t version = 0;        // moves with every commit
  std::uint64_t generation = 0;     // g: timelines of another generation are not valid
  PostId push_from_all;             // P0
  PostId last_id;                   // the last live id minted
  Sequence log_first{1};            // the oldest event kept
  Sequence log_end{1};              // one past the newest event
  Sequence fan_out{1};              // S: the first event that fan-out has yet to take in
  Sequence fan_out_reach{1};        // >= S: one past the newest event delivered in part
  Sequence counters{1};             // the first event that the counters have yet to take in
  Sequence notifications{1};        // the first event that notifications have yet to take in
  Sequence trends{1};               // the first event that trends have yet to take in
  std::uint64_t removals = 0;       // users marked as removed of whom something is left
  std::uint64_t post_removals = 0;  // removed posts and comments of which something is left
  std::uint64_t relations = 0;      // blocks, mutes and switched-off reposts there are
  std::uint64_t fan_out_queue = 0;  // posts whose deliveries are unfinished
  std::uint32_t delivery_ns = 500;  // measured cost of one delivery
  std::uint32_t source_ns = 700;    // measured cost of one merge source
  // Moves with every commit that changes, without an event that says so, rows of which caches in
  // processes hold something: posts, cards, edges, relations, reactions and what is counted.
  std::uint64_t unlogged = 0;
  PassedTime passed;  // as the events of the log have seen the clock
  // A load of posts under way has put early entries into logs of authors: of public posts with ids
  // from the first of these up to below the second, which it has yet to store. Until its post is
  // there, such an entry stands for nothing, and no reader sees it.
  PostId early_from{};
  PostId early_below{};
  feed::FeedSettings settings;

  [[nodiscard]] bool may_be_early(PostId id) const { return id >= early_from && id < early_below; }
};

// A post whose deliveries are unfinished: they have run up to and including follower `done_to`.
struct FanOutRow {
  Sequence sequence;  // of its event
  PostId post;
  UserNumber author;
  UserNumber done_to;

  bool operator==(const FanOutRow&) const = default;
};

// The way a range of rows is walked.
enum class Direction : std::uint8_t { kDown, kUp };

}  // namespace chirp
