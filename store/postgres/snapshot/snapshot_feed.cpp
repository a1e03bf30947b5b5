// Snapshot queries for a page of a feed.
#include <algorithm>
#include <map>
#include <utility>

#include "core/ports/reads.h"
#include "store/postgres/snapshot/snapshot.h"

namespace chirp::postgres {
namespace {

using namespace tables;

// With a smaller cap, the whole timeline is read at once, because pages soon pass its head.
constexpr std::uint32_t kReadWhole = 512;

// Rows that had not died by a number. Later rows are left out once the number to read is known.
constexpr std::string_view kPresence =
    "select born, died, presence from cards t where usr = $2::int4"
    " and (died is null or died > $1::int8) /*and t.b = bucket*/";
constexpr std::string_view kFollowing =
    "select born, died, others from following t where usr = $2::int4"
    " and (died is null or died > $1::int8) /*and t.b = bucket*/ order by bound";

// Whether a row is visible; its first two columns are the commits of its birth and death.
bool is_alive_at(std::int64_t number, const Result& result, int row) {
  return result.number(row, 0) <= number &&
         (result.is_null(row, 1) || result.number(row, 1) > number);
}

// Returns the entries in the range nearest to its start in this direction. `entries` are newest
// first.
std::vector<Entry> cut(std::span<const Entry> entries, IdRange range, Direction direction,
                       std::uint32_t limit) {
  const auto first_of = [&](const auto& is_before) {
    return std::partition_point(entries.begin(), entries.end(), is_before);
  };
  const auto begin = first_of([&](const Entry& entry) { return entry.id >= range.below; });
  const auto end = first_of([&](const Entry& entry) { return entry.id > range.above; });
  if (end <= begin) return {};
  const auto size = std::min<std::ptrdiff_t>(end - begin, limit);
  if (direction == Direction::kDown) return {begin, begin + size};
  const auto last = std::make_reverse_iterator(end);
  return {last, last + size};
}

// Whether these entries include all that the timeline has for the range.
bool is_known(const StoredTimeline& stored, IdRange range, Direction direction, bool is_enough) {
  if (direction == Direction::kDown && is_enough) return true;
  return stored.known_from <= range.above || stored.known_from.value - range.above.value == 1;
}

// Whether it is the same timeline, apart from later deliveries.
bool is_same(const StoredTimeline& a, const StoredTimeline& b) {
  return a.since == b.since && a.timeline.generation == b.timeline.generation &&
         a.timeline.complete_from == b.timeline.complete_from;
}

}  // namespace

std::optional<StoredTimeline>& PostgresSnapshot::stored(UserNumber viewer) const {
  const auto known = timelines_.find(viewer);
  if (known != timelines_.end()) return known->second;
  std::optional<StoredTimeline> stored;
  in_round([&](Questions& questions) {
    find_timeline(questions, viewer, [&](auto found) { stored = std::move(found); });
  });
  return timelines_[viewer] = std::move(stored);
}

// A timeline that was cut, dropped or rewritten since its newest entries were read can't be read
// any more. Its part of the feed is read from the logs.
void PostgresSnapshot::complete(UserNumber viewer,
                                const std::function<void(Questions&)>& along) const {
  std::optional<StoredTimeline>& known = stored(viewer);
  std::optional<StoredTimeline> whole;
  in_round([&](Questions& questions) {
    find_timeline(questions, viewer, [&](auto found) { whole = std::move(found); });
    along(questions);
  });
  const bool is_gone = !whole || !is_same(*whole, *known);
  if (is_gone && ahead_.viewer() == viewer) {
    const PostId from = known->timeline.complete_from;
    const IdRange range{PostId{from.value - std::min<std::uint64_t>(from.value, 1)},
                        kAboveAllPosts};
    known->timeline.entries =
        author_entries(feed_logs(ahead_.authors(), viewer), range, Direction::kDown, kAllRows);
    known->known_from = kBelowAllPosts;
  } else {
    known = std::move(whole);
  }
}

// A timeline rewritten since this number may not match whom the viewer followed then. Later
// deliveries do no harm, because they remove nothing.
bool PostgresSnapshot::is_seen(const std::optional<StoredTimeline>& timeline) const {
  return timeline && timeline->since <= static_cast<std::int64_t>(stored_state().version);
}

struct PostgresSnapshot::Sources {
  std::optional<Presence> presence;
  std::vector<UserNumber> following;
  std::optional<StoredTimeline> timeline;
  std::shared_ptr<const PulledMarks::At> marks;  // the process's cached marks
  std::optional<std::vector<feed::AuthorMark>> fresh_marks;
  std::optional<std::vector<FanOutRow>> queue;
};

// Queries what all pages of a state share, unless it is cached.
void PostgresSnapshot::ask_shared(Questions& questions, Sources& sources) const {
  const bool knows_marks =
      state_ ? sources.marks->number == state_->marks : sources.marks->number >= 0;
  if (!knows_marks && !sources.fresh_marks) {
    ask_pulled(questions, [&](auto marks) { sources.fresh_marks = std::move(marks); });
  }
  const bool has_queue = state_ ? state_->fan_out_queue != 0 : remembered_->has_queue.load();
  if (has_queue && !sources.queue) {
    questions.range<FanOutQueue>({{Sequence{0}}, {reads::Greatest{}}}, kAllRows,
                                 [&](auto rows) { sources.queue = std::move(rows); });
  }
}

// Queries the viewer's rows from their server, and the end of the log from home.
void PostgresSnapshot::ask_of_viewer(Questions& questions, UserNumber viewer,
                                     Sources& sources) const {
  const auto of_viewer = [&] {
    return Params().int8(questions.point().number).int4(static_cast<std::int32_t>(viewer.value));
  };
  const auto is_alive = [this](const Result& result, int row) {
    return is_alive_at(static_cast<std::int64_t>(state_->version), result, row);
  };
  const Group group = questions.placing().group_of(viewer);
  questions.at(group, kPresence, of_viewer(), [&sources, is_alive](const Result& result) {
    for (int row = 0; row < result.rows(); ++row) {
      if (is_alive(result, row)) sources.presence = static_cast<Presence>(result.number(row, 2));
    }
  });
  questions.at(group, kFollowing, of_viewer(), [&sources, is_alive](const Result& result) {
    for (int row = 0; row < result.rows(); ++row) {
      if (!is_alive(result, row)) continue;
      for (const std::int64_t other : numbers_in(result.bytes(row, 2))) {
        sources.following.push_back(UserNumber{static_cast<std::uint32_t>(other)});
      }
    }
  });
  const auto take = [&](auto found) { sources.timeline = std::move(found); };
  const std::uint32_t cap = state_ ? state_->settings.cap : remembered_->cap.load();
  if (cap < kReadWhole) {
    find_timeline(questions, viewer, take);
  } else {
    find_newest(questions, viewer, take);
  }
  const auto learn = [&](const std::vector<events::Event>& events) {
    if (events.empty()) return;
    remembered_->tail.learn(events.front().sequence, events, first_pending(*state_));
  };
  const Sequence known = remembered_->tail.end();
  if (!state_) {
    ask_tail(questions, known, learn);
  } else if (const Sequence from = std::max(known, first_pending(*state_));
             from < state_->log_end) {
    questions.range<Events>({{from}, {{state_->log_end.value - 1}}}, kAllRows, learn);
  }
}

void PostgresSnapshot::ask_sources(Questions& questions, UserNumber viewer,
                                   Sources& sources) const {
  ask_of_viewer(questions, viewer, sources);
  sources.marks = remembered_->pulled.newest();
  ask_shared(questions, sources);
}

// With several servers, the viewer's rows are queried along with home's state, before its number is
// known. The server first reports its newest commit and then sends rows of that commit or later. If
// it has all commits that the state lists for it, the rows are complete, and later ones are
// filtered out.
bool PostgresSnapshot::ask_early(UserNumber viewer, Sources& sources) const {
  kept_ = now_();
  const Group group = reading_.placing().group_of(viewer);
  std::int64_t reached = 0;
  Questions questions([this](std::span<const GroupQuery> all) { return reading_.ask_early(all); },
                      reading_.placing(), {remembered_->number.load(), 0, 0});
  ask_state(questions);
  questions.at(group, kReach, {}, [&](const Result& result) { reached = result.number(0, 0); });
  ask_of_viewer(questions, viewer, sources);
  questions.ask();
  check_age();
  if (state_->removals == 0) going_.emplace();
  sources.marks = remembered_->pulled.newest();
  return reached >= state_->touched[group - 1] || without_ == Safeguard::kReachedFirst;
}

std::vector<feed::AuthorMark> PostgresSnapshot::marks_of(const Sources& sources,
                                                         UserNumber viewer) const {
  auto all = sources.marks;
  if (all->number != state_->marks) {
    all = std::make_shared<const PulledMarks::At>(
        PulledMarks::At{state_->marks, sources.fresh_marks.value()});
    remembered_->pulled.learn(all);
  }
  return postgres::marks_of(all->marks, sources.following, viewer);
}

FeedSources PostgresSnapshot::feed_sources(UserNumber viewer) const {
  Sources asked;
  if (state_ || !reading_.has_several() || !ask_early(viewer, asked)) {
    asked = {};
    in_round([&](Questions& questions) { ask_sources(questions, viewer, asked); });
  }
  const bool lacks_marks = asked.marks->number != state_->marks && !asked.fresh_marks;
  if (lacks_marks || (state_->fan_out_queue != 0 && !asked.queue)) {
    in_round([&](Questions& questions) { ask_shared(questions, asked); });
  }
  FeedSources sources;
  sources.state = *state_;
  const auto& timeline = timelines_[viewer] = std::move(asked.timeline);
  if (!asked.presence || *asked.presence == Presence::kRemoved) return sources;
  if (is_seen(timeline) && timeline->timeline.generation == state_->generation) {
    sources.has_timeline = true;
    sources.complete_from = timeline->timeline.complete_from;
    sources.last_read = timeline->timeline.last_read;
  }
  std::erase_if(asked.following, [&](UserNumber author) { return is_going(author); });
  sources.marks = marks_of(asked, viewer);
  sources.following = std::move(asked.following);
  sources.pending = pending(sources, viewer, asked.queue.value_or(std::vector<FanOutRow>{}));

  std::vector<UserNumber> authors = sources.following;
  const auto at = std::ranges::lower_bound(authors, viewer);
  if (at == authors.end() || *at != viewer) authors.insert(at, viewer);
  ahead_.begin(viewer, std::move(authors), sources);
  ahead_.told_entries(sources.pending);
  return sources;
}

std::vector<Entry> PostgresSnapshot::pending(const FeedSources& sources, UserNumber viewer,
                                             std::span<const FanOutRow> queue) const {
  std::map<PostId, UserNumber> found;
  for (const auto& event : events_from(state_->fan_out)) {
    if (!events::makes_entry(event.topic)) continue;
    if (event.privacy == Privacy::kPrivate && event.actor != viewer) continue;
    found.emplace(event.post, event.actor);
  }
  for (const FanOutRow& row : queue) found.emplace(row.post, row.author);
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
  auto entries = cut(timeline->timeline.entries, range, direction, limit);
  if (!is_known(*timeline, range, direction, entries.size() == limit)) {
    complete(viewer, [&](Questions& questions) {
      ahead_.ask_with_timeline(questions, range, direction, limit);
    });
    if (!is_seen(timeline)) return {};
    entries = cut(timeline->timeline.entries, range, direction, limit);
  }
  ahead_.told_timeline(range, direction, limit, entries);
  return entries;
}

std::vector<Entry> PostgresSnapshot::author_entries(const LogsOf& logs, IdRange range,
                                                    Direction direction,
                                                    std::uint32_t limit) const {
  begin();
  Logs wanted{{}, logs.levels, logs.owner, range, direction, limit};
  for (const UserNumber author : logs.authors) {
    if (!is_going(author)) wanted.authors.push_back(author);
  }
  if (wanted.authors.empty() || limit == 0) return {};
  auto known = ahead_.find_logs(wanted);
  std::vector<Entry> entries;
  if (known) {
    entries = std::move(*known);
  } else {
    in_round([&](Questions& questions) {
      ask_logs(questions, wanted, [&](auto found) { entries = std::move(found); });
      ahead_.ask_with_logs(questions, wanted);
    });
  }
  ahead_.told_logs(wanted, entries);
  return entries;
}

}  // namespace chirp::postgres
