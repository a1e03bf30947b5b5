// The state record of a store, and types that snapshots and write transactions share.
#pragma once

#include <cstdint>

#include "core/model/passing.h"
#include "core/model/policy.h"
#include "core/model/post.h"
#include "core/model/user.h"

namespace chirp {

// The starting point of every read.
struct StoreState {
  std::uint64_t version = 0;        // changes with every commit
  std::uint64_t generation = 0;     // g: timelines of another generation are not valid
  PostId push_from_all;             // P0
  PostId last_id;                   // the last live id
  Sequence log_first{1};            // the oldest event kept
  Sequence log_end{1};              // one past the newest event
  Sequence fan_out{1};              // S: the first event that is pending for fan-out
  Sequence fan_out_reach{1};        // >= S: one past the newest event delivered in part
  Sequence counters{1};             // the first event that is pending for counters
  Sequence notifications{1};        // the first event that is pending for notifications
  Sequence trends{1};               // the first event that is pending for trends
  std::uint64_t removals = 0;       // users marked as removed, with traces left
  std::uint64_t post_removals = 0;  // removed posts and comments with traces left
  std::uint64_t relations = 0;      // number of blocks, mutes and switched-off reposts
  std::uint64_t fan_out_queue = 0;  // number of posts with unfinished deliveries
  std::uint32_t delivery_ns = 500;  // measured cost of one delivery
  std::uint32_t source_ns = 700;    // measured cost of one merge source
  // Changes with every commit that modifies, without an event, rows that processes may cache:
  // posts, cards, edges, relations, reactions and their counters.
  std::uint64_t unlogged = 0;
  TrustedTime passed;  // from the times of events in the log
  // A running load of posts has put early entries into authors' logs: entries of public posts with
  // ids from `early_from` to below `early_below` that are not stored yet. Readers ignore such an
  // entry until its post is stored.
  PostId early_from{};
  PostId early_below{};
  feed::FeedSettings settings;

  [[nodiscard]] bool may_be_early(PostId id) const { return id >= early_from && id < early_below; }
};

// A post with unfinished deliveries: done up to and including follower `done_to`.
struct FanOutRow {
  Sequence sequence;  // the post's event
  PostId post;
  UserNumber author;
  UserNumber done_to;

  bool operator==(const FanOutRow&) const = default;
};

// The direction of a walk over a range of rows.
enum class Direction : std::uint8_t { kDown, kUp };

}  // namespace chirp
