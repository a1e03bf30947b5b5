#include "core/rules/loaded_ids.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"

namespace chirp::rules {

using namespace tables;

namespace {

constexpr std::uint64_t first_of(std::uint64_t ticks) {
  return snowflake::make(ticks, snowflake::kLoadMachine, 0);
}
constexpr std::uint64_t last_of(std::uint64_t ticks) {
  return snowflake::make(ticks, snowflake::kLoadMachine, snowflake::kSequences - 1);
}

// The highest id of a post or comment from `first` to `last`, or 0.
std::uint64_t highest(const RowReader& rows, const StoreState& state, std::uint64_t first,
                      std::uint64_t last) {
  const auto posts = rows.range(Posts::Key{{first}}, Posts::Key{{last}}, Direction::kDown, 1);
  const auto comments =
      rows.range(Comments::Key{{first}}, Comments::Key{{last}}, Direction::kDown, 1);
  const std::uint64_t found = std::max(posts.empty() ? 0 : posts.front().first.id.value,
                                       comments.empty() ? 0 : comments.front().first.id.value);
  if (state.post_removals == 0) return found;
  // A new post must not get the id of a removed one, because it would inherit its traces.
  const auto removed =
      rows.range(PostRemovals::Key{{first}}, PostRemovals::Key{{last}}, Direction::kDown, 1);
  return std::max(found, removed.empty() ? 0 : removed.front().first.content.value);
}

}  // namespace

std::uint64_t LoadedIds::next(Time written, std::uint64_t wished) {
  const std::uint64_t last_live = state_.last_id.value;
  std::uint64_t ticks = snowflake::ticks_of(written);
  if (!bare_) bare_ = snowflake::ticks(highest(rows_, state_, first_of(ticks), last_of(end_))) + 1;
  if (wished != 0) {
    check(
        snowflake::machine(wished) == snowflake::kLoadMachine && snowflake::ticks(wished) >= ticks,
        "an id that a load asks for is one of its time");
    if (!is_taken(wished)) {
      granted_.insert(wished);
      if (snowflake::ticks(wished) > snowflake::ticks(last_live)) {
        raise_floor(snowflake::ticks(wished));
      }
      return wished;
    }
  }
  // Equal times come in sequence, and a full millisecond continued in the next.
  if (snowflake::ticks(last_) >= ticks && last_ != 0) {
    ticks = snowflake::ticks(last_);
  } else {
    last_ = taken_in(ticks);
  }
  const std::uint64_t below = std::max(last_, granted_in(ticks));
  std::uint64_t id = below == 0 ? first_of(ticks) : below + 1;
  while (snowflake::machine(id) != snowflake::kLoadMachine) {  // the millisecond is full
    ++ticks;
    const std::uint64_t taken = std::max(taken_in(ticks), granted_in(ticks));
    id = taken == 0 ? first_of(ticks) : taken + 1;
  }
  last_ = id;
  given_.push_back(id);
  if (ticks > snowflake::ticks(last_live)) raise_floor(ticks);
  return id;
}

bool LoadedIds::is_bare(std::uint64_t ticks) const { return ticks >= bare_ && ticks <= end_; }

std::uint64_t LoadedIds::taken_in(std::uint64_t ticks) const {
  return is_bare(ticks) ? 0 : highest(rows_, state_, first_of(ticks), last_of(ticks));
}

bool LoadedIds::is_taken(std::uint64_t id) const {
  return granted_.contains(id) || std::ranges::binary_search(given_, id) ||
         (!is_bare(snowflake::ticks(id)) && highest(rows_, state_, id, id) != 0);
}

std::uint64_t LoadedIds::granted_in(std::uint64_t ticks) const {
  const auto end = granted_.lower_bound(snowflake::make(ticks, snowflake::kLoadMachine + 1, 0));
  return end == granted_.begin() || *std::prev(end) < first_of(ticks) ? 0 : *std::prev(end);
}

void LoadedIds::raise_floor(std::uint64_t ticks) {
  const Time time{snowflake::kEpochMs + static_cast<std::int64_t>(ticks)};
  state_.last_id.value = snowflake::next(time, state_.last_id.value, machine_);
}

}  // namespace chirp::rules
