// Follow edges, packed: each direction keeps a user's neighbours in chunks of some hundred, sorted.
//
// A chunk's key is the user and the chunk's lower bound; the first chunk's is 0. A neighbour takes
// one to three bytes and the time of following one to five, so two hundred followees are one
// look-up and a graph of millions of edges loads in seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/model/post.h"
#include "core/ports/snapshot.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// `table` is kFollowing or kFollowers throughout; `user` is the side the table is keyed by.

[[nodiscard]] std::vector<UserNumber> read_neighbours(const Txn& txn, Table table, UserNumber user);
// From above `after`, at most `limit`.
[[nodiscard]] EdgePage read_edges(const Txn& txn, Table table, UserNumber user, UserNumber after,
                                  std::uint64_t limit);
[[nodiscard]] std::optional<Time> read_edge(const Txn& txn, Table table, UserNumber user,
                                            UserNumber other);

// Edges in the whole table. `look` is called on the way, and may throw.
[[nodiscard]] std::uint64_t count_edges(const Txn& txn, Table table,
                                        const std::function<void()>& look = {});
// A chunk's edges, as stored.
[[nodiscard]] std::vector<Edge> decode_chunk(Table table, const Item& item);

// A user's edges in new chunks: calls `put` with the key and the record of each, in order. Both are
// valid until it returns.
void encode_chunks(RecordWriter& record, Table table, UserNumber user, std::span<const Edge> edges,
                   const std::function<void(Bytes key, Bytes record)>& put);

// True if there was such an edge.
bool erase_edge(Batch& batch, Table table, UserNumber user, UserNumber other);

// Merges edges of many users into one direction, a user after the other in ascending order.
class EdgeMerger {
 public:
  EdgeMerger(Batch& batch, Table table) : batch_(batch), table_(table), cursor_(batch.txn, table) {}

  // Adds `edges` (ascending by `other`, no one twice); who is there keeps their time. Returns the
  // ones that were new, valid until the next call.
  std::span<const UserNumber> add(UserNumber user, std::span<const Edge> edges);

 private:
  struct Chunk {
    UserNumber lower;
    std::optional<UserNumber> upper;  // the next chunk's lower bound, if there is one
    std::vector<Edge> edges;
  };
  Chunk chunk_for(UserNumber user, UserNumber other);
  void write(UserNumber user, UserNumber lower, std::span<const Edge> edges);

  Batch& batch_;
  Table table_;
  Cursor cursor_;
  std::vector<UserNumber> fresh_;
  std::vector<Edge> merged_;
};

}  // namespace chirp::lmdb
