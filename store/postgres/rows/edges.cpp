#include "store/postgres/rows/edges.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "core/error.h"
#include "store/postgres/rows/questions.h"

namespace chirp::postgres {
namespace {

constexpr std::int32_t kLastBound = std::numeric_limits<std::int32_t>::max();
// Edges expected per chunk, low because chunks may be half empty. It sets how many to fetch.
constexpr std::uint64_t kEdgesExpected = kChunkEdges / 4;

constexpr std::array<std::string_view, 2> kNames{"following", "followers"};

struct SideSql {
  std::string find;
  std::string up;
  std::string down;
  std::string end;
  std::string insert;
  std::string sweep;
};

SideSql make_side_sql(std::string_view name) {
  constexpr std::string_view kSeen = "t.born <= $1::int8 and (t.died is null or t.died > $1::int8)";
  const auto range = [&](std::string_view order) {
    return fmt::format(
        "select x.i, e.bound, e.others, e.since from unnest($2::int4[], $3::int4[], $4::int4[],"
        " $5::int8[]) with ordinality x(u, lo, hi, n, i) cross join lateral (select t.bound, "
        "t.others,"
        " t.since from {} t where t.usr = x.u and t.bound >= x.lo and t.others[1] <= x.hi and {}"
        " /*and t.b = bucket*/ order by t.bound{} limit x.n) e",
        name, kSeen, order);
  };
  return {
      // The chunk with the lowest bound is nearly always visible, as the newest row of that bound;
      // a busy chunk has left many dead rows. Otherwise rows are read in order.
      fmt::format(
          "select x.u, e.bound, e.others, e.since, e.born from (select x.u, f.bound, min(x.o) as o"
          " from unnest($2::int4[], $3::int4[]) x(u, o) cross join lateral (select f.bound from {0}"
          " f where f.usr = x.u and f.bound >= x.o /*and f.b = bucket*/ order by f.bound limit 1) f"
          " group by x.u, f.bound) x cross join lateral ((select t.* from (select t.* from {0} t"
          " where t.usr = x.u and t.bound = x.bound and t.born <= $1::int8 /*and t.b = bucket*/"
          " order by t.born desc limit 1) t where t.died is null or t.died > $1::int8)"
          " union all (select t.* from {0} t where t.usr = x.u and t.bound >= x.o and {1}"
          " /*and t.b = bucket*/ order by t.bound limit 1) limit 1) e",
          name, kSeen),
      range(""), range(" desc"),
      fmt::format("update {} t set died = $1::int8 from unnest($2::int4[], $3::int4[], $4::int8[])"
                  " x(u, b, v) where t.usr = x.u and t.bound = x.b and t.born = x.v and"
                  " t.died is null /*and t.b = bucket*/",
                  name),
      // PostgreSQL's arrays are rectangular, so rows are slices of one array, given by their ends.
      fmt::format("insert into {} (/*b, */usr, bound, others, since, born)"
                  " select /*bucket, */x.u, x.b,"
                  " ($2::int4[])[x.from_at:x.to_at], x.s, $1::int8 from unnest($3::int4[],"
                  " $4::int4[], $5::int4[], $6::int4[], $7::bytea[]) x(u, b, from_at, to_at, s)",
                  name),
      fmt::format("delete from {} t where died <= $1::int8 /*and t.b = bucket*/", name)};
}

const SideSql& sql_of_side(EdgeSide side) {
  static const std::array<SideSql, 2> kSql{make_side_sql(kNames[0]), make_side_sql(kNames[1])};
  return kSql[static_cast<std::size_t>(side)];
}

std::int32_t int4_of(UserNumber user) {
  return static_cast<std::int32_t>(std::min<std::uint32_t>(user.value, kLastBound));
}

std::string packed_times(std::span<const Edge> edges) {
  Packer out;
  Time before{snowflake::kEpochMs};
  for (const Edge& edge : edges) {
    out.zigzag(edge.since.ms - before.ms);
    before = edge.since;
  }
  return out.bytes();
}

std::vector<Edge> edges_in(const Result& result, int row, int others, int since) {
  std::vector<Edge> edges;
  Unpacker in(result.bytes(row, since), "follow edges");
  Time time{snowflake::kEpochMs};
  for (const std::int64_t other : numbers_in(result.bytes(row, others))) {
    time.ms += in.zigzag();
    edges.push_back({UserNumber{static_cast<std::uint32_t>(other)}, time});
  }
  if (!in.done()) in.broken();
  return edges;
}

// ---------------------------------------------------------------- writing

// Rows to end and to insert, in arrays.
class ChunkRows {
 public:
  void end(UserNumber user, std::int32_t bound, std::int64_t born) {
    ended_users_.number(int4_of(user));
    ended_bounds_.number(bound);
    ended_born_.number(born);
  }
  void add(UserNumber user, std::int32_t bound, std::span<const Edge> edges) {
    users_.number(int4_of(user));
    bounds_.number(bound);
    from_.number(static_cast<std::int32_t>(others_.size() + 1));
    for (const Edge& edge : edges) others_.number(int4_of(edge.other));
    to_.number(static_cast<std::int32_t>(others_.size()));
    since_.raw(packed_times(edges));
  }
  [[nodiscard]] std::size_t size() const { return ended_users_.size() + users_.size(); }
  void put_into(Writes& writes, Group group, EdgeSide side, std::int64_t number) const {
    const SideSql& sql = sql_of_side(side);
    if (ended_users_.size() != 0) {
      writes.add(group, sql.end,
                 Params().int8(number).add(ended_users_).add(ended_bounds_).add(ended_born_));
    }
    if (users_.size() != 0) {
      writes.add(
          group, sql.insert,
          Params().int8(number).add(others_).add(users_).add(bounds_).add(from_).add(to_).add(
              since_));
    }
  }

 private:
  Array ended_users_{Type::kInt4};
  Array ended_bounds_{Type::kInt4};
  Array ended_born_{Type::kInt8};
  Array users_{Type::kInt4};
  Array bounds_{Type::kInt4};
  Array from_{Type::kInt4};
  Array to_{Type::kInt4};
  Array others_{Type::kInt4};
  Array since_{Type::kBytea};
};

using EdgeChange = std::pair<UserNumber, std::optional<Time>>;

// Both arguments are in ascending order.
std::vector<Edge> changed(const std::vector<Edge>& edges, const std::vector<EdgeChange>& changes) {
  std::vector<Edge> result;
  result.reserve(edges.size() + changes.size());
  auto edge = edges.begin();
  for (const auto& [other, since] : changes) {
    while (edge != edges.end() && edge->other < other) result.push_back(*edge++);
    if (edge != edges.end() && edge->other == other) ++edge;
    if (since) result.push_back({other, *since});
  }
  result.insert(result.end(), edge, edges.end());
  return result;
}

// Splits them into as few chunks as possible, of nearly equal size.
void add_split(ChunkRows& rows, UserNumber user, std::int32_t bound, std::span<const Edge> edges) {
  while (!edges.empty()) {
    const std::size_t chunks = (edges.size() + kChunkEdges - 1) / kChunkEdges;
    const std::size_t size = (edges.size() + chunks - 1) / chunks;
    const auto chunk = edges.first(size);
    edges = edges.subspan(size);
    rows.add(user, edges.empty() ? bound : int4_of(chunk.back().other), chunk);
  }
}

// The chunk, among those that were read, whose range contains the edge, whether or not it has the
// edge. The end if all chunks of the user are lower.
EdgeChunks::Chunks::const_iterator chunk_of(const EdgeChunks::Chunks& chunks,
                                            const EdgeChunks::Pair& edge) {
  const auto chunk = chunks.lower_bound({edge.first, int4_of(edge.second)});
  return chunk != chunks.end() && chunk->first.first == edge.first ? chunk : chunks.end();
}

}  // namespace

std::string edges_schema() {
  std::string sql;
  for (const std::string_view name : kNames) {
    sql += fmt::format(
        "create table if not exists {0} (born int8 not null, died int8, usr int4 not null,"
        " bound int4 not null, others int4[] not null, since bytea not null"
        "/*, b int4 not null*/, primary key (/*b, */usr, bound, born));"
        " create index if not exists {0}_died on {0} (died) where died is not null;",
        name);
  }
  return sql;
}

std::string_view dead_edges_sql(EdgeSide side) { return sql_of_side(side).sweep; }

void EdgeChunks::learn(EdgeSide side, std::span<const Pair> edges, Chunks chunks) {
  auto& known = of(side).known;
  known.insert(known.end(), edges.begin(), edges.end());
  std::ranges::sort(known);
  of(side).chunks.merge(std::move(chunks));
}

bool EdgeChunks::knows(EdgeSide side, const Pair& edge) const {
  return std::ranges::binary_search(of(side).known, edge);
}

std::int64_t EdgeChunks::write(Writes& writes, const Placing& placing, EdgeSide side,
                               const Changes& changes, std::int64_t number) const {
  const Chunks& chunks = of(side).chunks;
  std::map<Group, ChunkRows> rows;
  std::int64_t more = 0;
  for (auto change = changes.begin(); change != changes.end();) {
    const UserNumber user = change->first.first;
    const auto chunk = chunk_of(chunks, change->first);
    const bool is_there = chunk != chunks.end();
    const std::int32_t bound = is_there ? chunk->first.second : kLastBound;
    std::vector<EdgeChange> of_chunk;
    for (; change != changes.end(); ++change) {
      const auto& [edge, since] = *change;
      if (edge.first != user || int4_of(edge.second) > bound) break;
      of_chunk.emplace_back(edge.second, since);
    }
    const Chunk none;
    const auto& [before, born] = is_there ? chunk->second : none;
    const std::vector<Edge> after = changed(before, of_chunk);
    if (after == before) continue;
    more += static_cast<std::int64_t>(after.size()) - static_cast<std::int64_t>(before.size());
    const Group group = placing.group_of(user);
    ChunkRows& of_group = rows[group];
    if (is_there) of_group.end(user, bound, born);
    add_split(of_group, user, bound, after);
    if (of_group.size() < kKeysAtOnce) continue;
    of_group.put_into(writes, group, side, number);
    rows.erase(group);
  }
  for (const auto& [group, of_group] : rows) of_group.put_into(writes, group, side, number);
  return more;
}

// ---------------------------------------------------------------- reading

namespace {

using FoundTimes = GatheredParts<std::vector<std::optional<Time>>>;

// Finds the edges of one group, given by their positions in `asked`.
void find_in_group(Questions& questions, Group group, EdgeSide side,
                   const std::vector<EdgeChunks::Pair>& all, const std::vector<std::size_t>& which,
                   EdgeChunks* chunks, const std::shared_ptr<FoundTimes>& gathered) {
  Array users(Type::kInt4);
  Array others(Type::kInt4);
  std::vector<EdgeChunks::Pair> asked;
  for (const std::size_t i : which) {
    asked.push_back(all[i]);
    users.number(int4_of(all[i].first));
    others.number(int4_of(all[i].second));
  }
  questions.at(
      group, sql_of_side(side).find, Params().int8(questions.point().number).add(users).add(others),
      [side, chunks, which, gathered, asked = std::move(asked)](const Result& result) {
        EdgeChunks::Chunks found;
        for (int row = 0; row < result.rows(); ++row) {
          const UserNumber user{static_cast<std::uint32_t>(result.number(row, 0))};
          const auto bound = static_cast<std::int32_t>(result.number(row, 1));
          found.try_emplace({user, bound},
                            EdgeChunks::Chunk{edges_in(result, row, 2, 3), result.number(row, 4)});
        }
        for (std::size_t at = 0; at < asked.size(); ++at) {
          const auto chunk = chunk_of(found, asked[at]);
          if (chunk == found.end()) continue;
          const auto& edges = chunk->second.edges;
          const UserNumber other = asked[at].second;
          const auto there = std::ranges::lower_bound(edges, other, {}, &Edge::other);
          if (there != edges.end() && there->other == other) {
            gathered->found[which[at]] = there->since;
          }
        }
        if (chunks != nullptr) chunks->learn(side, asked, std::move(found));
        gathered->one_is_there();
      });
}

}  // namespace

void find_edges(Questions& questions, EdgeSide side, const std::vector<EdgeChunks::Pair>& asked,
                EdgeChunks* chunks, std::function<void(std::vector<std::optional<Time>>)> then) {
  const Placing& placing = questions.placing();
  const auto parts = in_parts(grouped(
      asked, placing.any(), [&](const auto& edge) { return placing.group_of(edge.first); }));
  const auto gathered = std::make_shared<FoundTimes>(parts.size(), std::move(then));
  gathered->found.resize(asked.size());
  for (const auto& [group, which] : parts) {
    find_in_group(questions, group, side, asked, which, chunks, gathered);
  }
}

namespace {

// Reads ranges of edges. Ranges that are not complete are queried again from the last edge.
struct EdgeRanges : std::enable_shared_from_this<EdgeRanges> {
  EdgeSide side = EdgeSide::kFollowing;
  bool up = true;
  std::vector<EdgeRange> ranges;
  std::vector<EdgeRows> found;
  std::function<void(std::vector<EdgeRows>)> then;
  std::size_t parts = 0;  // groups that are not complete

  void ask(Questions& questions, Group group, const std::vector<std::size_t>& which) {
    Array users(Type::kInt4);
    Array first(Type::kInt4);
    Array last(Type::kInt4);
    Array limits(Type::kInt8);
    std::vector<std::int64_t> chunks;
    for (const std::size_t i : which) {
      const EdgeRange& range = ranges[i];
      users.number(int4_of(range.user));
      first.number(int4_of(range.first));
      last.number(int4_of(range.last));
      const std::uint64_t missing = range.limit - found[i].edges.size();
      chunks.push_back(missing == 0 ? 0 : static_cast<std::int64_t>(missing / kEdgesExpected + 2));
      limits.number(chunks.back());
    }
    const SideSql& sql = sql_of_side(side);
    questions.at(
        group, up ? sql.up : sql.down,
        Params().int8(questions.point().number).add(users).add(first).add(last).add(limits),
        [self = shared_from_this(), &questions, group, which, chunks = std::move(chunks)](
            const Result& result) { self->take(questions, group, which, chunks, result); });
  }

  void take(Questions& questions, Group group, const std::vector<std::size_t>& which,
            const std::vector<std::int64_t>& chunks, const Result& result) {
    std::vector<std::int64_t> got(which.size());
    std::vector<std::int32_t> bounds(which.size());
    for (int row = 0; row < result.rows(); ++row) {
      const auto at = static_cast<std::size_t>(result.number(row, 0) - 1);
      ++got[at];
      bounds[at] = static_cast<std::int32_t>(result.number(row, 1));
      auto edges = edges_in(result, row, 2, 3);
      if (!up) std::ranges::reverse(edges);
      append(which[at], edges);
      EdgeRange& range = ranges[which[at]];
      if (up) {
        range.first = UserNumber{static_cast<std::uint32_t>(bounds[at]) + 1};
      } else {
        range.last = UserNumber{edges.back().other.value - 1};
      }
    }
    std::vector<std::size_t> again;
    for (std::size_t at = 0; at < which.size(); ++at) {
      const EdgeRange& range = ranges[which[at]];
      const bool is_done = got[at] < chunks[at] || found[which[at]].edges.size() >= range.limit ||
                           range.last < range.first || (up && bounds[at] == kLastBound);
      if (!is_done) again.push_back(which[at]);
    }
    if (!again.empty()) {
      ask(questions, group, again);
    } else if (--parts == 0) {
      then(std::move(found));
    }
  }

  void append(std::size_t i, const std::vector<Edge>& edges) {
    const EdgeRange& range = ranges[i];
    for (const Edge& edge : edges) {
      if (found[i].edges.size() >= range.limit) return;
      if (edge.other >= range.first && edge.other <= range.last) found[i].edges.push_back(edge);
    }
  }
};

}  // namespace

void range_edges(Questions& questions, EdgeSide side, std::vector<EdgeRange> asked,
                 Direction direction, EdgeChunks* /*chunks*/,
                 std::function<void(std::vector<EdgeRows>)> then) {
  auto walk = std::make_shared<EdgeRanges>();
  walk->side = side;
  walk->up = direction == Direction::kUp;
  walk->ranges = std::move(asked);
  for (const EdgeRange& range : walk->ranges) walk->found.push_back({range.user, {}});
  walk->then = std::move(then);
  const Placing& placing = questions.placing();
  const auto parts = grouped(walk->ranges, placing.any(),
                             [&](const EdgeRange& range) { return placing.group_of(range.user); });
  walk->parts = parts.size();
  for (const auto& [group, which] : parts) walk->ask(questions, group, which);
}

}  // namespace chirp::postgres
