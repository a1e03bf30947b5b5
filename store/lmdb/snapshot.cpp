#include <algorithm>

#include "store/lmdb/cards.h"
#include "store/lmdb/counters.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/lmdb_snapshot.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/log.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/readers.h"
#include "store/lmdb/relations.h"
#include "store/lmdb/reposts.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {

std::unique_ptr<Snapshot> LmdbStorage::snapshot() const {
  return std::make_unique<LmdbSnapshot>(env_);
}

LmdbSnapshot::LmdbSnapshot(std::shared_ptr<const Env> env)
    : reader_(std::move(env)), txn_(reader_.txn()), state_(read_state(txn_)) {
  if (state_.removals != 0) going_ = unfinished_removals();
}

bool LmdbSnapshot::is_going(UserNumber author) const {
  return !going_.empty() && std::binary_search(going_.begin(), going_.end(), author);
}

std::vector<std::optional<AuthorCard>> LmdbSnapshot::cards(
    std::span<const UserNumber> numbers) const {
  std::vector<std::optional<AuthorCard>> cards;
  cards.reserve(numbers.size());
  for (const UserNumber number : numbers) cards.push_back(read_card(txn_, number));
  return cards;
}

std::optional<UserNumber> LmdbSnapshot::number_of(UserId id) const {
  return lmdb::number_of(txn_, id);
}

std::vector<UserCounters> LmdbSnapshot::counters(std::span<const UserNumber> numbers) const {
  std::vector<UserCounters> counters;
  counters.reserve(numbers.size());
  for (const UserNumber number : numbers) counters.push_back(read_counters(txn_, number));
  add_pending(txn_, state_, numbers, counters);
  return counters;
}

std::optional<feed::AuthorMark> LmdbSnapshot::mark(UserNumber author) const {
  return read_mark(txn_, author);
}

std::vector<std::optional<Post>> LmdbSnapshot::posts(std::span<const Entry> entries) const {
  std::vector<std::optional<Post>> posts;
  posts.reserve(entries.size());
  for (const Entry& entry : entries) {
    posts.push_back(is_going(entry.author) ? std::nullopt : read_post(txn_, entry));
  }
  return posts;
}

std::optional<Post> LmdbSnapshot::post(PostId id) const {
  auto post = read_post(txn_, id);
  if (post && is_going(post->author)) post.reset();
  return post;
}

std::vector<Entry> LmdbSnapshot::author_entries(std::span<const UserNumber> authors, IdRange range,
                                                Direction direction, std::uint32_t limit) const {
  if (going_.empty()) return merged_logs(txn_, authors, range, direction, limit);
  std::vector<UserNumber> there(authors.begin(), authors.end());
  std::erase_if(there, [&](UserNumber author) { return is_going(author); });
  return merged_logs(txn_, there, range, direction, limit);
}

std::vector<std::optional<PostId>> LmdbSnapshot::reposts_by(
    UserNumber user, std::span<const PostId> originals) const {
  std::vector<std::optional<PostId>> found;
  found.reserve(originals.size());
  for (const PostId original : originals) found.push_back(repost_of(txn_, original, user));
  return found;
}

std::vector<Entry> LmdbSnapshot::reposts(PostId original, UserNumber after,
                                         std::uint32_t limit) const {
  return read_reposts(txn_, original, after, limit);
}

EdgePage LmdbSnapshot::following(UserNumber user, UserNumber after, std::uint32_t limit) const {
  return read_edges(txn_, Table::kFollowing, user, after, limit);
}
EdgePage LmdbSnapshot::followers(UserNumber user, UserNumber after, std::uint32_t limit) const {
  return read_edges(txn_, Table::kFollowers, user, after, limit);
}

std::optional<Time> LmdbSnapshot::follows(UserNumber follower, UserNumber followee) const {
  return read_edge(txn_, Table::kFollowing, follower, followee);
}

std::vector<Bond> LmdbSnapshot::bonds(UserNumber viewer, std::span<const UserNumber> others) const {
  return read_bonds(txn_, state_, viewer, others);
}

std::vector<bool> LmdbSnapshot::media_named(std::span<const MediaId> uploads) const {
  std::vector<bool> named;
  Cursor cursor(txn_, Table::kMediaUses);
  for (const MediaId upload : uploads) {
    const auto item = cursor.at_or_after(media_use(upload, kBelowAllPosts));
    named.push_back(item && u64_at(item->key) == upload.value);
  }
  return named;
}

EdgePage LmdbSnapshot::related(UserNumber user, Relation relation, UserNumber after,
                               std::uint32_t limit) const {
  return read_related(txn_, user, relation, after, limit);
}

FeedSources LmdbSnapshot::feed_sources(UserNumber viewer) const {
  FeedSources sources;
  sources.state = state_;
  if (const auto head = read_head(txn_, viewer); head && head->generation == state_.generation) {
    sources.has_timeline = true;
    sources.complete_from = head->complete_from;
    sources.last_read = time_of_day(head->last_read_day);
    if (is_going(viewer)) return FeedSources{state_, false, {}, {}, {}, {}, {}};
  } else if (!is_present(txn_, viewer)) {
    return sources;
  }
  sources.following = read_neighbours(txn_, Table::kFollowing, viewer);
  std::erase_if(sources.following, [&](UserNumber author) { return is_going(author); });
  const auto concerns = [&](UserNumber author) {
    return author == viewer ||
           std::binary_search(sources.following.begin(), sources.following.end(), author);
  };
  if (state_.pulled != 0) {
    sources.marks = read_pulled(txn_, sources.following);
    const auto own = read_mark(txn_, viewer);
    if (own && own->push_from != feed::kAlwaysPushed) sources.marks.push_back(*own);
  }

  const auto add = [&](PostId post, UserNumber author) {
    if (concerns(author)) sources.pending.push_back({post, author, Origin::kPushed});
  };
  if (state_.fan_out < state_.log_end) {
    for (const auto& event : read_events(txn_, state_.fan_out, state_.log_end.value)) {
      if (events::makes_entry(event.topic)) add(event.post, event.actor);
    }
  }
  if (state_.fan_out_queue != 0) {
    for (const FanOutRow& row : read_fan_out_queue(txn_, state_.fan_out_queue)) {
      add(row.post, row.author);
    }
  }
  std::sort(sources.pending.begin(), sources.pending.end(), newer);
  sources.pending.erase(std::unique(sources.pending.begin(), sources.pending.end(),
                                    [](const Entry& a, const Entry& b) { return a.id == b.id; }),
                        sources.pending.end());
  return sources;
}

std::vector<Entry> LmdbSnapshot::timeline_entries(UserNumber viewer, IdRange range,
                                                  Direction direction, std::uint32_t limit) const {
  return read_timeline_entries(txn_, viewer, range, direction, limit);
}

ReadingMarks LmdbSnapshot::reading(UserNumber user) const { return read_reader(txn_, user); }

std::vector<events::Event> LmdbSnapshot::events(Sequence from, std::uint32_t limit) const {
  return read_events(txn_, from, limit);
}

std::vector<FanOutRow> LmdbSnapshot::fan_out_queue(std::uint32_t limit) const {
  return read_fan_out_queue(txn_, limit);
}

}  // namespace chirp::lmdb
