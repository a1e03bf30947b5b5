#include "store/marked_storage.h"

#include <utility>

#include "core/error.h"

namespace chirp::store {

MarkedStorage::MarkedStorage(std::unique_ptr<Storage> inner, Sequence noted, Note note)
    : inner_(std::move(inner)), note_(std::move(note)), noted_(noted) {}

Sequence MarkedStorage::last_event() const {
  return {inner_->snapshot()->state().log_end.value - 1};
}

std::optional<Sequence> MarkedStorage::unnoted() const {
  if (!wrote_) return std::nullopt;
  const Sequence last = last_event();
  if (last <= noted_) return std::nullopt;
  return last;
}

void MarkedStorage::wrote(std::uint64_t events) {
  wrote_ = true;
  if (unnoted_.fetch_add(events) + events < kNoteEvery) return;
  const std::unique_lock one(noting_, std::try_to_lock);
  if (!one.owns_lock()) return;  // somebody is at it
  try {
    unnoted_ = 0;
    const Sequence last = last_event();
    note_(last);
    noted_ = last;
  } catch (const Error&) {
    // The next kNoteEvery events try again.
  }
}

std::unique_ptr<Snapshot> MarkedStorage::snapshot() const { return inner_->snapshot(); }

std::uint64_t MarkedStorage::version() const { return inner_->version(); }

std::vector<Outcome> MarkedStorage::write(std::span<const Change> changes, Time now) {
  auto outcomes = inner_->write(changes, now);
  wrote(changes.size());
  return outcomes;
}

bool MarkedStorage::remove_traces(UserNumber user, std::uint32_t rows, Time now) {
  const bool done = inner_->remove_traces(user, rows, now);
  wrote(rows);
  return done;
}

bool MarkedStorage::commit(const FanOutStep& step, Time now) {
  const bool done = inner_->commit(step, now);
  wrote(1);
  return done;
}

bool MarkedStorage::commit(const CounterStep& step, Time now) {
  const bool done = inner_->commit(step, now);
  wrote(1);
  return done;
}

bool MarkedStorage::store(const BuiltTimeline& built, Replace replace, Time now) {
  return inner_->store(built, replace, now);
}

void MarkedStorage::drop_timeline(UserNumber viewer) { inner_->drop_timeline(viewer); }

void MarkedStorage::note_read(UserNumber viewer, Time now) { inner_->note_read(viewer, now); }

void MarkedStorage::change_settings(const feed::FeedSettings& settings, Time now) {
  inner_->change_settings(settings, now);
  wrote(1);
}

void MarkedStorage::retire_marks() { inner_->retire_marks(); }

std::map<std::string, std::string> MarkedStorage::plain_settings() const {
  return inner_->plain_settings();
}

void MarkedStorage::set_plain(std::string_view key, std::string_view value) {
  inner_->set_plain(key, value);
}

std::uint64_t MarkedStorage::trim_log(Time before, std::uint32_t rows) {
  return inner_->trim_log(before, rows);
}

std::vector<std::optional<UserNumber>> MarkedStorage::numbers_of(
    std::span<const SourceId> sources) const {
  return inner_->numbers_of(sources);
}

void MarkedStorage::load_cards(std::span<const AuthorCard> cards, Time now) {
  inner_->load_cards(cards, now);
  wrote(1);
}

Storage::EdgeResult MarkedStorage::load_edges(std::span<const LoadedEdge> edges, Time now) {
  const EdgeResult result = inner_->load_edges(edges, now);
  wrote(1);
  return result;
}

LoadCounts MarkedStorage::load_posts(std::span<const LoadedPost> posts, Time now) {
  const LoadCounts counts = inner_->load_posts(posts, now);
  wrote(1);
  return counts;
}

void MarkedStorage::restore_posts(std::span<const Post> posts, Time now) {
  inner_->restore_posts(posts, now);
  wrote(1);
}

void MarkedStorage::restore_edges(std::span<const RestoredEdge> edges, Time now) {
  inner_->restore_edges(edges, now);
  wrote(1);
}

void MarkedStorage::repair_counters(UserNumber user, const UserCounters& actual, Time now) {
  inner_->repair_counters(user, actual, now);
  wrote(1);
}

std::uint64_t MarkedStorage::repair_indexes(Time now) {
  const std::uint64_t rows = inner_->repair_indexes(now);
  wrote(1);
  return rows;
}

}  // namespace chirp::store
