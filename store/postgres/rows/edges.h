// Follow edges, in chunks. A row holds up to kChunkEdges neighbours of one user, in ascending
// order, between the bound of the chunk before it and its own.
//
// The chunk with the highest bound is open-ended. A changed chunk is replaced by new rows; empty
// chunks are not stored.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/post.h"
#include "core/ports/rows.h"
#include "store/postgres/rows/placing.h"
#include "store/postgres/rows/writes.h"

namespace chirp::postgres {

class Questions;

inline constexpr std::size_t kChunkEdges = 256;

[[nodiscard]] std::string edges_schema();
// Counts the follows in a snapshot of this number.
inline constexpr std::string_view kCountFollows =
    "select coalesce(sum(cardinality(t.others)), 0)::int8 from following t where t.born <= $1::int8"
    " and (t.died is null or t.died > $1::int8) /*and t.b = bucket*/";

// Deletes rows that died up to $1.
[[nodiscard]] std::string_view dead_edges_sql(EdgeSide side);

// Chunks that were read for writing, for each side.
class EdgeChunks {
 public:
  struct Chunk {
    std::vector<Edge> edges;
    std::int64_t born = 0;
  };
  using Pair = std::pair<UserNumber, UserNumber>;

  using Chunks = std::map<std::pair<UserNumber, std::int32_t>, Chunk>;  // by user and bound
  // Adds the chunks that were read for these edges, whether or not the edges exist.
  void learn(EdgeSide side, std::span<const Pair> edges, Chunks chunks);
  [[nodiscard]] bool knows(EdgeSide side, const Pair& edge) const;

  // Changes of edges, in order: the time of the follow, or empty to delete it.
  using Changes = std::vector<std::pair<Pair, std::optional<Time>>>;
  // Adds the changes to `writes`. Returns by how many edges the number grows. All edges must be
  // known.
  std::int64_t write(Writes& writes, const Placing& placing, EdgeSide side, const Changes& changes,
                     std::int64_t number) const;

 private:
  struct OfSide {
    std::vector<Pair> known;  // ascending
    Chunks chunks;
  };
  [[nodiscard]] OfSide& of(EdgeSide side) { return sides_[static_cast<std::size_t>(side)]; }
  [[nodiscard]] const OfSide& of(EdgeSide side) const {
    return sides_[static_cast<std::size_t>(side)];
  }

  OfSide sides_[2];
};

struct EdgeRange {
  UserNumber user;
  UserNumber first;
  UserNumber last;
  std::uint64_t limit = 0;
};
struct EdgeRows {
  UserNumber user;
  std::vector<Edge> edges;
};

// Finds the time of each edge.
void find_edges(Questions& questions, EdgeSide side, const std::vector<EdgeChunks::Pair>& asked,
                EdgeChunks* chunks, std::function<void(std::vector<std::optional<Time>>)> then);
// Finds the edges of each range, in the given direction.
void range_edges(Questions& questions, EdgeSide side, std::vector<EdgeRange> asked,
                 Direction direction, EdgeChunks* chunks,
                 std::function<void(std::vector<EdgeRows>)> then);

}  // namespace chirp::postgres
