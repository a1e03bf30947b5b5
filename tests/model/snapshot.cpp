#include "tests/model/snapshot.h"

#include <algorithm>
#include <set>

#include "core/model/deltas.h"
#include "core/model/event.h"

namespace chirp::model {

using namespace tables;
using rules::kLastUser;

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

// Edges out of rows of one side, whose keys end in the other user.
template <class Rows, class Other>
EdgePage page_of(const Rows& rows, UserNumber after, std::uint32_t limit, Other other) {
  EdgePage page;
  for (const auto& [key, since] : rows) {
    if (other(key) <= after) continue;
    page.more = page.edges.size() == limit;
    if (page.more) break;
    page.edges.push_back({other(key), since});
  }
  return page;
}

// Posts that fan-out has yet to finish, by authors in `authors`, newest first.
std::vector<Entry> pending_entries(const State& state, const std::set<UserNumber>& authors) {
  std::map<PostId, UserNumber> found;
  for (const auto& [key, event] : table<Events>(state)) {
    const bool pending = key.sequence >= state.scalars.fan_out;
    if (pending && events::makes_entry(event.topic)) found.emplace(event.post, event.actor);
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

std::optional<Post> visible_post(const State& state, PostId id) {
  auto post = find<Posts>(state, {id});
  if (post && !present(state, post->author)) post.reset();
  return post;
}

std::optional<LoadedContent> content_at(const State& state, ContentId id) {
  const auto original = [&](PostId post) {
    const auto found = visible_post(state, post);
    return found && !found->is_repost();
  };
  if (const auto post = find<Posts>(state, {{id.value}})) {
    const PostId shown = post->is_repost() ? post->original : post->id;
    if (!present(state, post->author) || !original(shown)) return std::nullopt;
    return LoadedContent{shown};
  }
  const auto comment = find<Comments>(state, {{id.value}});
  const bool there = comment && present(state, comment->author) && original(comment->post);
  return there ? std::optional(LoadedContent{comment->post, comment->id}) : std::nullopt;
}

}  // namespace

StoreState ModelSnapshot::state() const { return state_->scalars; }

std::vector<std::optional<AuthorCard>> ModelSnapshot::cards(
    std::span<const UserNumber> numbers) const {
  std::vector<std::optional<AuthorCard>> result;
  for (const UserNumber number : numbers) result.push_back(find<Cards>(*state_, {number}));
  return result;
}

std::optional<UserNumber> ModelSnapshot::number_of(UserId id) const {
  return find<UserIds>(*state_, {id});
}

std::vector<std::optional<UserNumber>> ModelSnapshot::numbers_of(
    std::span<const SourceId> sources) const {
  std::vector<std::optional<UserNumber>> result;
  for (const SourceId source : sources) result.push_back(find<UserSources>(*state_, {source}));
  return result;
}

std::vector<UserCounters> ModelSnapshot::counters(std::span<const UserNumber> numbers) const {
  std::vector<CounterDelta> pending;
  for (const auto& event : events(state_->scalars.counters, rules::kNoLimit)) {
    events::append_user_deltas(event, pending);
  }
  std::vector<UserCounters> result;
  for (const UserNumber user : numbers) {
    UserCounters counters = find<UserCounts>(*state_, {user}).value_or(UserCounters{});
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

std::optional<feed::AuthorMark> ModelSnapshot::mark(UserNumber author) const {
  return find<Marks>(*state_, {author});
}

// ---------------------------------------------------------------- posts

std::vector<std::optional<Post>> ModelSnapshot::posts(std::span<const Entry> entries) const {
  std::vector<std::optional<Post>> result;
  for (const Entry& entry : entries) {
    result.push_back(visible_post(*state_, entry.id));
    if (result.back() && result.back()->author != entry.author) result.back().reset();
  }
  return result;
}

std::optional<Post> ModelSnapshot::post(PostId id) const { return visible_post(*state_, id); }

std::vector<std::optional<LoadedContent>> ModelSnapshot::contents_of(
    std::span<const SourceId> sources) const {
  std::vector<std::optional<LoadedContent>> result;
  for (const SourceId source : sources) {
    const auto id = find<PostSources>(*state_, {source});
    result.push_back(id ? content_at(*state_, *id) : std::nullopt);
  }
  return result;
}

std::vector<Entry> ModelSnapshot::author_entries(std::span<const UserNumber> authors, IdRange range,
                                                 Direction direction, std::uint32_t limit) const {
  std::vector<Entry> all;
  for (const UserNumber author : authors) {
    if (!present(*state_, author)) continue;
    for (const auto& [key, nothing] :
         between<AuthorLogs>(*state_, {author, kBelowAllPosts}, {author, kAboveAllPosts})) {
      all.push_back({key.id, author});
    }
  }
  std::ranges::sort(all, newer);
  return cut(std::move(all), range, direction, limit);
}

std::vector<std::optional<PostId>> ModelSnapshot::reposts_by(
    UserNumber user, std::span<const PostId> originals) const {
  std::vector<std::optional<PostId>> result;
  for (const PostId original : originals) {
    result.push_back(find<RepostsOf>(*state_, {original, user}));
  }
  return result;
}

std::vector<Entry> ModelSnapshot::reposts(PostId original, UserNumber after,
                                          std::uint32_t limit) const {
  std::vector<Entry> result;
  for (const auto& [key, id] :
       between<RepostsOf>(*state_, {original, kNobody}, {original, kLastUser})) {
    if (key.user > after && result.size() < limit) result.push_back({id, key.user});
  }
  return result;
}

std::vector<bool> ModelSnapshot::media_named(std::span<const MediaId> uploads) const {
  std::vector<bool> named;
  for (const MediaId upload : uploads) {
    named.push_back(std::ranges::any_of(table<Posts>(*state_), [&](const auto& row) {
      return std::ranges::count(row.second.media, Medium{upload, {}}) > 0;
    }));
  }
  return named;
}

// ---------------------------------------------------------------- reactions and comments

std::vector<ContentCounters> ModelSnapshot::content_counters(
    std::span<const ContentId> contents) const {
  std::vector<ContentDelta> pending;
  for (const auto& event : events(state_->scalars.counters, rules::kNoLimit)) {
    events::append_content_deltas(event, pending);
  }
  std::vector<ContentCounters> result;
  for (const ContentId content : contents) {
    result.push_back(find<ContentCounts>(*state_, {content}).value_or(ContentCounters{}));
    for (const ContentDelta& delta : pending) {
      if (delta.content == content) result.back() += delta.change;
    }
  }
  return result;
}

std::vector<std::optional<Reaction>> ModelSnapshot::reactions_of(
    UserNumber user, std::span<const ContentId> contents) const {
  std::vector<std::optional<Reaction>> result;
  for (const ContentId content : contents) {
    result.push_back(find<Reactions>(*state_, {content, user}));
  }
  return result;
}

std::vector<Reaction> ModelSnapshot::reactions(ContentId content, UserNumber after,
                                               std::optional<ReactionType> type,
                                               std::uint32_t limit) const {
  std::vector<Reaction> result;
  for (const auto& [key, reaction] :
       between<Reactions>(*state_, {content, kNobody}, {content, kLastUser})) {
    const bool wanted = key.user > after && (!type || reaction.type == *type);
    if (wanted && result.size() < limit) result.push_back(reaction);
  }
  return result;
}

std::vector<std::optional<Comment>> ModelSnapshot::comments(std::span<const CommentId> ids) const {
  std::vector<std::optional<Comment>> result;
  for (const CommentId id : ids) result.push_back(find<Comments>(*state_, {id}));
  return result;
}

std::vector<CommentId> ModelSnapshot::thread(PostId post, CommentId parent, CommentId bound,
                                             Direction direction, std::uint32_t limit) const {
  std::vector<CommentId> result;
  const bool down = direction == Direction::kDown;
  for (const auto& [key, nothing] :
       between<Threads>(*state_, {post, parent, kNoComment}, {post, parent, rules::kLastComment})) {
    if (down ? key.comment < bound : key.comment > bound) result.push_back(key.comment);
  }
  if (down) std::ranges::reverse(result);
  if (result.size() > limit) result.resize(limit);
  return result;
}

std::vector<UserNumber> ModelSnapshot::recent_partners(UserNumber user, std::uint32_t limit) const {
  std::multimap<std::uint64_t, UserNumber, std::greater<>> found;
  for (const auto& [key, author] : table<ReactionsBy>(*state_)) {
    if (key.user == user) found.emplace(key.content.value, author);
  }
  for (const auto& [key, author] : table<CommentsBy>(*state_)) {
    if (key.user == user) found.emplace(key.comment.value, author);
  }
  std::vector<UserNumber> result;
  for (const auto& [id, partner] : found) {
    if (result.size() < limit) result.push_back(partner);
  }
  return result;
}

// ---------------------------------------------------------------- people to people

EdgePage ModelSnapshot::following(UserNumber user, UserNumber after, std::uint32_t limit) const {
  return page_of(between<Following>(*state_, {user, kNobody}, {user, kLastUser}), after, limit,
                 [](const auto& key) { return key.followee; });
}

EdgePage ModelSnapshot::followers(UserNumber user, UserNumber after, std::uint32_t limit) const {
  return page_of(between<Followers>(*state_, {user, kNobody}, {user, kLastUser}), after, limit,
                 [](const auto& key) { return key.follower; });
}

std::optional<Time> ModelSnapshot::follows(UserNumber follower, UserNumber followee) const {
  return find<Following>(*state_, {follower, followee});
}

std::vector<Bond> ModelSnapshot::bonds(UserNumber viewer,
                                       std::span<const UserNumber> others) const {
  std::vector<Bond> bonds;
  for (const UserNumber other : others) {
    bonds.push_back({.blocks = has_relation(*state_, viewer, Relation::kBlock, other),
                     .blocked_by = has_relation(*state_, other, Relation::kBlock, viewer),
                     .mutes = has_relation(*state_, viewer, Relation::kMute, other),
                     .reposts_off = has_relation(*state_, viewer, Relation::kRepostsOff, other)});
  }
  return bonds;
}

EdgePage ModelSnapshot::related(UserNumber user, Relation relation, UserNumber after,
                                std::uint32_t limit) const {
  return page_of(
      between<Relations>(*state_, {user, relation, kNobody}, {user, relation, kLastUser}), after,
      limit, [](const auto& key) { return key.other; });
}

// ---------------------------------------------------------------- feeds and the log

FeedSources ModelSnapshot::feed_sources(UserNumber viewer) const {
  FeedSources sources;
  sources.state = state();
  if (!present(*state_, viewer)) return sources;
  const auto timeline = this->timeline(viewer);
  if (timeline && timeline->generation == state_->scalars.generation) {
    sources.has_timeline = true;
    sources.complete_from = timeline->complete_from;
    sources.last_read = timeline->last_read;
  }
  std::set<UserNumber> authors{viewer};
  for (const auto& [key, since] :
       between<Following>(*state_, {viewer, kNobody}, {viewer, kLastUser})) {
    if (!present(*state_, key.followee)) continue;
    sources.following.push_back(key.followee);
    authors.insert(key.followee);
  }
  for (const UserNumber author : authors) {
    const auto found = mark(author);
    if (found && found->push_from != feed::kAlwaysPushed) sources.marks.push_back(*found);
  }
  sources.pending = pending_entries(*state_, authors);
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

ReadingMarks ModelSnapshot::reading(UserNumber user) const {
  return find<Readers>(*state_, {user}).value_or(Readers::Row{});
}

Sequence ModelSnapshot::notified(UserNumber user) const { return reading(user).notified; }

std::vector<events::Event> ModelSnapshot::events(Sequence from, std::uint32_t limit) const {
  std::vector<events::Event> result;
  const auto& log = table<Events>(*state_);
  for (auto at = log.lower_bound({from}); at != log.end() && result.size() < limit; ++at) {
    result.push_back(at->second);
  }
  return result;
}

std::vector<FanOutRow> ModelSnapshot::fan_out_queue(std::uint32_t limit) const {
  std::vector<FanOutRow> result;
  for (const auto& [key, row] : table<FanOutQueue>(*state_)) {
    if (result.size() < limit) result.push_back(row);
  }
  return result;
}

}  // namespace chirp::model
