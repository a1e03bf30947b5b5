// The rows of one write transaction, which the rules of writing (core/rules) read and change.
//
// A store finds and keeps rows; it knows no rules. Its storage format is private. A rule depends
// only on the rows it reads, so it can run several times. A remote store runs the rules of a whole
// batch, notes which rows were missing, fetches those in one call, and runs the rules again until
// no row is missing. For this a rule requests all rows it can name before it uses the first. Later
// changes of a batch see the rows of earlier ones.
//
// Example, removing a like:
//
//   const Reactions::Key key{content_of(post), user};
//   if (!rows.find(key)) return false;
//   rows.discard(key);
//   rows.discard(ReactionsBy::Key{user, content_of(post)});
//   rows.log({.topic = Topic::kReactionRemoved, .actor = user, .post = post});
//
// Reading throws Error{kCorrupt} for a damaged row. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/model/comment.h"
#include "core/model/event.h"
#include "core/model/timeline.h"
#include "core/ports/loads.h"
#include "core/ports/row_reader.h"
#include "core/ports/store_state.h"

namespace chirp {

// The writing half; the reading half is RowReader.
class RowWriter {
 public:
  virtual ~RowWriter() = default;

  // Adds the row, or replaces the existing one.
  template <class Key>
  void put(const Key& key, const typename TableOf<Key>::Row& row) {
    put_row(table_type<TableOf<Key>>(), &key, &row);
  }
  // Returns whether the row existed.
  template <class Key>
  bool erase(const Key& key) {
    return erase_row(table_type<TableOf<Key>>(), &key);
  }
  // The same without an answer: a remote store then needs no round trip.
  template <class Key>
  void discard(const Key& key) {
    discard_row(table_type<TableOf<Key>>(), &key);
  }

  // ---- What a store implements, once for all tables. Each pointer is to a value of the table's
  // type.
  virtual void put_row(const TableType& type, const void* key, const void* row) = 0;
  virtual bool erase_row(const TableType& type, const void* key) = 0;
  virtual void discard_row(const TableType& type, const void* key) = 0;
};

// The facts about a timeline, without its entries.
struct TimelineHead {
  PostId complete_from;  // a lower bound: deliveries of the batch may have raised it
  std::uint64_t generation = 0;
  Time last_read;  // rounded down to the day
};

// A request with an idempotency key. The store keeps digests of both texts, and only compares them.
struct KeyedRequest {
  UserNumber user;
  std::string_view key;
  std::string canonical;  // everything that distinguishes it from other requests
};
struct EarlierRequest {
  Time since;
  PostId post;  // the post created; for a comment, its id, which no post has
  bool same = false;
};

// Requests to forget: those first used before a time, or all of a user.
using StaleRequests = std::variant<Time, UserNumber>;

// The user whose list holds a follow edge.
enum class EdgeSide : std::uint8_t { kFollowing, kFollowers };

// The time and machine number of a transaction.
struct Turn {
  Time now;                   // wall clock
  std::uint32_t machine = 0;  // the directory's machine number in live ids
};

class Rows : public RowReader, public RowWriter {
 public:
  // A rule's changes to the state are stored with the rows.
  [[nodiscard]] virtual StoreState& state() = 0;
  [[nodiscard]] virtual const StoreState& state() const = 0;
  [[nodiscard]] virtual const Turn& turn() const = 0;
  [[nodiscard]] Time now() const { return turn().now; }

  // Returns the presence in the user's card; empty without a card.
  [[nodiscard]] virtual std::optional<Presence> presence(UserNumber user) const = 0;
  // Whether others may see the user and act on them: neither removed nor suspended.
  [[nodiscard]] bool present(UserNumber user) const { return presence(user) == Presence::kPresent; }
  // Whether the user's data is kept: present or suspended.
  [[nodiscard]] bool kept(UserNumber user) const {
    const auto found = presence(user);
    return found && *found != Presence::kRemoved;
  }

  // Announces that a rule may walk up from this comment while ancestors are removed, and ask
  // whether they have other replies. A remote store then fetches them in one call.
  virtual void expect_chain(const Comment& /*comment*/) const {}

  // ---- timelines, in the store's own format
  [[nodiscard]] virtual std::optional<TimelineHead> timeline(UserNumber viewer) const = 0;
  // Replaces the existing timeline.
  virtual void put_timeline(UserNumber viewer, const Timeline& timeline) = 0;
  // Merges entries (newest first, no id twice) into the timeline if it is of the state's
  // generation: see merge_entries. Entries above the cap may be dropped in blocks of an eighth of
  // it. Returns false if there is no such timeline, as far as is known here: a remote store may
  // find that out only when the write arrives.
  virtual bool deliver(UserNumber viewer, std::span<const Entry> entries) = 0;
  // Sets the day of the last read of an existing timeline.
  virtual void note_read(UserNumber viewer, Time day) = 0;
  // Returns whether there was one.
  virtual bool erase_timeline(UserNumber viewer) = 0;

  // Number of the author's early entries (StoreState::early_from) that have no post yet. Stored
  // counters include them, counters shown to users do not.
  [[nodiscard]] virtual std::int64_t entries_without_post(UserNumber /*author*/) const { return 0; }

  // ---- follow edges in bulk
  // Adds `others` (ascending, unique) to one user's side of the edges. Existing edges keep their
  // time. Returns the new ones, valid until the next call. Call it for users in ascending order.
  virtual std::span<const UserNumber> add_edges(EdgeSide side, UserNumber user,
                                                std::span<const Edge> others) = 0;
  // Returns how many of these edges, from the front, fit one transaction; at least one, or 0 if
  // none is given.
  [[nodiscard]] virtual std::size_t edges_that_fit(std::span<const LoadedEdge> edges) const = 0;

  // ---- idempotency keys
  [[nodiscard]] virtual std::optional<EarlierRequest> earlier(
      const KeyedRequest& request) const = 0;
  virtual void remember(const KeyedRequest& request, PostId post) = 0;
  // Forgets at most `limit`, the oldest first. Returns how many.
  virtual std::uint32_t forget_requests(const StaleRequests& which, std::uint32_t limit) = 0;

  // ---- ids and the log
  // Returns the next live id: above the last, even if the clock steps back.
  PostId mint();
  // Returns the lowest possible next live id: above every stored one.
  [[nodiscard]] PostId next_id() const { return {state().last_id.value + 1}; }
  // Appends to the log. Fills in the sequence, and the time if it is not set.
  void log(events::Event event);
};

}  // namespace chirp
