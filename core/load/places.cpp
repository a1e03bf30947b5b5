#include "core/load/places.h"

#include <algorithm>
#include <unordered_set>

#include "core/ports/reads.h"
#include "core/ports/snapshot.h"

namespace chirp::load {
namespace {

constexpr std::uint64_t first_of(std::uint64_t ticks) {
  return snowflake::make(ticks, snowflake::kLoadMachine, 0);
}

// The highest id below `end` in what `scan(after, limit)` walks through from above `after`, or 0.
// Mostly there is none, or one; or else all are taken, in archives that know days alone.
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

void Places::give(std::span<PostRow> rows) {
  std::unordered_set<std::uint64_t> shared;
  for (const PostRow& row : rows) {
    if (row.link != Link::kNone) shared.insert(snowflake::ticks_of(row.created_at));
  }
  if (shared.empty() && waiting_.empty()) return;
  const auto snapshot = storage_.snapshot();
  for (PostRow& row : rows) {
    const std::uint64_t ticks = snowflake::ticks_of(row.created_at);
    if (row.is_early) continue;
    if (shared.contains(ticks) || waiting_.highest_in(ticks) != 0) {
      row.id = PostId{next(*snapshot, ticks)};
    }
  }
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
