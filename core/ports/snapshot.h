// One consistent state of the engine's store, to read from.
//
// Batch-shaped: each call is one step that a remote store answers in one round trip, and all calls
// on one snapshot see the same state. Nothing here is an engine's own type: a snapshot may be a
// transaction, or a time stamp that goes along with each question. Hold one for a request, never
// while writing to a socket, a pipe or a terminal. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/events/event.h"
#include "core/feed/policy.h"
#include "core/model/post.h"
#include "core/model/timeline.h"
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
  std::uint64_t fan_out_queue = 0;  // posts whose deliveries are unfinished
  std::uint32_t delivery_ns = 500;  // measured cost of one delivery
  std::uint32_t source_ns = 700;    // measured cost of one merge source
  feed::FeedSettings settings;
};

// Where a page starts merging.
struct FeedSources {
  StoreState state;
  bool has_timeline = false;            // exists and is of the state's generation
  PostId complete_from;                 // C(V), if so
  Time last_read;                       // of the timeline, if so
  std::vector<UserNumber> following;    // ascending; without removed users
  std::vector<feed::AuthorMark> marks;  // of the viewer and those followed, who are not
                                        // always pushed; in any order
  std::vector<Entry> pending;  // posts by them that fan-out has yet to finish; newest first
};

enum class Direction : std::uint8_t { kDown, kUp };

// Ids strictly between two bounds.
struct IdRange {
  PostId above = kBelowAllPosts;  // exclusive
  PostId below = kAboveAllPosts;  // exclusive
};

// What a page shows of one author's or one viewer's neighbourhood.
struct EdgePage {
  std::vector<Edge> edges;  // by user number
  bool more = false;
};

// A post whose deliveries are unfinished: they have run up to and including follower `done_to`.
struct FanOutRow {
  Sequence sequence;  // of its event
  PostId post;
  UserNumber author;
  UserNumber done_to;

  bool operator==(const FanOutRow&) const = default;
};

class Snapshot {
 public:
  virtual ~Snapshot() = default;

  [[nodiscard]] virtual StoreState state() const = 0;

  // ---- users
  // One for each number asked for; empty if there is no card.
  [[nodiscard]] virtual std::vector<std::optional<AuthorCard>> cards(
      std::span<const UserNumber> numbers) const = 0;
  [[nodiscard]] virtual std::optional<UserNumber> number_of(UserId id) const = 0;
  // Stored counts and pending changes together.
  [[nodiscard]] virtual std::vector<UserCounters> counters(
      std::span<const UserNumber> numbers) const = 0;
  [[nodiscard]] virtual std::optional<feed::AuthorMark> mark(UserNumber author) const = 0;

  // ---- posts
  // One for each entry; empty if the post or its author is gone. Throws Error{kCorrupt} for a
  // record that fails its check.
  [[nodiscard]] virtual std::vector<std::optional<Post>> posts(
      std::span<const Entry> entries) const = 0;
  [[nodiscard]] virtual std::optional<Post> post(PostId id) const = 0;
  // The author logs of `authors` (ascending, no one twice) merged: the `limit` entries nearest
  // below `range.below`, newest first (kDown), or nearest above `range.above`, oldest first (kUp).
  // Fewer than `limit` only when there are no more in the range. Removed authors count as empty.
  [[nodiscard]] virtual std::vector<Entry> author_entries(std::span<const UserNumber> authors,
                                                          IdRange range, Direction direction,
                                                          std::uint32_t limit) const = 0;

  // ---- edges
  // As stored: edges of users marked as removed are there until their traces are gone.
  [[nodiscard]] virtual EdgePage following(UserNumber user, UserNumber after,
                                           std::uint32_t limit) const = 0;
  [[nodiscard]] virtual EdgePage followers(UserNumber user, UserNumber after,
                                           std::uint32_t limit) const = 0;
  // When `follower` began to follow `followee`; empty if they do not.
  [[nodiscard]] virtual std::optional<Time> follows(UserNumber follower,
                                                    UserNumber followee) const = 0;

  // ---- feeds
  // Of a viewer without a card, or a removed one: the state alone.
  [[nodiscard]] virtual FeedSources feed_sources(UserNumber viewer) const = 0;
  // Entries of the viewer's stored timeline in the range, at most `limit`, newest first (kDown) or
  // oldest first (kUp); as stored, unfiltered. Empty without a timeline.
  [[nodiscard]] virtual std::vector<Entry> timeline_entries(UserNumber viewer, IdRange range,
                                                            Direction direction,
                                                            std::uint32_t limit) const = 0;

  // ---- the log
  // Events from `from` on, at most `limit`, oldest first.
  [[nodiscard]] virtual std::vector<events::Event> events(Sequence from,
                                                          std::uint32_t limit) const = 0;
  // Unfinished deliveries, oldest first.
  [[nodiscard]] virtual std::vector<FanOutRow> fan_out_queue(std::uint32_t limit) const = 0;

  // ---- walks over everything, for doctor, export and statistics
  // In ascending order from above the key given, at most `limit`; empty at the end.
  [[nodiscard]] virtual std::vector<AuthorCard> scan_cards(UserNumber after,
                                                           std::uint32_t limit) const = 0;
  // By id; as stored, posts of users marked as removed among them.
  [[nodiscard]] virtual std::vector<Post> scan_posts(PostId after, std::uint32_t limit) const = 0;
  // The whole timeline as stored, valid or not; empty if there is none.
  [[nodiscard]] virtual std::optional<Timeline> timeline(UserNumber viewer) const = 0;
  [[nodiscard]] virtual std::vector<UserNumber> scan_timelines(UserNumber after,
                                                               std::uint32_t limit) const = 0;
  // The stored counters alone, pending changes left out. Who has none but zeros may be left out.
  [[nodiscard]] virtual std::vector<std::pair<UserNumber, UserCounters>> scan_counters(
      UserNumber after, std::uint32_t limit) const = 0;
  [[nodiscard]] virtual std::vector<feed::AuthorMark> scan_marks(UserNumber after,
                                                                 std::uint32_t limit) const = 0;
  // Users marked as removed whose traces are not all gone yet.
  [[nodiscard]] virtual std::vector<UserNumber> unfinished_removals() const = 0;
  // Rows a table, by table name; `cards`, `posts`, `follows`, `timelines` and `events` are among
  // them in every store.
  [[nodiscard]] virtual std::map<std::string, std::uint64_t> table_rows() const = 0;
  // Damage that only the store itself can see (an index that names no record, a broken chunk), one
  // line each.
  [[nodiscard]] virtual std::vector<std::string> problems() const = 0;
};

}  // namespace chirp
