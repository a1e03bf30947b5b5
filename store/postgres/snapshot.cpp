#include "store/postgres/snapshot.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/error.h"
#include "core/model/deltas.h"
#include "core/ports/reads.h"
#include "store/postgres/storage.h"
#include "store/postgres/sweeping.h"

namespace chirp::postgres {
namespace {

using namespace tables;

constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kEveryRange = std::numeric_limits<std::uint64_t>::max();

constexpr std::string_view kGoing = "select usr from removals where died is null order by usr";
constexpr std::string_view kPulled =
    "select author, tier, push_from from marks t where author = any($2::int4[])"
    " and push_from is not null and born <= $1::int8 and (died is null or died > $1::int8)";
std::string merged_logs_sql(std::string_view order) {
  return "select e.id, e.author from unnest($2::int4[]) x(a) cross join lateral (select t.id,"
         " t.author from author_logs t where t.author = x.a and t.id > $3::int8 and t.id < $4::int8"
         " and t.born <= $1::int8 and (t.died is null or t.died > $1::int8) order by t.id" +
         std::string(order) + " limit $5::int8) e order by e.id" + std::string(order) +
         " limit $5::int8";
}

std::int64_t int8_of(std::uint64_t number) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::min(number, kMost));
}

// The entries inside the range that are nearest to where the direction starts. Takes them newest
// first.
std::vector<Entry> cut(std::vector<Entry> entries, IdRange range, Direction direction,
                       std::uint32_t limit) {
  std::erase_if(entries, [&](const Entry& entry) {
    return entry.id <= range.above || entry.id >= range.below;
  });
  if (direction == Direction::kUp) std::ranges::reverse(entries);
  if (entries.size() > limit) entries.resize(limit);
  return entries;
}

}  // namespace

PostgresSnapshot::PostgresSnapshot(std::shared_ptr<Connections> connections,
                                   std::shared_ptr<LogTail> tail,
                                   std::function<std::chrono::steady_clock::time_point()> now)
    : connections_(std::move(connections)),
      tail_(std::move(tail)),
      now_(std::move(now)),
      reader_(fresh_number()) {
  const auto connection = connections_->lend();
  kept_ = now_();
  connection->begin_reading();
  connection->send(kNewest);
  connection->send(kGoing);
  const auto results = connection->commit();
  state_ = newest_in(results[0]);
  for (int row = 0; row < results[1].rows(); ++row) going_.push_back(user_in(results[1], row, 0));
}

// ---------------------------------------------------------------- rounds

void PostgresSnapshot::in_round(const std::function<void(Questions&)>& ask) const {
  const auto too_old = [] {
    return Error(ErrorCode::kUnavailable,
                 "What was read from has grown too old while nothing was asked of it. Try again.");
  };
  if (is_lost_) throw too_old();
  const auto asked = now_();
  const bool pins = asked - kept_ > kSnapshotLives / 3;
  {
    const auto connection = connections_->lend();
    Questions questions(*connection, point_of(state_));
    if (pins) {
      const auto number = static_cast<std::int64_t>(state_.version);
      questions.other(kPin, Params().int8(reader_).int8(number), [](const Result&) {});
    }
    ask(questions);
    questions.ask();
  }
  // Looked at behind the answer: what was swept before it came is not in it.
  is_lost_ = now_() - kept_ > kSnapshotLives;
  if (is_lost_) throw too_old();
  if (pins) kept_ = asked;
}

bool PostgresSnapshot::is_going(UserNumber author) const {
  return std::ranges::binary_search(going_, author);
}

std::vector<events::Event> PostgresSnapshot::events_from(Sequence from) const {
  if (from >= state_.log_end) return {};
  auto events = tail_->find(from, state_.log_end);
  const Sequence next{from.value + events.size()};
  if (next >= state_.log_end) return events;
  const auto rows = rows_of_ranges<Events>(
      std::array{KeyRange<Events>{{next}, {{state_.log_end.value - 1}}}}, Direction::kUp, kAll, 1);
  std::vector<events::Event> fresh;
  for (const auto& [key, event] : rows.front()) fresh.push_back(event);
  tail_->learn(next, fresh, std::min(state_.fan_out, state_.counters));
  events.insert(events.end(), fresh.begin(), fresh.end());
  return events;
}

// ---------------------------------------------------------------- content

std::vector<std::optional<Post>> PostgresSnapshot::posts_at(std::span<const PostId> ids) const {
  std::vector<Posts::Key> keys;
  for (const PostId id : ids) keys.push_back({id});
  auto posts = find_rows<Posts>(keys);
  for (auto& post : posts) {
    if (post && is_going(post->author)) post.reset();
  }
  return posts;
}

std::vector<UserCounters> PostgresSnapshot::counters(std::span<const UserNumber> numbers) const {
  std::vector<UserCounts::Key> keys;
  for (const UserNumber number : numbers) keys.push_back({number});
  std::map<UserNumber, UserCounters> pending;
  std::vector<CounterDelta> deltas;
  for (const auto& event : events_from(state_.counters)) events::append_user_deltas(event, deltas);
  for (const CounterDelta& delta : deltas) {
    UserCounters& counters = pending[delta.user];
    counters.followers += delta.followers;
    counters.following += delta.following;
    counters.posts += delta.posts;
  }
  std::vector<UserCounters> found;
  for (const auto& row : find_rows<UserCounts>(keys)) {
    UserCounters counters = row.value_or(UserCounters{});
    if (const auto more = pending.find(numbers[found.size()]); more != pending.end()) {
      counters.followers += more->second.followers;
      counters.following += more->second.following;
      counters.posts += more->second.posts;
    }
    found.push_back(counters);
  }
  return found;
}

std::vector<ContentCounters> PostgresSnapshot::content_counters(
    std::span<const ContentId> contents) const {
  std::vector<ContentCounts::Key> keys;
  for (const ContentId content : contents) keys.push_back({content});
  std::map<ContentId, ContentCounters> pending;
  std::vector<ContentDelta> deltas;
  for (const auto& event : events_from(state_.counters)) {
    events::append_content_deltas(event, deltas);
  }
  for (const ContentDelta& delta : deltas) pending[delta.content] += delta.change;
  std::vector<ContentCounters> found;
  for (const auto& row : find_rows<ContentCounts>(keys)) {
    ContentCounters counters = row.value_or(ContentCounters{});
    const auto more = pending.find(contents[found.size()]);
    if (more != pending.end()) counters += more->second;
    found.push_back(counters);
  }
  return found;
}

std::vector<Bond> PostgresSnapshot::bonds(UserNumber viewer,
                                          std::span<const UserNumber> others) const {
  std::vector<Bond> bonds(others.size());
  if (state_.relations == 0 || others.empty()) return bonds;
  constexpr std::array kKinds{Relation::kBlock, Relation::kMute, Relation::kRepostsOff};
  std::vector<Relations::Key> sets;
  std::vector<Related::Key> blocked;
  for (const UserNumber other : others) {
    for (const Relation kind : kKinds) sets.push_back({viewer, kind, other});
    blocked.push_back({viewer, Relation::kBlock, other});
  }
  in_round([&](Questions& questions) {
    questions.rows<Relations>(std::move(sets), [&](const auto& rows) {
      for (std::size_t i = 0; i < bonds.size(); ++i) {
        bonds[i].blocks = rows[i * kKinds.size()].has_value();
        bonds[i].mutes = rows[i * kKinds.size() + 1].has_value();
        bonds[i].reposts_off = rows[i * kKinds.size() + 2].has_value();
      }
    });
    questions.rows<Related>(std::move(blocked), [&](const auto& rows) {
      for (std::size_t i = 0; i < bonds.size(); ++i) bonds[i].blocked_by = rows[i].has_value();
    });
  });
  return bonds;
}

// ---------------------------------------------------------------- feeds

const std::optional<StoredTimeline>& PostgresSnapshot::stored(UserNumber viewer) const {
  const auto known = timelines_.find(viewer);
  if (known != timelines_.end()) return known->second;
  auto& stored = timelines_[viewer];
  in_round([&](Questions& questions) {
    find_timeline(questions, viewer, [&](auto found) { stored = std::move(found); });
  });
  return stored;
}

// One that was put since says nothing of whom the viewer followed at this number. Of others
// deliveries may have changed what is in it, which goes on holding all it did.
bool PostgresSnapshot::is_seen(const std::optional<StoredTimeline>& timeline) const {
  return timeline && timeline->since <= static_cast<std::int64_t>(state_.version);
}

FeedSources PostgresSnapshot::feed_sources(UserNumber viewer) const {
  FeedSources sources;
  sources.state = state_;
  std::optional<AuthorCard> card;
  std::optional<StoredTimeline> timeline;
  in_round([&](Questions& questions) {
    questions.rows<Cards>({{viewer}}, [&](auto rows) { card = std::move(rows.front()); });
    questions.ranges<Following>({{{viewer, {0}}, {viewer, {~0U}}}}, {kAll}, Direction::kUp,
                                kEveryRange, [&](const auto& rows) {
                                  for (const auto& [edge, since] : rows.front()) {
                                    sources.following.push_back(edge.followee);
                                  }
                                });
    find_timeline(questions, viewer, [&](auto found) { timeline = std::move(found); });
  });
  timelines_[viewer] = timeline;
  if (!card || card->presence == Presence::kRemoved)
    return FeedSources{state_, false, {}, {}, {}, {}, {}};
  if (is_seen(timeline) && timeline->timeline.generation == state_.generation) {
    sources.has_timeline = true;
    sources.complete_from = timeline->timeline.complete_from;
    sources.last_read = timeline->timeline.last_read;
  }
  std::erase_if(sources.following, [&](UserNumber author) { return is_going(author); });
  Array authors(Type::kInt4);
  add_key(authors, viewer);
  for (const UserNumber author : sources.following) add_key(authors, author);
  in_round([&](Questions& questions) {
    questions.other(
        kPulled, Params().int8(questions.point().number).add(authors), [&](const Result& result) {
          for (int row = 0; row < result.rows(); ++row) {
            sources.marks.push_back({user_in(result, row, 0),
                                     static_cast<feed::Tier>(result.number(row, 1)),
                                     PostId{static_cast<std::uint64_t>(result.number(row, 2))}});
          }
        });
  });
  sources.pending = pending(sources, viewer);
  return sources;
}

std::vector<Entry> PostgresSnapshot::pending(const FeedSources& sources, UserNumber viewer) const {
  std::map<PostId, UserNumber> found;
  for (const auto& event : events_from(state_.fan_out)) {
    if (events::makes_entry(event.topic)) found.emplace(event.post, event.actor);
  }
  if (state_.fan_out_queue != 0) {
    for (const FanOutRow& row : reads::fan_out_queue(*this, kAll)) {
      found.emplace(row.post, row.author);
    }
  }
  std::vector<Entry> entries;
  for (const auto& [id, author] : found) {
    if (author == viewer || std::ranges::binary_search(sources.following, author)) {
      entries.push_back({id, author});
    }
  }
  std::ranges::reverse(entries);
  return entries;
}

std::vector<Entry> PostgresSnapshot::timeline_entries(UserNumber viewer, IdRange range,
                                                      Direction direction,
                                                      std::uint32_t limit) const {
  const auto& timeline = stored(viewer);
  if (!is_seen(timeline)) return {};
  return cut(timeline->timeline.entries, range, direction, limit);
}

std::vector<Entry> PostgresSnapshot::author_entries(std::span<const UserNumber> authors,
                                                    IdRange range, Direction direction,
                                                    std::uint32_t limit) const {
  static const std::string kDown = merged_logs_sql(" desc");
  static const std::string kUp = merged_logs_sql("");
  std::vector<Entry> entries;
  Array asked(Type::kInt4);
  for (const UserNumber author : authors) {
    if (!is_going(author)) add_key(asked, author);
  }
  if (asked.size() == 0 || limit == 0) return entries;
  in_round([&](Questions& questions) {
    Params params;
    params.int8(questions.point().number).add(asked);
    params.int8(int8_of(range.above.value)).int8(int8_of(range.below.value)).int8(limit);
    questions.other(
        direction == Direction::kDown ? kDown : kUp, std::move(params), [&](const Result& result) {
          for (int row = 0; row < result.rows(); ++row) {
            entries.push_back({PostId{static_cast<std::uint64_t>(result.number(row, 0))},
                               user_in(result, row, 1)});
          }
        });
  });
  return entries;
}

}  // namespace chirp::postgres
