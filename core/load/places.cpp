#include "core/load/places.h"

#include <algorithm>

#include "core/ports/reads.h"
#include "core/ports/snapshot.h"

namespace chirp::load {
namespace {

constexpr std::uint64_t first_of(std::uint64_t ticks) {
  return snowflake::make(ticks, snowflake::kLoadMachine, 0);
}

// The highest id below `end` among those that `scan(after, limit)` returns from above `after`, or
// 0. Usually at most one id is read; in archives with days instead of times, all are.
template <class Scan>
std::uint64_t highest_between(std::uint64_t after, std::uint64_t end, Scan scan) {
  constexpr std::uint32_t kMore = 256;
  const auto top = scan(end - 2, 1);
  if (!top.empty() && top.front().id.value < end) return end - 1;
  std::uint64_t highest = 0;
  for (std::uint32_t limit = 2;; limit = kMore) {
    const auto rows = scan(after, limit);
    for (const auto& row : rows) {
      if (row.id.value >= end) return highest;
      highest = after = row.id.value;
    }
    if (rows.size() < limit) return highest;
  }
}

}  // namespace

void Places::give(std::span<PostRow> rows, std::span<const StoredRow> stored) {
  std::unordered_set<std::uint64_t> shared;
  for (const PostRow& row : rows) {
    if (row.link != Link::kNone) shared.insert(snowflake::ticks_of(row.created_at));
  }
  if (shared.empty() && waiting_.empty()) return;
  std::vector<std::size_t> needing;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t ticks = snowflake::ticks_of(rows[i].created_at);
    if (rows[i].is_early) continue;
    if (shared.contains(ticks) || waiting_.highest_in(ticks) != 0) needing.push_back(i);
  }
  const auto snapshot = storage_.snapshot();
  const std::vector<std::uint64_t> earlier = ids_before(rows, needing, stored);
  for (std::size_t i = 0; i < needing.size(); ++i) {
    PostRow& row = rows[needing[i]];
    const bool has_earlier = earlier[i] != 0 && is_free(*snapshot, earlier[i]) &&
                             given_before_.insert(earlier[i]).second;
    row.id =
        PostId{has_earlier ? earlier[i] : next(*snapshot, snowflake::ticks_of(row.created_at))};
  }
}

// For each row that needs an id: the one that it would have if the batch had been stored as a whole
// before, or 0 if no later row of its millisecond is stored.
std::vector<std::uint64_t> Places::ids_before(std::span<const PostRow> rows,
                                              std::span<const std::size_t> needing,
                                              std::span<const StoredRow> stored) const {
  std::vector<std::uint64_t> ids(needing.size());
  if (stored.empty()) return ids;
  std::unordered_map<std::uint64_t, std::uint64_t> behind;  // the next id, by millisecond
  std::size_t left = stored.size();
  for (std::size_t i = needing.size(); i-- > 0;) {
    for (; left > 0 && stored[left - 1].before > needing[i]; --left) {
      const auto& [before, created_at, id] = stored[left - 1];
      const std::uint64_t ticks = snowflake::ticks_of(created_at);
      // Another time belongs to another post with its source id, or to a full millisecond.
      if (snowflake::ticks(id) == ticks) behind[ticks] = id;
    }
    const std::uint64_t ticks = snowflake::ticks_of(rows[needing[i]].created_at);
    const auto at = behind.find(ticks);
    if (at == behind.end()) continue;
    if (at->second == first_of(ticks)) {
      behind.erase(at);
    } else {
      ids[i] = --at->second;
    }
  }
  return ids;
}

bool Places::is_free(const RowReader& snapshot, std::uint64_t id) const {
  return !waiting_.has_id(id) && !snapshot.find(tables::Posts::Key{PostId{id}}) &&
         !snapshot.find(tables::Comments::Key{CommentId{id}});
}

std::uint64_t Places::next(const RowReader& snapshot, std::uint64_t written) {
  std::uint64_t& ticks = free_.try_emplace(written, written).first->second;
  for (;; ++ticks) {
    const auto [at, fresh] = last_.try_emplace(ticks, 0);
    std::uint64_t& last = at->second;
    if (fresh) last = highest_in(snapshot, ticks);
    const std::uint64_t id = last == 0 ? first_of(ticks) : last + 1;
    if (snowflake::machine(id) != snowflake::kLoadMachine) continue;  // the millisecond is full
    last = id;
    return id;
  }
}

std::uint64_t Places::highest_in(const RowReader& snapshot, std::uint64_t ticks) const {
  const std::uint64_t below = first_of(ticks) - 1;
  const std::uint64_t end = snowflake::make(ticks, snowflake::kLoadMachine + 1, 0);
  const std::uint64_t posts =
      highest_between(below, end, [&](std::uint64_t after, std::uint32_t limit) {
        return reads::rows_above<tables::Posts>(snapshot, {PostId{after}}, limit);
      });
  const std::uint64_t comments =
      highest_between(below, end, [&](std::uint64_t after, std::uint32_t limit) {
        return reads::rows_above<tables::Comments>(snapshot, {CommentId{after}}, limit);
      });
  return std::max({posts, comments, waiting_.highest_in(ticks)});
}

}  // namespace chirp::load
