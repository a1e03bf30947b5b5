#include "store/memory/loading.h"

#include <algorithm>
#include <optional>

namespace chirp::memory {
namespace {

// The highest id of the table in a millisecond of loads, if there is one.
template <class Id, class Row>
std::optional<std::uint64_t> last_in(const std::map<Id, Row>& table, std::uint64_t ticks) {
  auto at = table.lower_bound(Id{snowflake::make(ticks, snowflake::kLoadMachine + 1, 0)});
  if (at == table.begin()) return std::nullopt;
  --at;
  const std::uint64_t lowest = snowflake::make(ticks, snowflake::kLoadMachine, 0);
  return at->first.value >= lowest ? std::optional(at->first.value) : std::nullopt;
}

std::optional<std::uint64_t> last_loaded(const State& state, std::uint64_t ticks) {
  return std::max(last_in(state.posts, ticks), last_in(state.comments, ticks));
}

}  // namespace

void log_load(State& state, std::uint64_t rows, Time now) {
  append(state, {.topic = events::Topic::kLoadBatch, .time = now, .actor = kNobody, .rows = rows});
}

void finish_batch(State& state, std::uint64_t rows, const std::set<UserNumber>& touched, Time now) {
  ++state.scalars.generation;
  log_load(state, rows, now);
  for (const UserNumber user : touched) retier(state, user, now);
}

const Post* loaded_original(const State& state, PostId id) {
  const Post* post = visible_post(state, id);
  return post == nullptr || post->is_repost() ? nullptr : post;
}

std::uint64_t loaded_id(State& state, Time time, std::uint64_t wished) {
  if (wished != 0 && !state.posts.contains(PostId{wished}) &&
      !state.comments.contains(CommentId{wished})) {
    if (snowflake::ticks(wished) > snowflake::ticks(state.scalars.last_id.value)) {
      mint(state, snowflake::time_of(wished));
    }
    return wished;
  }
  std::uint64_t ticks =
      std::min(snowflake::ticks_of(time), snowflake::ticks(state.scalars.last_id.value));
  std::optional<std::uint64_t> last = last_loaded(state, ticks);
  while (last && (*last & (snowflake::kSequences - 1)) == snowflake::kSequences - 1) {
    last = last_loaded(state, ++ticks);
  }
  if (ticks > snowflake::ticks(state.scalars.last_id.value)) {
    mint(state, snowflake::time_of(snowflake::make(ticks, 0, 0)));
  }
  return last ? *last + 1 : snowflake::make(ticks, snowflake::kLoadMachine, 0);
}

}  // namespace chirp::memory
