// The rows of one write transaction: what the rules of writing (core/rules) decide on, and what
// they leave behind.
//
// A store finds rows, ranges of rows, and keeps rows; it knows no rule. How it packs them is its
// own business. A rule is a function of the rows it reads, so it may be run again: a store that is
// far away runs the rules of a whole batch, notes which rows they lacked, fetches those in one
// call, and runs them again until nothing is lacking. For its sake a rule asks for all it can name
// before it looks at the first answer. What an earlier change of a batch has put, a later one
// finds.
//
// An example, a like that is taken back:
//
//   const Reactions::Key key{content_of(post), user};
//   if (!rows.find(key)) return false;
//   rows.discard(key);
//   rows.discard(ReactionsBy::Key{user, content_of(post)});
//   rows.log({.topic = Topic::kReactionRemoved, .actor = user, .post = post});
//
// Reading throws Error{kCorrupt} for a row that can't be read. One thread at a time.
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

  // Adds the row, or replaces the one there.
  template <class Key>
  void put(const Key& key, const typename TableOf<Key>::Row& row) {
    put_row(table_type<TableOf<Key>>(), &key, &row);
  }
  // True if it was there.
  template <class Key>
  bool erase(const Key& key) {
    return erase_row(table_type<TableOf<Key>>(), &key);
  }
  // The same for a rule that does not need the answer: a remote store then does not ask.
  template <class Key>
  void discard(const Key& key) {
    discard_row(table_type<TableOf<Key>>(), &key);
  }

  // ---- What a store implements, for all tables alike. Each pointer is to a value of the table's
  // type.
  virtual void put_row(const TableType& type, const void* key, const void* row) = 0;
  virtual bool erase_row(const TableType& type, const void* key) = 0;
  virtual void discard_row(const TableType& type, const void* key) = 0;
};

// The facts about a timeline, without its entries.
struct TimelineHead {
  PostId complete_from;  // at least: what the batch has delivered may have raised it
  std::uint64_t generation = 0;
  Time last_read;  // to the day
};

// A request that may come twice. The store keeps digests of both texts, and says only whether they
// are the same.
struct KeyedRequest {
  UserNumber user;
  std::string_view key;
  std::string canonical;  // of all that makes it another request
};
struct EarlierRequest {
  Time since;
  PostId post;  // the post made; for a comment, its id, which no post has
  bool same = false;
};

// Requests that are no longer needed: those first used before a time, or all of a user.
using StaleRequests = std::variant<Time, UserNumber>;

// Which side of follow edges a list is kept by.
enum class EdgeSide : std::uint8_t { kFollowing, kFollowers };

// When and where a transaction runs.
struct Turn {
  Time now;                   // the wall clock
  std::uint32_t machine = 0;  // the number of the directory in live ids
};

class Rows : public RowReader, public RowWriter {
 public:
  // A rule's changes to the state are stored with the rows.
  [[nodiscard]] virtual StoreState& state() = 0;
  [[nodiscard]] virtual const StoreState& state() const = 0;
  [[nodiscard]] virtual const Turn& turn() const = 0;
  [[nodiscard]] Time now() const { return turn().now; }

  // Returns the presence in the user's card; empty if there is none.
  [[nodiscard]] virtual std::optional<Presence> presence(UserNumber user) const = 0;
  // Whether others may see the user and act on them: neither removed nor suspended.
  [[nodiscard]] bool present(UserNumber user) const { return presence(user) == Presence::kPresent; }
  // Whether what is stored of the user is kept: present or suspended.
  [[nodiscard]] bool kept(UserNumber user) const {
    const auto found = presence(user);
    return found && *found != Presence::kRemoved;
  }

  // Announces that a rule may walk up from this comment while ancestors are removed, and ask
  // whether they have other replies. A remote store then fetches them in one call.
  virtual void expect_chain(const Comment& /*comment*/) const {}

  // ---- timelines; how they are packed is the store's business
  [[nodiscard]] virtual std::optional<TimelineHead> timeline(UserNumber viewer) const = 0;
  // Replaces the existing timeline.
  virtual void put_timeline(UserNumber viewer, const Timeline& timeline) = 0;
  // Merges entries (newest first, no id twice) into the timeline if it is of the state's
  // generation: see merge_entries. What is over the cap may go in blocks of an eighth of it. False
  // if there is no such timeline, as far as that is known here: a store that is far away learns it
  // when the write arrives there.
  virtual bool deliver(UserNumber viewer, std::span<const Entry> entries) = 0;
  // Keeps the day of the last read of a timeline that is there.
  virtual void note_read(UserNumber viewer, Time day) = 0;
  // True if there was one.
  virtual bool erase_timeline(UserNumber viewer) = 0;

  // How many early entries of the author (StoreState::early_from) have no post. The stored counters
  // include them, and what is shown does not.
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
  // Forgets at most `limit`; how many. Of old ones, the oldest first.
  virtual std::uint32_t forget_requests(const StaleRequests& which, std::uint32_t limit) = 0;

  // ---- what every rule writes by
  // The next live id: above the last, whatever the clock does.
  PostId mint();
  // Returns the lowest possible next live id: above every stored one.
  [[nodiscard]] PostId next_id() const { return {state().last_id.value + 1}; }
  // Appends to the log. Sequence and, unless given, time are filled in.
  void log(events::Event event);
};

}  // namespace chirp
