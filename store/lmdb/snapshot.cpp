#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ports/reads.h"
#include "store/lmdb/early_entries.h"
#include "store/lmdb/idempotency_keys.h"
#include "store/lmdb/joined.h"
#include "store/lmdb/lmdb_snapshot.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

constexpr std::uint32_t kAll = ~std::uint32_t{0};
// The number of log events read in the time of one look-up in an author's log.
constexpr std::uint64_t kEventsALook = 4;

// Returns the oldest post or repost in the log from `from` on.
std::optional<PostId> first_post(const Txn& txn, Sequence from) {
  Cursor cursor(txn, Table::kEvents);
  for (auto item = cursor.at_or_after(key(from)); item; item = cursor.next()) {
    const events::Event event = decode_event(item->key, item->value);
    if (events::makes_entry(event.topic)) return event.post;
  }
  return std::nullopt;
}

// Returns the live posts of these logs from `first` on, newest first. Live ids ascend with the log,
// so from its first pending post on these are the pending posts, and posts that an export restored
// meanwhile.
std::vector<Entry> live_posts(const Txn& txn, const StoreState& state, const LogsOf& logs,
                              PostId first) {
  auto posts =
      merged_logs(txn, state, logs, {{first.value - 1}, kAboveAllPosts}, Direction::kDown, kAll);
  std::erase_if(posts, [](const Entry& post) {
    return snowflake::machine(post.id.value) == snowflake::kLoadMachine;
  });
  return posts;
}

bool has_rows_under(const Txn& txn, const StoreState& state, Table table, Bytes prefix) {
  Cursor cursor(txn, table);
  auto item = cursor.at_or_after(prefix);
  while (item && item->key.starts_with(prefix) && is_without_post(txn, state, table, item->key)) {
    item = cursor.next();
  }
  return item && item->key.starts_with(prefix);
}

// Tables that have no rows of a removed user: those whose keys begin with the user.
constexpr std::array<std::pair<Table, std::string_view>, 14> kOfUser{{
    {Table::kAuthorLogs, "posts"},
    {Table::kFollowersLogs, "posts for followers"},
    {Table::kPrivateLogs, "private posts"},
    {Table::kFollowing, "follows"},
    {Table::kFollowers, "followers"},
    {Table::kRelations, "blocks and mutes"},
    {Table::kRelated, "blocks and mutes by others"},
    {Table::kReactionsBy, "reactions"},
    {Table::kCommentsBy, "comments"},
    {Table::kKeys, "idempotency keys"},
    {Table::kNotifications, "notifications"},
    {Table::kTimelines, "timeline"},
    {Table::kMarks, "mark"},
    {Table::kReaders, "reading marks"},
}};

}  // namespace

std::unique_ptr<Snapshot> LmdbStorage::snapshot() const {
  return std::make_unique<LmdbSnapshot>(env_, uncounted_);
}

LmdbSnapshot::LmdbSnapshot(std::shared_ptr<const Env> env, std::shared_ptr<Uncounted> uncounted)
    : env_(std::move(env)), reader_(env_), txn_(reader_.txn()), uncounted_(std::move(uncounted)) {
  read_state_now();
}

void LmdbSnapshot::read_state_now() {
  state_ = read_state(txn_);
  going_.clear();
  if (state_.removals != 0) going_ = reads::unfinished_removals(*this);
}

bool LmdbSnapshot::renew() {
  reader_.renew();
  read_state_now();
  return true;
}

std::uint64_t LmdbSnapshot::held_back() const { return env_->bytes_freed_after(txn_.id()); }

bool LmdbSnapshot::is_going(UserNumber author) const {
  return !going_.empty() && std::binary_search(going_.begin(), going_.end(), author);
}

std::vector<std::optional<Post>> LmdbSnapshot::posts_at(std::span<const PostId> ids) const {
  std::vector<std::optional<Post>> posts;
  posts.reserve(ids.size());
  for (const PostId id : ids) {
    posts.push_back(lmdb::find_row<tables::Posts>(txn_, {id}));
    if (posts.back() && is_going(posts.back()->author)) posts.back().reset();
  }
  return posts;
}

std::vector<UserCounters> LmdbSnapshot::counters(std::span<const UserNumber> numbers) const {
  return read_counters(txn_, state_, *uncounted_, numbers);
}

std::vector<ContentCounters> LmdbSnapshot::content_counters(
    std::span<const ContentId> contents) const {
  return read_content_counters(txn_, state_, *uncounted_, contents);
}

std::vector<Entry> LmdbSnapshot::author_entries(const LogsOf& logs, IdRange range,
                                                Direction direction, std::uint32_t limit) const {
  if (going_.empty()) return merged_logs(txn_, state_, logs, range, direction, limit);
  std::vector<UserNumber> there(logs.authors.begin(), logs.authors.end());
  std::erase_if(there, [&](UserNumber author) { return is_going(author); });
  return merged_logs(txn_, state_, {there, logs.levels, logs.owner}, range, direction, limit);
}

std::vector<ViewerRelation> LmdbSnapshot::bonds(UserNumber viewer,
                                                std::span<const UserNumber> others) const {
  return read_bonds(txn_, state_, viewer, others);
}

FeedSources LmdbSnapshot::feed_sources(UserNumber viewer) const {
  FeedSources sources;
  sources.state = state_;
  if (const auto head = read_head(txn_, viewer); head && head->generation == state_.generation) {
    sources.has_timeline = true;
    sources.complete_from = head->complete_from;
    sources.last_read = time_of_day(head->last_read_day);
    if (is_going(viewer)) return FeedSources{state_, false, {}, {}, {}, {}, {}};
  } else if (!is_kept(txn_, viewer)) {
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
    const auto own = lmdb::find_row<tables::Marks>(txn_, {viewer});
    if (own && own->push_from != feed::kAlwaysPushed) sources.marks.push_back(*own);
  }

  const auto add = [&](PostId post, UserNumber author) {
    if (concerns(author)) sources.pending.push_back({post, author, Origin::kPushed});
  };
  const std::uint64_t late = state_.log_end.value - state_.fan_out.value;
  if (late > kEventsALook * (sources.following.size() + 1)) {
    std::vector<UserNumber> authors = sources.following;
    authors.insert(std::ranges::lower_bound(authors, viewer), viewer);
    const auto first = first_post(txn_, state_.fan_out);
    if (first) sources.pending = live_posts(txn_, state_, feed_logs(authors, viewer), *first);
  } else if (late != 0) {
    for (const auto& event : reads::events(*this, state_.fan_out, kAll)) {
      if (!events::makes_entry(event.topic)) continue;
      if (event.privacy == Privacy::kPrivate && event.actor != viewer) continue;
      add(event.post, event.actor);
    }
  }
  if (state_.fan_out_queue != 0) {
    for (const FanOutRow& row : reads::fan_out_queue(*this, kAll)) {
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

// ---------------------------------------------------------------- walks and checks

std::optional<Timeline> LmdbSnapshot::timeline(UserNumber viewer) const {
  return read_timeline(txn_, viewer);
}

std::vector<UserNumber> LmdbSnapshot::scan_timelines(UserNumber after, std::uint32_t limit) const {
  std::vector<UserNumber> viewers;
  if (after.value == ~0u) return viewers;
  Cursor cursor(txn_, Table::kTimelines);
  for (auto item = cursor.at_or_after(key(UserNumber{after.value + 1}));
       item && viewers.size() < limit; item = cursor.next()) {
    viewers.push_back(user_at(item->key));
  }
  return viewers;
}

std::optional<Time> LmdbSnapshot::oldest_key() const { return read_oldest_key(txn_); }

std::vector<std::string_view> LmdbSnapshot::traces_of(UserNumber user) const {
  std::vector<std::string_view> traces;
  for (const auto& [table, name] : kOfUser) {
    if (has_rows_under(txn_, state_, table, key(user))) traces.push_back(name);
  }
  return traces;
}

std::map<std::string, std::uint64_t> LmdbSnapshot::table_rows() const {
  std::map<std::string, std::uint64_t> rows;
  for (std::size_t i = 0; i < kTables; ++i) {
    const auto table = static_cast<Table>(i);
    if (is_logical(table)) rows.emplace(kTableNames[i], txn_.stat(table).ms_entries);
  }
  const bool kept = state_.follows_since == 0;
  rows["follows"] = kept ? state_.follows : count_edges(txn_, Table::kFollowing);
  return rows;
}

}  // namespace chirp::lmdb
