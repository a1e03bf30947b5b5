#include "store/memory/snapshot.h"

#include <algorithm>

namespace chirp::memory {
namespace {

// The entries strictly inside the range, cut to the `limit` nearest the end that the direction
// starts from, in its order. Takes them newest first.
std::vector<Entry> cut(std::vector<Entry> entries, IdRange range, Direction direction,
                       std::uint32_t limit) {
  std::erase_if(entries, [&](const Entry& entry) {
    return entry.id <= range.above || entry.id >= range.below;
  });
  if (direction == Direction::kUp) std::reverse(entries.begin(), entries.end());
  if (entries.size() > limit) entries.resize(limit);
  return entries;
}

EdgePage edges_after(const std::map<UserNumber, std::map<UserNumber, Time>>& side, UserNumber user,
                     UserNumber after, std::uint32_t limit) {
  EdgePage page;
  const auto found = side.find(user);
  if (found == side.end()) return page;
  for (auto at = found->second.upper_bound(after); at != found->second.end(); ++at) {
    if (page.edges.size() == limit) {
      page.more = true;
      break;
    }
    page.edges.push_back({at->first, at->second});
  }
  return page;
}

// Posts that fan-out has yet to finish, by authors in `authors`.
std::vector<Entry> pending_entries(const State& state, const std::set<UserNumber>& authors) {
  std::map<PostId, UserNumber> found;
  for (auto at = state.log.lower_bound(state.scalars.fan_out); at != state.log.end(); ++at) {
    if (events::makes_entry(at->second.topic)) {
      found.emplace(at->second.post, at->second.actor);
    }
  }
  for (const auto& [sequence, row] : state.queue) found.emplace(row.post, row.author);
  std::vector<Entry> entries;
  for (const auto& [id, author] : found) {
    if (authors.contains(author)) entries.push_back({id, author});
  }
  std::reverse(entries.begin(), entries.end());
  return entries;
}

}  // namespace

StoreState MemorySnapshot::state() const {
  StoreState result = state_->scalars;
  result.fan_out_queue = state_->queue.size();
  result.post_removals = state_->post_removals.size();
  return result;
}

std::vector<std::optional<AuthorCard>> MemorySnapshot::cards(
    std::span<const UserNumber> numbers) const {
  std::vector<std::optional<AuthorCard>> result;
  for (const UserNumber number : numbers) {
    const auto found = state_->cards.find(number);
    result.push_back(found == state_->cards.end() ? std::nullopt : std::optional(found->second));
  }
  return result;
}

std::optional<UserNumber> MemorySnapshot::number_of(UserId id) const {
  const auto found = state_->numbers.find(id);
  if (found == state_->numbers.end()) return std::nullopt;
  return found->second;
}

std::vector<UserCounters> MemorySnapshot::counters(std::span<const UserNumber> numbers) const {
  const std::map<UserNumber, UserCounters> pending = pending_counters(*state_);
  const auto of = [](const std::map<UserNumber, UserCounters>& counters, UserNumber user) {
    const auto found = counters.find(user);
    return found == counters.end() ? UserCounters{} : found->second;
  };
  std::vector<UserCounters> result;
  for (const UserNumber user : numbers) {
    result.push_back(sum(of(state_->counters, user), of(pending, user)));
  }
  return result;
}

std::optional<feed::AuthorMark> MemorySnapshot::mark(UserNumber author) const {
  const auto found = state_->marks.find(author);
  if (found == state_->marks.end()) return std::nullopt;
  return found->second;
}

std::vector<std::optional<Post>> MemorySnapshot::posts(std::span<const Entry> entries) const {
  std::vector<std::optional<Post>> result;
  for (const Entry& entry : entries) {
    const Post* found = visible_post(*state_, entry.id);
    const bool there = found != nullptr && found->author == entry.author;
    result.push_back(there ? std::optional(*found) : std::nullopt);
  }
  return result;
}

std::optional<Post> MemorySnapshot::post(PostId id) const {
  const Post* found = visible_post(*state_, id);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::vector<Entry> MemorySnapshot::author_entries(std::span<const UserNumber> authors,
                                                  IdRange range, Direction direction,
                                                  std::uint32_t limit) const {
  std::vector<Entry> all;
  for (const UserNumber author : authors) {
    const auto found = state_->author_logs.find(author);
    if (found == state_->author_logs.end() || !present(*state_, author)) continue;
    for (const PostId id : found->second) all.push_back({id, author});
  }
  std::sort(all.begin(), all.end(), newer);
  return cut(std::move(all), range, direction, limit);
}

std::vector<std::optional<PostId>> MemorySnapshot::reposts_by(
    UserNumber user, std::span<const PostId> originals) const {
  std::vector<std::optional<PostId>> result;
  for (const PostId original : originals) {
    result.emplace_back();
    const auto of_original = state_->reposts.find(original);
    if (of_original == state_->reposts.end()) continue;
    const auto found = of_original->second.find(user);
    if (found != of_original->second.end()) result.back() = found->second;
  }
  return result;
}

std::vector<Entry> MemorySnapshot::reposts(PostId original, UserNumber after,
                                           std::uint32_t limit) const {
  std::vector<Entry> result;
  const auto found = state_->reposts.find(original);
  if (found == state_->reposts.end()) return result;
  for (auto at = found->second.upper_bound(after);
       at != found->second.end() && result.size() < limit; ++at) {
    result.push_back({at->second, at->first});
  }
  return result;
}

EdgePage MemorySnapshot::following(UserNumber user, UserNumber after, std::uint32_t limit) const {
  return edges_after(state_->following, user, after, limit);
}

EdgePage MemorySnapshot::followers(UserNumber user, UserNumber after, std::uint32_t limit) const {
  return edges_after(state_->followers, user, after, limit);
}

std::optional<Time> MemorySnapshot::follows(UserNumber follower, UserNumber followee) const {
  const auto edges = state_->following.find(follower);
  if (edges == state_->following.end()) return std::nullopt;
  const auto found = edges->second.find(followee);
  if (found == edges->second.end()) return std::nullopt;
  return found->second;
}

std::vector<Bond> MemorySnapshot::bonds(UserNumber viewer,
                                        std::span<const UserNumber> others) const {
  std::vector<Bond> bonds;
  for (const UserNumber other : others) {
    bonds.push_back(
        {.blocks = memory::related(*state_, viewer, Relation::kBlock, other),
         .blocked_by = memory::related(*state_, other, Relation::kBlock, viewer),
         .mutes = memory::related(*state_, viewer, Relation::kMute, other),
         .reposts_off = memory::related(*state_, viewer, Relation::kRepostsOff, other)});
  }
  return bonds;
}

std::vector<bool> MemorySnapshot::media_named(std::span<const MediaId> uploads) const {
  std::vector<bool> named;
  for (const MediaId upload : uploads) {
    named.push_back(std::any_of(state_->posts.begin(), state_->posts.end(), [&](const auto& post) {
      const auto& media = post.second.media;
      return std::find(media.begin(), media.end(), Medium{upload, {}}) != media.end();
    }));
  }
  return named;
}

EdgePage MemorySnapshot::related(UserNumber user, Relation relation, UserNumber after,
                                 std::uint32_t limit) const {
  EdgePage page;
  const auto found = state_->relations.find(user);
  if (found == state_->relations.end()) return page;
  for (const auto& [what, since] : found->second) {
    if (what.first != relation || what.second <= after) continue;
    page.more = page.edges.size() == limit;
    if (page.more) break;
    page.edges.push_back({what.second, since});
  }
  return page;
}

FeedSources MemorySnapshot::feed_sources(UserNumber viewer) const {
  FeedSources sources;
  sources.state = state();
  if (!present(*state_, viewer)) return sources;
  if (const auto found = state_->timelines.find(viewer);
      found != state_->timelines.end() && found->second.generation == state_->scalars.generation) {
    sources.has_timeline = true;
    sources.complete_from = found->second.complete_from;
    sources.last_read = found->second.last_read;
  }
  std::set<UserNumber> authors{viewer};
  if (const auto edges = state_->following.find(viewer); edges != state_->following.end()) {
    for (const auto& [followee, since] : edges->second) {
      if (!present(*state_, followee)) continue;
      sources.following.push_back(followee);
      authors.insert(followee);
    }
  }
  for (const UserNumber author : authors) {
    const auto found = mark(author);
    if (found && found->push_from != feed::kAlwaysPushed) sources.marks.push_back(*found);
  }
  sources.pending = pending_entries(*state_, authors);
  return sources;
}

std::vector<Entry> MemorySnapshot::timeline_entries(UserNumber viewer, IdRange range,
                                                    Direction direction,
                                                    std::uint32_t limit) const {
  const auto found = state_->timelines.find(viewer);
  if (found == state_->timelines.end()) return {};
  return cut(found->second.entries, range, direction, limit);
}

ReadingMarks MemorySnapshot::reading(UserNumber user) const {
  const auto found = state_->readers.find(user);
  ReadingMarks marks = found == state_->readers.end() ? ReadingMarks{} : found->second;
  marks.notified = notified(user);
  return marks;
}

std::vector<events::Event> MemorySnapshot::events(Sequence from, std::uint32_t limit) const {
  std::vector<events::Event> result;
  for (auto at = state_->log.lower_bound(from); at != state_->log.end(); ++at) {
    if (result.size() == limit) break;
    result.push_back(at->second);
  }
  return result;
}

std::vector<FanOutRow> MemorySnapshot::fan_out_queue(std::uint32_t limit) const {
  std::vector<FanOutRow> result;
  for (const auto& [sequence, row] : state_->queue) {
    if (result.size() == limit) break;
    result.push_back(row);
  }
  return result;
}

}  // namespace chirp::memory
