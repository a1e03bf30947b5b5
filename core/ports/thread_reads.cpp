// Reads threads of comments from two tables: shown and hidden comments.
#include <algorithm>
#include <iterator>

#include "core/ports/reads.h"

namespace chirp::reads {

using namespace tables;

namespace {

template <class T>
std::vector<CommentId> thread_in(const TableReader<T>& table, const KeyRange<T>& range,
                                 Direction direction, std::uint32_t limit) {
  std::vector<CommentId> ids;
  for (const auto& [key, nothing] : table.range(range.first, range.last, direction, limit)) {
    ids.push_back(key.comment);
  }
  return ids;
}

// Whether an event may make hidden comments visible. A suspension may, because a suspended user's
// comments with replies keep their places.
bool may_show_hidden(const events::Event& event) {
  using events::Topic;
  return event.topic == Topic::kBlockRemoved || event.topic == Topic::kUserSuspended ||
         event.topic == Topic::kUserUnsuspended;
}

}  // namespace

std::vector<CommentId> thread(const RowReader& rows, PostId post, CommentId parent, CommentId bound,
                              Direction direction, std::uint32_t limit, Listed listed) {
  const bool down = direction == Direction::kDown;
  if (bound == (down ? kNoComment : CommentId(Greatest{}))) return {};
  const CommentId first = down ? kNoComment : CommentId{bound.value + 1};
  const CommentId last = down ? CommentId{bound.value - 1} : CommentId(Greatest{});
  auto shown =
      thread_in<Threads>(rows, {{post, parent, first}, {post, parent, last}}, direction, limit);
  if (listed == Listed::kShown) return shown;
  const auto hidden = thread_in<HiddenThreads>(rows, {{post, parent, first}, {post, parent, last}},
                                               direction, limit);
  if (hidden.empty()) return shown;
  std::vector<CommentId> ids;
  std::ranges::merge(shown, hidden, std::back_inserter(ids),
                     [&](CommentId a, CommentId b) { return down ? a > b : a < b; });
  if (ids.size() > limit) ids.resize(limit);
  return ids;
}

Listed listed_for_readers(const ContentReader& reader) {
  constexpr std::uint32_t kEventsMost = 32;  // events to check at most
  const StoreState state = reader.state();
  // Comments of users who are being removed keep their places if they have replies.
  if (state.removals != 0) return Listed::kAll;
  if (state.trends >= state.log_end) return Listed::kShown;
  if (state.log_end.value - state.trends.value > kEventsMost) return Listed::kAll;
  return std::ranges::any_of(events(reader, state.trends, kEventsMost), may_show_hidden)
             ? Listed::kAll
             : Listed::kShown;
}

}  // namespace chirp::reads
