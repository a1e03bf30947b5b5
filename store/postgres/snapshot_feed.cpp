// What a page of a feed asks of a snapshot.
#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/ports/reads.h"
#include "store/postgres/snapshot.h"

namespace chirp::postgres {
namespace {

using namespace tables;

constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kEveryRange = std::numeric_limits<std::uint64_t>::max();

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

const std::optional<StoredTimeline>& PostgresSnapshot::stored(UserNumber viewer) const {
  const auto known = timelines_.find(viewer);
  if (known != timelines_.end()) return known->second;
  std::optional<StoredTimeline> stored;
  in_round([&](Questions& questions) {
    find_timeline(questions, viewer, [&](auto found) { stored = std::move(found); });
  });
  return timelines_[viewer] = std::move(stored);
}

// One that was put since says nothing of whom the viewer followed at this number. Of others
// deliveries may have changed what is in it, which goes on holding all it did.
bool PostgresSnapshot::is_seen(const std::optional<StoredTimeline>& timeline) const {
  return timeline && timeline->since <= static_cast<std::int64_t>(stored_state().version);
}

struct PostgresSnapshot::Sources {
  std::optional<AuthorCard> card;
  std::vector<UserNumber> following;
  std::optional<StoredTimeline> timeline;
  std::shared_ptr<const PulledMarks::At> known;  // as the process has kept them
  std::vector<feed::AuthorMark> marks;           // if those are others
  std::vector<FanOutRow> queue;
};

void PostgresSnapshot::ask_sources(Questions& questions, UserNumber viewer,
                                   Sources& sources) const {
  questions.rows<Cards>({{viewer}}, [&](auto rows) { sources.card = std::move(rows.front()); });
  questions.ranges<Following>({{{viewer, {0}}, {viewer, {~0U}}}}, {kAll}, Direction::kUp,
                              kEveryRange, [&](const auto& rows) {
                                for (const auto& [edge, since] : rows.front()) {
                                  sources.following.push_back(edge.followee);
                                }
                              });
  find_timeline(questions, viewer, [&](auto found) { sources.timeline = std::move(found); });
  sources.known = remembered_->pulled.newest();
  if (!state_ || state_->marks != sources.known->number) {
    ask_pulled(questions, state_ ? -1 : sources.known->number,
               [&](auto marks) { sources.marks = std::move(marks); });
  }
  if (!state_ || state_->fan_out_queue != 0) {
    questions.ranges<FanOutQueue>({{{Sequence{0}}, {reads::Greatest{}}}}, {kAll}, Direction::kUp,
                                  kEveryRange, [&](const auto& rows) {
                                    for (const auto& [key, row] : rows.front()) {
                                      sources.queue.push_back(row);
                                    }
                                  });
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
    questions.ranges<Events>({{{from}, {{state_->log_end.value - 1}}}}, {kAll}, Direction::kUp, 1,
                             [learn](const auto& rows) {
                               std::vector<events::Event> events;
                               for (const auto& [key, event] : rows.front()) {
                                 events.push_back(event);
                               }
                               learn(events);
                             });
  }
}

std::vector<feed::AuthorMark> PostgresSnapshot::marks_of(const Sources& sources,
                                                         UserNumber viewer) const {
  auto all = sources.known;
  if (all->number != state_->marks) {
    all = std::make_shared<const PulledMarks::At>(PulledMarks::At{state_->marks, sources.marks});
    remembered_->pulled.learn(all);
  }
  return postgres::marks_of(all->marks, sources.following, viewer);
}

FeedSources PostgresSnapshot::feed_sources(UserNumber viewer) const {
  Sources asked;
  in_round([&](Questions& questions) { ask_sources(questions, viewer, asked); });
  FeedSources sources;
  sources.state = *state_;
  const auto& timeline = timelines_[viewer] = std::move(asked.timeline);
  if (!asked.card || asked.card->presence == Presence::kRemoved) return sources;
  if (is_seen(timeline) && timeline->timeline.generation == state_->generation) {
    sources.has_timeline = true;
    sources.complete_from = timeline->timeline.complete_from;
    sources.last_read = timeline->timeline.last_read;
  }
  std::erase_if(asked.following, [&](UserNumber author) { return is_going(author); });
  sources.marks = marks_of(asked, viewer);
  sources.following = std::move(asked.following);
  sources.pending = pending(sources, viewer, asked.queue);

  std::vector<UserNumber> authors = sources.following;
  const auto at = std::ranges::lower_bound(authors, viewer);
  if (at == authors.end() || *at != viewer) authors.insert(at, viewer);
  ahead_.begin(viewer, std::move(authors),
               sources.has_timeline ? std::optional(sources.complete_from) : std::nullopt);
  ahead_.told_entries(sources.pending);
  return sources;
}

std::vector<Entry> PostgresSnapshot::pending(const FeedSources& sources, UserNumber viewer,
                                             std::span<const FanOutRow> queue) const {
  std::map<PostId, UserNumber> found;
  for (const auto& event : events_from(state_->fan_out)) {
    if (events::makes_entry(event.topic)) found.emplace(event.post, event.actor);
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
  ahead_.told_timeline(range, direction, limit, entries);
  return entries;
}

std::vector<Entry> PostgresSnapshot::author_entries(std::span<const UserNumber> authors,
                                                    IdRange range, Direction direction,
                                                    std::uint32_t limit) const {
  begin();
  Logs wanted{{}, range, direction, limit};
  for (const UserNumber author : authors) {
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
