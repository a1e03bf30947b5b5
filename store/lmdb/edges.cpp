#include "store/lmdb/edges.h"

#include <algorithm>

#include "core/error.h"
#include "core/limits.h"

namespace chirp::lmdb {
namespace {

// Bytes of a chunk's payload before it is split, and the target size of the pieces, which can grow.
constexpr std::size_t kChunkMax = 1900;
constexpr std::size_t kChunkAim = 1300;
static_assert(kChunkMax + kRecordHeader <= kRecordMax);

// Reads the neighbours of a chunk: the column of members, then the column of times.
class ChunkReader {
 public:
  ChunkReader(Table table, const Item& item) : in_(table, item.key, item.value) {
    member_ = user_at(item.key, 4).value;
    count_ = in_.count();
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }

  // Calls `take` with each member.
  template <class Take>
  void members(Take take) {
    for (std::uint64_t i = 0; i < count_; ++i) {
      member_ += in_.varint32();
      take(UserNumber{member_});
    }
  }
  // After members(): calls `take` with the time of each member.
  template <class Take>
  void times(Take take) {
    Time time{snowflake::kEpochMs};
    for (std::uint64_t i = 0; i < count_; ++i) {
      time = in_.time(time);
      take(time);
    }
    if (!in_.done()) in_.broken();
  }

 private:
  RecordReader in_;
  std::uint32_t member_ = 0;
  std::uint64_t count_ = 0;
};

void append_chunk(Table table, const Item& item, std::vector<Edge>& edges) {
  ChunkReader chunk(table, item);
  std::size_t at = edges.size();
  chunk.members([&](UserNumber member) { edges.push_back({member, {}}); });
  chunk.times([&](Time time) { edges[at++].since = time; });
}

// Whether `item` is a chunk of `user`.
bool belongs(const std::optional<Item>& item, UserNumber user) {
  return item && user_at(item->key) == user;
}

// Returns the only chunk that can hold `other`.
std::optional<Item> chunk_at(Cursor& cursor, UserNumber user, UserNumber other) {
  // The first key above (user, other), then one back.
  auto item = other.value == ~0u ? cursor.before(key(UserNumber{user.value + 1}, kNobody))
                                 : cursor.before(key(user, UserNumber{other.value + 1}));
  if (!belongs(item, user)) return std::nullopt;
  return item;
}

Bytes encode(RecordWriter& record, Table table, Bytes k, UserNumber lower,
             std::span<const Edge> edges) {
  record.start();
  record.varint(edges.size());
  std::uint32_t member = lower.value;
  for (const Edge& edge : edges) {
    record.varint(edge.other.value - member);
    member = edge.other.value;
  }
  std::int64_t ms = snowflake::kEpochMs;
  for (const Edge& edge : edges) {
    record.zigzag(edge.since.ms - ms);
    ms = edge.since.ms;
  }
  return record.payload_size() <= kChunkMax ? record.seal(table, k) : Bytes{};
}

// Writes one chunk with this lower bound, or several if necessary.
template <class Put>
void put_chunks(RecordWriter& record, Table table, UserNumber user, UserNumber lower,
                std::span<const Edge> edges, const Put& put) {
  const auto k = key(user, lower);
  const Bytes whole = encode(record, table, k, lower, edges);
  if (!whole.empty()) {
    put(k, whole);
    return;
  }
  const std::size_t pieces = record.payload_size() / kChunkAim + 1;
  const std::size_t each = (edges.size() + pieces - 1) / pieces;
  for (std::size_t i = 0; i < edges.size(); i += each) {
    const auto piece = edges.subspan(i, std::min(each, edges.size() - i));
    put_chunks(record, table, user, i == 0 ? lower : piece.front().other, piece, put);
  }
}

}  // namespace

std::vector<UserNumber> read_neighbours(const Txn& txn, Table table, UserNumber user) {
  std::vector<UserNumber> members;
  Cursor cursor(txn, table);
  for (auto item = cursor.at_or_after(key(user, kNobody)); belongs(item, user);
       item = cursor.next()) {
    ChunkReader chunk(table, *item);
    members.reserve(members.size() + chunk.count());
    chunk.members([&](UserNumber member) { members.push_back(member); });
  }
  return members;
}

EdgePage read_edges(const Txn& txn, Table table, UserNumber user, UserNumber after,
                    std::uint64_t limit) {
  EdgePage page;
  Cursor cursor(txn, table);
  auto item = chunk_at(cursor, user, after);
  if (!item) item = cursor.at_or_after(key(user, kNobody));
  for (; belongs(item, user) && page.edges.size() <= limit; item = cursor.next()) {
    append_chunk(table, *item, page.edges);
    std::erase_if(page.edges, [&](const Edge& edge) { return edge.other <= after; });
  }
  if (page.edges.size() > limit) {
    page.edges.resize(limit);
    page.more = true;
  }
  return page;
}

std::optional<Time> read_edge(const Txn& txn, Table table, UserNumber user, UserNumber other) {
  Cursor cursor(txn, table);
  const auto item = chunk_at(cursor, user, other);
  if (!item) return std::nullopt;
  std::vector<Edge> edges;
  append_chunk(table, *item, edges);
  const auto at = std::lower_bound(edges.begin(), edges.end(), other,
                                   [](const Edge& e, UserNumber n) { return e.other < n; });
  if (at == edges.end() || at->other != other) return std::nullopt;
  return at->since;
}

std::uint64_t count_edges(const Txn& txn, Table table, const std::function<void()>& look) {
  constexpr std::uint64_t kChunksALook = 10'000;
  std::uint64_t count = 0;
  std::uint64_t chunks = 0;
  Cursor cursor(txn, table);
  for (auto item = cursor.first(); item; item = cursor.next()) {
    if (look && ++chunks % kChunksALook == 0) look();
    count += ChunkReader(table, *item).count();
  }
  return count;
}

std::vector<Edge> decode_chunk(Table table, const Item& item) {
  std::vector<Edge> edges;
  append_chunk(table, item, edges);
  return edges;
}

void encode_chunks(RecordWriter& record, Table table, UserNumber user, std::span<const Edge> edges,
                   const std::function<void(Bytes key, Bytes record)>& put) {
  if (!edges.empty()) put_chunks(record, table, user, kNobody, edges, put);
}

bool erase_edge(Batch& batch, Table table, UserNumber user, UserNumber other) {
  Cursor cursor(batch.txn, table);
  const auto item = chunk_at(cursor, user, other);
  if (!item) return false;
  std::vector<Edge> edges;
  append_chunk(table, *item, edges);
  if (std::erase_if(edges, [&](const Edge& edge) { return edge.other == other; }) == 0) {
    return false;
  }
  const UserNumber lower = user_at(item->key, 4);
  const auto k = key(user, lower);
  // An emptied chunk is erased, and the previous one takes over its range. The first chunk may be
  // erased too: the next lookup finds nothing below and starts a new one.
  if (edges.empty()) {
    batch.txn.erase(table, k);
  } else {
    batch.txn.put(table, k, encode(batch.record, table, k, lower, edges));
  }
  if (table == Table::kFollowing) --batch.state.follows;
  return true;
}

EdgeMerger::Chunk EdgeMerger::chunk_for(UserNumber user, UserNumber other) {
  Chunk chunk{kNobody, std::nullopt, {}};
  auto item = cursor_.at_or_after(key(user, kNobody));
  if (!belongs(item, user)) return chunk;
  if (user_at(item->key, 4) > other) {
    // The chunk from 0 on was erased; a new one fills its range.
    chunk.upper = user_at(item->key, 4);
    return chunk;
  }
  const auto take = [&](const Item& found) {
    chunk.lower = user_at(found.key, 4);
    chunk.edges.clear();
    append_chunk(table_, found, chunk.edges);
  };
  take(*item);
  item = cursor_.next();
  if (!belongs(item, user)) return chunk;  // most users have one chunk
  if (user_at(item->key, 4) <= other) {
    item = chunk_at(cursor_, user, other);
    take(*item);
    item = cursor_.next();
  }
  if (belongs(item, user)) chunk.upper = user_at(item->key, 4);
  return chunk;
}

void EdgeMerger::write(UserNumber user, UserNumber lower, std::span<const Edge> edges) {
  put_chunks(batch_.record, table_, user, lower, edges,
             [this](Bytes k, Bytes value) { cursor_.put(k, value); });
}

std::span<const UserNumber> EdgeMerger::add(UserNumber user, std::span<const Edge> edges) {
  fresh_.clear();
  while (!edges.empty()) {
    const Chunk chunk = chunk_for(user, edges.front().other);
    std::size_t mine = edges.size();
    if (chunk.upper) {
      const auto end = std::lower_bound(edges.begin(), edges.end(), *chunk.upper,
                                        [](const Edge& e, UserNumber n) { return e.other < n; });
      mine = static_cast<std::size_t>(end - edges.begin());
    }
    merged_.clear();
    merged_.reserve(chunk.edges.size() + mine);
    std::size_t before = fresh_.size();
    auto old = chunk.edges.begin();
    for (const Edge& edge : edges.first(mine)) {
      while (old != chunk.edges.end() && old->other < edge.other) merged_.push_back(*old++);
      if (old != chunk.edges.end() && old->other == edge.other) continue;
      merged_.push_back(edge);
      fresh_.push_back(edge.other);
    }
    merged_.insert(merged_.end(), old, chunk.edges.end());
    if (fresh_.size() > before) write(user, chunk.lower, merged_);
    edges = edges.subspan(mine);
  }
  if (table_ == Table::kFollowing) batch_.state.follows += fresh_.size();
  return fresh_;
}

namespace {

// On a busy disk every commit is slow, and smaller ones are no faster: a lower minimum would only
// mean more of them.
constexpr std::size_t kEdgesAtOnceMin = 8'192;
constexpr std::size_t kEdgesAtOnceMax = 2'000'000;
// A user's chunks take longer with each new one, so a transaction often takes longer than the last
// ones predict.
constexpr double kTargetMs = limits::kLoadTransactionMs * 0.75;

}  // namespace

void EdgePace::took(std::size_t edges, std::size_t at_once,
                    std::chrono::duration<double, std::milli> time) {
  const double factor = std::clamp(kTargetMs / std::max(time.count(), 0.1), 0.5, 1.5);
  if (edges < at_once && factor >= 1) return;
  at_once_ = std::clamp(static_cast<std::size_t>(static_cast<double>(edges) * factor),
                        kEdgesAtOnceMin, kEdgesAtOnceMax);
}

}  // namespace chirp::lmdb
