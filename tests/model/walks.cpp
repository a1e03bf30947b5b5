// Of the model: notifications, hashtags, settings, and the walks over everything.
#include <algorithm>

#include "tests/model/snapshot.h"

namespace chirp::model {

using namespace tables;
using rules::kLastUser;

namespace {

// What `pick` makes of the rows above a key, at most `limit` of them.
template <class T, class Pick>
auto rows_above(const State& state, const typename T::Key& after, std::uint32_t limit, Pick pick) {
  const MapOf<T>& map = table<T>(state);
  std::vector<decltype(pick(*map.begin()))> result;
  for (auto at = map.upper_bound(after); at != map.end() && result.size() < limit; ++at) {
    result.push_back(pick(*at));
  }
  return result;
}

constexpr auto kRow = [](const auto& row) { return row.second; };

// Whether there is a row of somebody, in a table whose keys begin with a user.
template <class T>
bool has_rows_of(const State& state, UserNumber user) {
  const MapOf<T>& map = table<T>(state);
  const auto at = map.lower_bound({user, {}});
  if (at == map.end()) return false;
  const auto& [first, rest] = at->first;
  return first == user;
}

bool is_related(const State& state, UserNumber user) {
  return std::ranges::any_of(table<Related>(state),
                             [&](const auto& row) { return row.first.other == user; });
}

bool relates(const State& state, UserNumber user) {
  return std::ranges::any_of(table<Relations>(state),
                             [&](const auto& row) { return row.first.user == user; });
}

bool has_requests(const State& state, UserNumber user) {
  return std::ranges::any_of(state.requests,
                             [&](const auto& row) { return row.first.first == user; });
}

}  // namespace

std::vector<events::Notification> ModelSnapshot::notifications(UserNumber user, Sequence before,
                                                               std::uint32_t limit) const {
  std::vector<events::Notification> result;
  for (const auto& [key, told] : table<Notifications>(*state_)) {
    if (key.user == user && key.sequence < before) result.push_back(told);
  }
  std::ranges::reverse(result);
  if (result.size() > limit) result.resize(limit);
  return result;
}

std::vector<TaggedPost> ModelSnapshot::tagged_posts(PostId below, std::uint32_t limit) const {
  std::vector<TaggedPost> result;
  for (const auto& [key, post] : table<TagUses>(*state_)) {
    if (key.post < below) result.push_back(post);
  }
  std::ranges::reverse(result);
  if (result.size() > limit) result.resize(limit);
  return result;
}

std::optional<PostId> ModelSnapshot::oldest_tagged_post() const {
  const auto& tags = table<TagUses>(*state_);
  if (tags.empty()) return std::nullopt;
  return tags.begin()->first.post;
}

std::map<std::string, std::string> ModelSnapshot::plain_settings() const {
  std::map<std::string, std::string> settings;
  for (const auto& [key, value] : table<PlainSettings>(*state_)) settings[key.name] = value;
  return settings;
}

std::optional<Time> ModelSnapshot::oldest_key() const {
  std::optional<Time> oldest;
  for (const auto& [key, kept] : state_->requests) {
    if (!oldest || kept.since < *oldest) oldest = kept.since;
  }
  return oldest;
}

std::vector<AuthorCard> ModelSnapshot::scan_cards(UserNumber after, std::uint32_t limit) const {
  return rows_above<Cards>(*state_, {after}, limit, kRow);
}

std::vector<Post> ModelSnapshot::scan_posts(PostId after, std::uint32_t limit) const {
  return rows_above<Posts>(*state_, {after}, limit, kRow);
}

std::vector<UserNumber> ModelSnapshot::scan_timelines(UserNumber after, std::uint32_t limit) const {
  std::vector<UserNumber> result;
  for (const auto& [viewer, timeline] : state_->timelines) {
    if (viewer > after && result.size() < limit) result.push_back(viewer);
  }
  return result;
}

std::vector<std::pair<UserNumber, UserCounters>> ModelSnapshot::scan_counters(
    UserNumber after, std::uint32_t limit) const {
  return rows_above<UserCounts>(*state_, {after}, limit, [](const auto& row) {
    return std::pair(row.first.user, row.second);
  });
}

std::vector<feed::AuthorMark> ModelSnapshot::scan_marks(UserNumber after,
                                                        std::uint32_t limit) const {
  return rows_above<Marks>(*state_, {after}, limit, kRow);
}

std::vector<ReactionRow> ModelSnapshot::scan_reactions(ContentId after_content,
                                                       UserNumber after_user,
                                                       std::uint32_t limit) const {
  return rows_above<Reactions>(*state_, {after_content, after_user}, limit, [](const auto& row) {
    return ReactionRow{row.first.content, row.second};
  });
}

std::vector<Comment> ModelSnapshot::scan_comments(CommentId after, std::uint32_t limit) const {
  return rows_above<Comments>(*state_, {after}, limit, kRow);
}

std::vector<ContentDelta> ModelSnapshot::scan_content_counters(ContentId after,
                                                               std::uint32_t limit) const {
  return rows_above<ContentCounts>(*state_, {after}, limit, [](const auto& row) {
    return ContentDelta{row.first.content, row.second};
  });
}

std::vector<ContentId> ModelSnapshot::unfinished_post_removals() const {
  return rows_above<PostRemovals>(*state_, {ContentId{0}}, rules::kNoLimit,
                                  [](const auto& row) { return row.first.content; });
}

std::vector<events::Notification> ModelSnapshot::scan_notifications(UserNumber after_user,
                                                                    Sequence after,
                                                                    std::uint32_t limit) const {
  return rows_above<Notifications>(*state_, {after_user, after}, limit, kRow);
}

std::vector<UserNumber> ModelSnapshot::unfinished_removals() const {
  return rows_above<Removals>(*state_, {kNobody}, rules::kNoLimit,
                              [](const auto& row) { return row.first.user; });
}

std::vector<std::string_view> ModelSnapshot::traces_of(UserNumber user) const {
  const State& state = *state_;
  const std::pair<bool, std::string_view> kinds[] = {
      {has_rows_of<AuthorLogs>(state, user), "posts"},
      {has_rows_of<Following>(state, user), "follows"},
      {has_rows_of<Followers>(state, user), "followers"},
      {relates(state, user), "blocks and mutes"},
      {is_related(state, user), "blocks and mutes by others"},
      {has_rows_of<ReactionsBy>(state, user), "reactions"},
      {has_rows_of<CommentsBy>(state, user), "comments"},
      {has_requests(state, user), "idempotency keys"},
      {has_rows_of<Notifications>(state, user), "notifications"},
      {state.timelines.contains(user), "timeline"},
      {table<Marks>(state).contains({user}), "mark"},
      {table<Readers>(state).contains({user}), "reading marks"},
  };
  std::vector<std::string_view> traces;
  for (const auto& [is_left, name] : kinds) {
    if (is_left) traces.push_back(name);
  }
  return traces;
}

std::map<std::string, std::uint64_t> ModelSnapshot::table_rows() const {
  const State& state = *state_;
  return {{"cards", table<Cards>(state).size()},
          {"posts", table<Posts>(state).size()},
          {"reposts", table<RepostsOf>(state).size()},
          {"reactions", table<Reactions>(state).size()},
          {"comments", table<Comments>(state).size()},
          {"follows", table<Following>(state).size()},
          {"timelines", state.timelines.size()},
          {"counters", table<UserCounts>(state).size()},
          {"marks", table<Marks>(state).size()},
          {"events", table<Events>(state).size()},
          {"notifications", table<Notifications>(state).size()},
          {"queue", table<FanOutQueue>(state).size()}};
}

std::vector<std::string> ModelSnapshot::problems() const { return {}; }

}  // namespace chirp::model
