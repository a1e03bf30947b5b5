// The walks over everything.
#include "store/memory/snapshot.h"

namespace chirp::memory {
namespace {

// What `pick` makes of the rows above the key `after`, at most `limit` of them.
template <class Map, class Key, class Pick>
auto rows_after(const Map& map, Key after, std::uint32_t limit, Pick pick) {
  std::vector<decltype(pick(*map.begin()))> result;
  for (auto at = map.upper_bound(after); at != map.end() && result.size() < limit; ++at) {
    result.push_back(pick(*at));
  }
  return result;
}

}  // namespace

std::vector<AuthorCard> MemorySnapshot::scan_cards(UserNumber after, std::uint32_t limit) const {
  return rows_after(state_->cards, after, limit, [](const auto& row) { return row.second; });
}

std::vector<Post> MemorySnapshot::scan_posts(PostId after, std::uint32_t limit) const {
  return rows_after(state_->posts, after, limit, [](const auto& row) { return row.second; });
}

std::optional<Timeline> MemorySnapshot::timeline(UserNumber viewer) const {
  const auto found = state_->timelines.find(viewer);
  if (found == state_->timelines.end()) return std::nullopt;
  return found->second;
}

std::vector<UserNumber> MemorySnapshot::scan_timelines(UserNumber after,
                                                       std::uint32_t limit) const {
  return rows_after(state_->timelines, after, limit, [](const auto& row) { return row.first; });
}

std::vector<std::pair<UserNumber, UserCounters>> MemorySnapshot::scan_counters(
    UserNumber after, std::uint32_t limit) const {
  return rows_after(state_->counters, after, limit,
                    [](const auto& row) { return std::pair<UserNumber, UserCounters>(row); });
}

std::vector<feed::AuthorMark> MemorySnapshot::scan_marks(UserNumber after,
                                                         std::uint32_t limit) const {
  return rows_after(state_->marks, after, limit, [](const auto& row) { return row.second; });
}

std::vector<UserNumber> MemorySnapshot::unfinished_removals() const {
  return {state_->removing.begin(), state_->removing.end()};
}

std::map<std::string, std::uint64_t> MemorySnapshot::table_rows() const {
  std::uint64_t follows = 0;
  for (const auto& [follower, edges] : state_->following) follows += edges.size();
  return {{"cards", state_->cards.size()},
          {"posts", state_->posts.size()},
          {"follows", follows},
          {"timelines", state_->timelines.size()},
          {"counters", state_->counters.size()},
          {"marks", state_->marks.size()},
          {"events", state_->log.size()},
          {"queue", state_->queue.size()}};
}

std::vector<std::string> MemorySnapshot::problems() const { return {}; }

}  // namespace chirp::memory
