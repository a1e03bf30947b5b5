// Follow edges, packed: each direction keeps a user's neighbours sorted, in chunks of some hundred.
//
// A chunk's key is the user and the chunk's lower bound, which is 0 for the first. A neighbour
// takes one to three bytes and the time of following one to five. So two hundred followees are one
// look-up, and a graph of millions of edges loads in seconds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/model/post.h"
#include "core/ports/snapshot.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// In all functions `table` is kFollowing or kFollowers, and `user` is the side in the table's key.

[[nodiscard]] std::vector<UserNumber> read_neighbours(const Txn& txn, Table table, UserNumber user);
// Returns at most `limit` edges above `after`.
[[nodiscard]] EdgePage read_edges(const Txn& txn, Table table, UserNumber user, UserNumber after,
                                  std::uint64_t limit);
[[nodiscard]] std::optional<Time> read_edge(const Txn& txn, Table table, UserNumber user,
                                            UserNumber other);

// Counts the edges of the whole table. `look` is called regularly, and may throw.
[[nodiscard]] std::uint64_t count_edges(const Txn& txn, Table table,
                                        const std::function<void()>& look = {});
// Returns a chunk's edges, as stored.
[[nodiscard]] std::vector<Edge> decode_chunk(Table table, const Item& item);

// Packs a user's edges into new chunks: calls `put` with the key and record of each, in order. Both
// are valid until it returns.
void encode_chunks(RecordWriter& record, Table table, UserNumber user, std::span<const Edge> edges,
                   const std::function<void(Bytes key, Bytes record)>& put);

// Returns true if there was such an edge.
bool erase_edge(Batch& batch, Table table, UserNumber user, UserNumber other);

// Merges edges of many users into one direction, user by user in ascending order.
class EdgeMerger {
 public:
  EdgeMerger(Batch& batch, Table table) : batch_(batch), table_(table), cursor_(batch.txn, table) {}

  // Adds `edges` (ascending by `other`, without repeats); existing edges keep their time. Returns
  // the new ones, valid until the next call.
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

// The number of edges in a load's transaction, so that it takes about limits::kLoadTransactionMs.
// Adapts to the time of the last transactions. Safe to use from any thread.
class EdgePace {
 public:
  [[nodiscard]] std::size_t at_once() const { return at_once_; }
  // A transaction that could take `at_once` edges took `edges` of them, in this time.
  void took(std::size_t edges, std::size_t at_once, std::chrono::duration<double, std::milli> time);

 private:
  std::atomic<std::size_t> at_once_{50'000};
};

}  // namespace chirp::lmdb
