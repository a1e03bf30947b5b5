// The newest of what the log says has arrived: posts and reposts, by author.
//
// A window asks for those that concern it, by the authors its reader follows. It is answered by
// whichever is less: all arrivals since the window's position, or the authors. For the latter each
// arrival names the one before it whose author falls into the same bucket of a table, so an author
// who has not posted since costs one look. Nothing is deleted: an arrival that has given way is
// older than the oldest that is known, and there a chain ends (as in LZ77 coders with hash chains).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/ids.h"
#include "core/model/post.h"

namespace chirp::hot {

// A post or repost that the log tells of.
struct Arrival {
  Sequence sequence;
  PostId post;
  UserNumber author;
  Privacy privacy = Privacy::kPublic;
  bool gone = false;         // removed since
  std::uint64_t before = 0;  // one past the place of the one before in its bucket; 0: none
};

class Arrivals {
 public:
  // What one takes, with its share of the table.
  static constexpr std::size_t kBytesEach = sizeof(Arrival) + 2 * sizeof(std::uint64_t);

  // Knows the newest `most`.
  explicit Arrivals(std::size_t most);

  // The newest one; the oldest gives way to it if need be.
  void add(Sequence sequence, PostId post, UserNumber author, Privacy privacy);
  void remove(PostId post, UserNumber author);
  // Posts were loaded, of which this is the newest.
  void add_load(Sequence sequence, PostId newest);
  // Forgets all: nothing before `from` is known.
  void clear(Sequence from);

  // Whether all from there on are known.
  [[nodiscard]] bool reach(Sequence from) const { return from_ <= from; }
  // Those from a position on by `authors`, ascending, and `reader`; oldest first.
  [[nodiscard]] std::vector<Arrival> since(Sequence from, std::span<const UserNumber> authors,
                                           UserNumber reader) const;
  // The newest post that was loaded from there on; empty if none was.
  [[nodiscard]] std::optional<PostId> loaded_since(Sequence from) const;

 private:
  struct Load {
    Sequence sequence;
    PostId newest;
  };
  // More are not known.
  static constexpr std::size_t kLoadsMax = 4096;

  [[nodiscard]] const Arrival& at(std::uint64_t place) const { return ring_[place % most_]; }
  [[nodiscard]] std::uint64_t& last_of(UserNumber author);
  [[nodiscard]] std::uint64_t last_of(UserNumber author) const;
  [[nodiscard]] std::uint64_t place_of(Sequence from) const;

  std::size_t most_;
  std::vector<Arrival> ring_;         // an arrival's place stands modulo `most_`
  std::vector<std::uint64_t> lasts_;  // by bucket, one past the place of the newest
  std::uint64_t first_ = 0;           // place of the oldest known
  std::uint64_t end_ = 0;             // one past that of the newest
  Sequence from_;
  // Ascending by sequence, and descending by post: a load that has a newer one later is not needed.
  std::vector<Load> loads_;
};

}  // namespace chirp::hot
