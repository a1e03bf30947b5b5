#include "store/lmdb/loading.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "store/lmdb/cards.h"
#include "store/lmdb/posts.h"

namespace chirp::lmdb {
namespace {

constexpr std::uint64_t first_of(std::uint64_t ticks) {
  return snowflake::make(ticks, snowflake::kLoadMachine, 0);
}

std::uint64_t taken_in(Cursor& ids, std::uint64_t ticks) {
  const PostId end{snowflake::make(ticks, snowflake::kLoadMachine + 1, 0)};
  const auto item = ids.before(key(end));
  if (!item) return 0;
  const std::uint64_t id = u64_at(item->key);
  return id >= first_of(ticks) ? id : 0;
}

}  // namespace

void log_load(Batch& batch, std::uint64_t rows, Entries entries) {
  if (entries == Entries::kMade) ++batch.state.generation;
  events::Event event;
  event.topic = events::Topic::kLoadBatch;
  event.rows = rows;
  batch.log(event);
}

std::optional<Post> loaded_original(const Txn& txn, PostId id) {
  auto post = read_post(txn, id);
  if (!post || post->is_repost() || !is_present(txn, post->author)) return std::nullopt;
  return post;
}

std::uint64_t LoadedIds::next(Time written, std::uint64_t wished) {
  std::uint64_t ticks = snowflake::ticks_of(written);
  if (wished != 0) {
    check(
        snowflake::machine(wished) == snowflake::kLoadMachine && snowflake::ticks(wished) >= ticks,
        "an id that a load asks for is one of its time");
    if (!is_taken(wished)) {
      granted_.insert(wished);
      if (snowflake::ticks(wished) > snowflake::ticks(batch_.state.last_id.value)) {
        raise_floor(snowflake::ticks(wished));
      }
      return wished;
    }
  }
  // Equal times follow each other, and a full millisecond has spilled over.
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
  if (ticks > snowflake::ticks(batch_.state.last_id.value)) raise_floor(ticks);
  return id;
}

std::uint64_t LoadedIds::taken_in(std::uint64_t ticks) {
  return std::max(lmdb::taken_in(posts_, ticks), lmdb::taken_in(comments_, ticks));
}

bool LoadedIds::is_taken(std::uint64_t id) {
  return granted_.contains(id) || std::ranges::binary_search(given_, id) ||
         posts_.at(key(PostId{id})) || comments_.at(key(CommentId{id}));
}

std::uint64_t LoadedIds::granted_in(std::uint64_t ticks) const {
  const auto end = granted_.lower_bound(snowflake::make(ticks, snowflake::kLoadMachine + 1, 0));
  return end == granted_.begin() || *std::prev(end) < first_of(ticks) ? 0 : *std::prev(end);
}

void LoadedIds::raise_floor(std::uint64_t ticks) {
  const Time time{snowflake::kEpochMs + static_cast<std::int64_t>(ticks)};
  batch_.state.last_id.value = snowflake::next(time, batch_.state.last_id.value, batch_.machine);
}

}  // namespace chirp::lmdb
