#include "store/postgres/rows/questions.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace chirp::postgres {

std::vector<Result> answers_of(Connection& connection, std::span<const GroupQuery> asked) {
  for (const GroupQuery& one : asked) connection.send(one.sql, one.params);
  return connection.receive();
}

std::vector<std::pair<Group, std::vector<std::size_t>>> in_parts(ByGroup groups) {
  std::vector<std::pair<Group, std::vector<std::size_t>>> parts;
  for (auto& [group, which] : groups) {
    std::span<const std::size_t> rest(which);
    do {
      const auto part = rest.first(std::min(rest.size(), kKeysAtOnce));
      rest = rest.subspan(part.size());
      parts.emplace_back(group, std::vector(part.begin(), part.end()));
    } while (!rest.empty());
  }
  return parts;
}

void Questions::ask() {
  while (!then_.empty()) {
    std::deque<Then> then;
    then.swap(then_);
    std::vector<GroupQuery> asked;
    asked.swap(asked_);
    const auto results = answerer_(asked);
    for (std::size_t i = 0; i < then.size(); ++i) then[i](results[i]);
  }
}

Params Questions::seen(const StoredTable& table) const {
  Params params;
  if (table.is_versioned()) {
    params.int8(point_.number);
  } else {
    params.int8(point_.log_first).int8(point_.log_end);
  }
  return params;
}

// ---------------------------------------------------------------- rows by key

void Questions::rows(const TableType& type, std::vector<AnyRow> keys, ThenRows then) {
  const StoredTable& table = stored_table(type);
  if (table.side) return edge_rows(*table.side, std::move(keys), std::move(then));
  const auto parts = in_parts(grouped(keys, table.any_group(*placing_), [&](const AnyRow& key) {
    return table.group_of(*placing_, key.key);
  }));
  const auto gathered =
      std::make_shared<GatheredParts<std::vector<AnyRow>>>(parts.size(), std::move(then));
  gathered->found = std::move(keys);
  for (const auto& [group, which] : parts) {
    KeyArrays arrays(table);
    for (const std::size_t i : which) arrays.add(gathered->found[i].key);
    Params params = seen(table);
    arrays.add_to(params);
    at(group, table.sql.find, std::move(params),
       [&table, gathered, which = which](const Result& result) {
         for (int row = 0; row < result.rows(); ++row) {
           AnyRow& found =
               gathered->found[which[static_cast<std::size_t>(result.number(row, 0) - 1)]];
           ColumnReader reader(result, row, 1);
           found = table.read_row(reader, found.key);
         }
         gathered->one_is_there();
       });
  }
}

// ---------------------------------------------------------------- ranges

namespace {

using Ranges = std::vector<std::vector<AnyRow>>;

// Drops the ranges after the one with which `enough` rows are found.
void leave_out(Ranges& found, std::uint64_t enough) {
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    rows += found[i].size();
    if (rows < enough) continue;
    found.resize(i + 1);
    return;
  }
}

// Merges the rows that several groups found in one range.
void put_together(std::vector<AnyRow>& rows, Direction direction, std::uint32_t limit) {
  AnyRows sorted;
  for (AnyRow& row : rows) sorted.emplace(row.type->bytes(row.key), std::move(row));
  rows.clear();
  for (auto& [bytes, row] : sorted) rows.push_back(std::move(row));
  if (direction == Direction::kDown) std::ranges::reverse(rows);
  if (rows.size() > limit) rows.resize(limit);
}

}  // namespace

ByGroup Questions::groups_of(const StoredTable& table, const std::vector<AnyRange>& wanted) const {
  ByGroup parts;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (table.is_of_one_group(*placing_, wanted[i])) {
      parts[table.group_of(*placing_, wanted[i].first.key)].push_back(i);
    } else {
      for (const Group group : placing_->all()) parts[group].push_back(i);
    }
  }
  if (parts.empty()) parts[table.any_group(*placing_)];
  return parts;
}

void Questions::ranges(const TableType& type, std::vector<AnyRange> wanted, Direction direction,
                       std::uint64_t enough, ThenRanges then) {
  const StoredTable& table = stored_table(type);
  if (table.side) return edge_ranges(*table.side, wanted, direction, enough, std::move(then));
  const auto parts = groups_of(table, wanted);
  const auto gathered = std::make_shared<GatheredParts<Ranges>>(
      parts.size(),
      [parts = parts.size(), wanted, direction, enough, then = std::move(then)](Ranges found) {
        for (std::size_t i = 0; i < found.size() && parts > 1; ++i) {
          put_together(found[i], direction, wanted[i].limit);
        }
        leave_out(found, enough);
        then(std::move(found));
      });
  gathered->found.resize(wanted.size());
  for (const auto& [group, which] : parts) {
    ask_ranges(group, table, wanted, which, direction, enough,
               [&table, gathered, which = which](const Result& result) {
                 for (int row = 0; row < result.rows(); ++row) {
                   const auto i = static_cast<std::size_t>(result.number(row, 0) - 1);
                   ColumnReader reader(result, row, 1);
                   gathered->found[which[i]].push_back(table.read_pair(reader));
                 }
                 gathered->one_is_there();
               });
  }
}

void Questions::ask_ranges(Group group, const StoredTable& table,
                           const std::vector<AnyRange>& wanted,
                           const std::vector<std::size_t>& which, Direction direction,
                           std::uint64_t enough, Then then) {
  KeyArrays first(table);
  KeyArrays last(table);
  Array most(Type::kInt8);
  std::uint32_t largest = 0;
  for (const std::size_t i : which) {
    first.add(wanted[i].first.key);
    last.add(wanted[i].last.key);
    most.number(std::int64_t{wanted[i].limit});
    largest = std::max(largest, wanted[i].limit);
  }
  Params params = seen(table);
  first.add_to(params);
  last.add_to(params);
  params.add(most);
  // A total limit that never cuts the range in which `enough` is reached.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
  params.int8(static_cast<std::int64_t>(std::min(enough, kMost / 2) + largest));
  at(group, direction == Direction::kUp ? table.sql.up : table.sql.down, std::move(params),
     std::move(then));
}

// ---------------------------------------------------------------- follow edges, in chunks

namespace {

AnyRow edge_row(EdgeSide side, UserNumber user, UserNumber other, const Time* since) {
  return side == EdgeSide::kFollowing ? any_row<tables::Following>({user, other}, since)
                                      : any_row<tables::Followers>({user, other}, since);
}

}  // namespace

EdgeChunks::Pair ends_of(EdgeSide side, const void* key) {
  if (side == EdgeSide::kFollowing) {
    const auto& edge = *static_cast<const tables::Following::Key*>(key);
    return {edge.follower, edge.followee};
  }
  const auto& edge = *static_cast<const tables::Followers::Key*>(key);
  return {edge.followee, edge.follower};
}

void Questions::edge_rows(EdgeSide side, std::vector<AnyRow> keys, ThenRows then) {
  std::vector<EdgeChunks::Pair> asked;
  asked.reserve(keys.size());
  for (const AnyRow& key : keys) asked.push_back(ends_of(side, key.key));
  find_edges(*this, side, asked, chunks_,
             [side, keys = std::move(keys), then = std::move(then)](const auto& times) {
               std::vector<AnyRow> found;
               found.reserve(times.size());
               for (std::size_t i = 0; i < times.size(); ++i) {
                 const auto [user, other] = ends_of(side, keys[i].key);
                 found.push_back(edge_row(side, user, other, times[i] ? &*times[i] : nullptr));
               }
               then(std::move(found));
             });
}

void Questions::edge_ranges(EdgeSide side, const std::vector<AnyRange>& wanted, Direction direction,
                            std::uint64_t enough, ThenRanges then) {
  std::vector<EdgeRange> asked;
  for (const AnyRange& range : wanted) {
    const auto [user, first] = ends_of(side, range.first.key);
    asked.push_back({user, first, ends_of(side, range.last.key).second, range.limit});
  }
  range_edges(*this, side, std::move(asked), direction, chunks_,
              [side, enough, then = std::move(then)](const std::vector<EdgeRows>& edges) {
                Ranges found;
                for (const auto& [user, rows] : edges) {
                  auto& of_range = found.emplace_back();
                  for (const Edge& edge : rows) {
                    of_range.push_back(edge_row(side, user, edge.other, &edge.since));
                  }
                }
                leave_out(found, enough);
                then(std::move(found));
              });
}

}  // namespace chirp::postgres
