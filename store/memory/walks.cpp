// The walks over everything.
#include <algorithm>
#include <utility>

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

std::vector<ReactionRow> MemorySnapshot::scan_reactions(ContentId after_content,
                                                        UserNumber after_user,
                                                        std::uint32_t limit) const {
  std::vector<ReactionRow> rows;
  for (auto at = state_->reactions.lower_bound(after_content); at != state_->reactions.end();
       ++at) {
    for (const auto& [user, reaction] : at->second) {
      if (at->first == after_content && user <= after_user) continue;
      if (rows.size() == limit) return rows;
      rows.push_back({at->first, reaction});
    }
  }
  return rows;
}

std::vector<Comment> MemorySnapshot::scan_comments(CommentId after, std::uint32_t limit) const {
  return rows_after(state_->comments, after, limit, [](const auto& row) { return row.second; });
}

std::vector<ContentDelta> MemorySnapshot::scan_content_counters(ContentId after,
                                                                std::uint32_t limit) const {
  return rows_after(state_->content_counters, after, limit, [](const auto& row) {
    return ContentDelta{row.first, row.second};
  });
}

std::vector<ContentId> MemorySnapshot::unfinished_post_removals() const {
  return {state_->post_removals.begin(), state_->post_removals.end()};
}

std::vector<UserNumber> MemorySnapshot::unfinished_removals() const {
  return {state_->removing.begin(), state_->removing.end()};
}

std::vector<std::string_view> MemorySnapshot::traces_of(UserNumber user) const {
  const State& state = *state_;
  const auto relations = state.relations.find(user);
  const bool is_related = std::ranges::any_of(state.relations, [&](const auto& of) {
    return std::ranges::any_of(of.second, [&](const auto& at) { return at.first.second == user; });
  });
  const auto keys = state.keys.lower_bound({user, {}});
  const std::pair<bool, std::string_view> kinds[] = {
      {state.author_logs.contains(user), "posts"},
      {state.following.contains(user), "follows"},
      {state.followers.contains(user), "followers"},
      {relations != state.relations.end() && !relations->second.empty(), "blocks and mutes"},
      {is_related, "blocks and mutes by others"},
      {state.reactions_by.contains(user), "reactions"},
      {state.comments_by.contains(user), "comments"},
      {keys != state.keys.end() && keys->first.first == user, "idempotency keys"},
      {state.notifications.contains(user), "notifications"},
      {state.timelines.contains(user), "timeline"},
      {state.marks.contains(user), "mark"},
      {state.notified.contains(user) || state.readers.contains(user), "reading marks"},
  };
  std::vector<std::string_view> traces;
  for (const auto& [is_left, name] : kinds) {
    if (is_left) traces.push_back(name);
  }
  return traces;
}

std::map<std::string, std::uint64_t> MemorySnapshot::table_rows() const {
  std::uint64_t reposts = 0;
  for (const auto& [original, by] : state_->reposts) reposts += by.size();
  std::uint64_t follows = 0;
  std::uint64_t reactions = 0;
  for (const auto& [content, by_user] : state_->reactions) reactions += by_user.size();
  for (const auto& [follower, edges] : state_->following) follows += edges.size();
  std::uint64_t notifications = 0;
  for (const auto& [user, rows] : state_->notifications) notifications += rows.size();
  return {{"cards", state_->cards.size()},
          {"posts", state_->posts.size()},
          {"reposts", reposts},
          {"reactions", reactions},
          {"comments", state_->comments.size()},
          {"follows", follows},
          {"timelines", state_->timelines.size()},
          {"counters", state_->counters.size()},
          {"marks", state_->marks.size()},
          {"events", state_->log.size()},
          {"notifications", notifications},
          {"queue", state_->queue.size()}};
}

std::vector<std::string> MemorySnapshot::problems() const { return {}; }

}  // namespace chirp::memory
