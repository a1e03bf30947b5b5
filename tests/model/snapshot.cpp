#include "tests/model/snapshot.h"

#include <algorithm>
#include <set>

#include "core/model/deltas.h"
#include "core/model/event.h"
#include "core/ports/reads.h"

namespace chirp::model {

using namespace tables;

namespace {

// The entries strictly inside the range, cut to the `limit` nearest the end that the direction
// starts from, in its order. Takes them newest first.
std::vector<Entry> cut(std::vector<Entry> entries, IdRange range, Direction direction,
                       std::uint32_t limit) {
  std::erase_if(entries, [&](const Entry& entry) {
    return entry.id <= range.above || entry.id >= range.below;
  });
  if (direction == Direction::kUp) std::ranges::reverse(entries);
  if (entries.size() > limit) entries.resize(limit);
  return entries;
}

// Posts that fan-out has yet to finish, by authors in `authors`, newest first.
std::vector<Entry> pending_entries(const State& state, UserNumber viewer,
                                   const std::set<UserNumber>& authors) {
  std::map<PostId, UserNumber> found;
  for (const auto& [key, event] : table<Events>(state)) {
    const bool pending = key.sequence >= state.scalars.fan_out;
    const bool shared = event.privacy != Privacy::kPrivate || event.actor == viewer;
    if (pending && shared && events::makes_entry(event.topic))
      found.emplace(event.post, event.actor);
  }
  for (const auto& [key, row] : table<FanOutQueue>(state)) found.emplace(row.post, row.author);
  std::vector<Entry> entries;
  for (const auto& [id, author] : found) {
    if (authors.contains(author)) entries.push_back({id, author});
  }
  std::ranges::reverse(entries);
  return entries;
}

bool has_relation(const State& state, UserNumber user, Relation relation, UserNumber other) {
  return table<Relations>(state).contains({user, relation, other});
}

// Whether there is a row of somebody, in a table whose keys begin with a user.
template <class T>
bool has_rows_of(const State& state, UserNumber user) {
  const auto rows = table<T>(state);
  const auto at = rows.lower_bound({user, {}});
  if (at == rows.end()) return false;
  const auto& [first, rest] = (*at).first;
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

std::vector<UserCounters> ModelSnapshot::counters(std::span<const UserNumber> numbers) const {
  std::vector<CounterDelta> pending;
  for (const auto& event : reads::events(*this, state_->scalars.counters, rules::kNoLimit)) {
    events::append_user_deltas(event, pending);
  }
  std::vector<UserCounters> result;
  for (const UserNumber user : numbers) {
    UserCounters counters = find(UserCounts::Key{user}).value_or(UserCounters{});
    for (const CounterDelta& delta : pending) {
      if (delta.user != user) continue;
      counters.followers += delta.followers;
      counters.following += delta.following;
      counters.posts += delta.posts;
    }
    result.push_back(counters);
  }
  return result;
}

// ---------------------------------------------------------------- posts and people

std::vector<std::optional<Post>> ModelSnapshot::posts_at(std::span<const PostId> ids) const {
  std::vector<std::optional<Post>> posts;
  for (const PostId id : ids) {
    posts.push_back(find(Posts::Key{id}));
    if (posts.back() && !kept(*state_, posts.back()->author)) posts.back().reset();
  }
  return posts;
}

std::vector<Entry> ModelSnapshot::author_entries(const LogsOf& logs, IdRange range,
                                                 Direction direction, std::uint32_t limit) const {
  std::vector<Entry> all;
  const auto add = [&]<class Log>(UserNumber author, Privacy level) {
    if (!logs.has(author, level)) return;
    using Key = typename Log::Key;
    for (const auto& [key, nothing] :
         RowReader::range(Key{author, kBelowAllPosts}, Key{author, kAboveAllPosts}, Direction::kUp,
                          rules::kNoLimit)) {
      all.push_back({key.id, author});
    }
  };
  for (const UserNumber author : logs.authors) {
    if (!kept(*state_, author)) continue;
    add.operator()<AuthorLogs>(author, Privacy::kPublic);
    add.operator()<FollowersLogs>(author, Privacy::kFollowers);
    add.operator()<PrivateLogs>(author, Privacy::kPrivate);
  }
  std::ranges::sort(all, newer);
  return cut(std::move(all), range, direction, limit);
}

std::vector<ContentCounters> ModelSnapshot::content_counters(
    std::span<const ContentId> contents) const {
  std::vector<ContentDelta> pending;
  for (const auto& event : reads::events(*this, state_->scalars.counters, rules::kNoLimit)) {
    events::append_content_deltas(event, pending);
  }
  std::vector<ContentCounters> result;
  for (const ContentId content : contents) {
    result.push_back(find(ContentCounts::Key{content}).value_or(ContentCounters{}));
    for (const ContentDelta& delta : pending) {
      if (delta.content == content) result.back() += delta.change;
    }
  }
  return result;
}

std::vector<ViewerRelation> ModelSnapshot::bonds(UserNumber viewer,
                                                 std::span<const UserNumber> others) const {
  std::vector<ViewerRelation> bonds;
  for (const UserNumber other : others) {
    bonds.push_back({.blocks = has_relation(*state_, viewer, Relation::kBlock, other),
                     .blocked_by = has_relation(*state_, other, Relation::kBlock, viewer),
                     .mutes = has_relation(*state_, viewer, Relation::kMute, other),
                     .reposts_off = has_relation(*state_, viewer, Relation::kRepostsOff, other)});
  }
  return bonds;
}

// ---------------------------------------------------------------- feeds and the log

FeedSources ModelSnapshot::feed_sources(UserNumber viewer) const {
  FeedSources sources;
  sources.state = state();
  if (!kept(*state_, viewer)) return sources;
  const auto timeline = this->timeline(viewer);
  if (timeline && timeline->generation == state_->scalars.generation) {
    sources.has_timeline = true;
    sources.complete_from = timeline->complete_from;
    sources.last_read = timeline->last_read;
  }
  std::set<UserNumber> authors{viewer};
  for (const Edge& edge : reads::following(*this, viewer, kNobody, rules::kNoLimit).edges) {
    if (!kept(*state_, edge.other)) continue;
    sources.following.push_back(edge.other);
    authors.insert(edge.other);
  }
  for (const UserNumber author : authors) {
    const auto found = find(Marks::Key{author});
    if (found && found->push_from != feed::kAlwaysPushed) sources.marks.push_back(*found);
  }
  sources.pending = pending_entries(*state_, viewer, authors);
  return sources;
}

std::vector<Entry> ModelSnapshot::timeline_entries(UserNumber viewer, IdRange range,
                                                   Direction direction, std::uint32_t limit) const {
  const auto found = timeline(viewer);
  return found ? cut(found->entries, range, direction, limit) : std::vector<Entry>{};
}

std::optional<Timeline> ModelSnapshot::timeline(UserNumber viewer) const {
  const auto found = state_->timelines.find(viewer);
  if (found == state_->timelines.end()) return std::nullopt;
  return found->second;
}

std::optional<Time> ModelSnapshot::oldest_key() const {
  std::optional<Time> oldest;
  for (const auto& [key, kept] : state_->requests) {
    if (!oldest || kept.since < *oldest) oldest = kept.since;
  }
  return oldest;
}

std::vector<UserNumber> ModelSnapshot::scan_timelines(UserNumber after, std::uint32_t limit) const {
  std::vector<UserNumber> result;
  for (const auto& [viewer, timeline] : state_->timelines) {
    if (viewer > after && result.size() < limit) result.push_back(viewer);
  }
  return result;
}

std::vector<std::string_view> ModelSnapshot::traces_of(UserNumber user) const {
  const State& state = *state_;
  const std::pair<bool, std::string_view> kinds[] = {
      {has_rows_of<AuthorLogs>(state, user), "posts"},
      {has_rows_of<FollowersLogs>(state, user), "posts for followers"},
      {has_rows_of<PrivateLogs>(state, user), "private posts"},
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

}  // namespace chirp::model
