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
  std::uint64_t events = changes.size();
  for (const Change& change : changes) {
    if (const auto* post = std::get_if<Publish>(&change)) events += post->mentions.size();
  }
  wrote(events);
  return outcomes;
}

bool MarkedStorage::remove_traces(UserNumber user, std::uint32_t rows, Time now) {
  const bool done = inner_->remove_traces(user, rows, now);
  wrote(rows);
  return done;
}

bool MarkedStorage::remove_post_traces(std::uint32_t rows, Time now) {
  return inner_->remove_post_traces(rows, now);
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

bool MarkedStorage::commit(const NotificationStep& step, Time now) {
  return inner_->commit(step, now);
}

bool MarkedStorage::commit(const TrendStep& step, Time now) { return inner_->commit(step, now); }

bool MarkedStorage::mark_notified(UserNumber user, Sequence up_to) {
  return inner_->mark_notified(user, up_to);
}

std::uint64_t MarkedStorage::forget_keys(Time before, std::uint32_t rows) {
  return inner_->forget_keys(before, rows);
}

bool MarkedStorage::store(const BuiltTimeline& built, Replace replace, Time now) {
  return inner_->store(built, replace, now);
}

void MarkedStorage::drop_timeline(UserNumber viewer) { inner_->drop_timeline(viewer); }

void MarkedStorage::note_read(UserNumber viewer, Time now) { inner_->note_read(viewer, now); }

bool MarkedStorage::mark_feed(UserNumber user, PostId up_to) {
  return inner_->mark_feed(user, up_to);
}

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

EdgeResult MarkedStorage::load_edges(std::span<const LoadedEdge> edges, Time now) {
  const EdgeResult result = inner_->load_edges(edges, now);
  wrote(1);
  return result;
}

std::vector<std::optional<LoadedContent>> MarkedStorage::contents_of(
    std::span<const SourceId> sources) const {
  return inner_->contents_of(sources);
}

LoadCounts MarkedStorage::load_posts(std::span<const LoadedPost> posts, Time now) {
  const LoadCounts counts = inner_->load_posts(posts, now);
  wrote(1);
  return counts;
}

LoadCounts MarkedStorage::load_comments(std::span<const LoadedComment> comments, Time now) {
  const LoadCounts counts = inner_->load_comments(comments, now);
  wrote(1);
  return counts;
}

LoadCounts MarkedStorage::load_reactions(std::span<const LoadedReaction> reactions, Time now) {
  const LoadCounts counts = inner_->load_reactions(reactions, now);
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

void MarkedStorage::restore_comments(std::span<const Comment> comments, Time now) {
  inner_->restore_comments(comments, now);
  wrote(1);
}

void MarkedStorage::restore_reactions(std::span<const RestoredReaction> reactions, Time now) {
  inner_->restore_reactions(reactions, now);
  wrote(1);
}

void MarkedStorage::restore_relations(std::span<const RestoredRelation> relations, Time now) {
  inner_->restore_relations(relations, now);
  wrote(1);
}

void MarkedStorage::repair_removals(std::span<const UserNumber> users, Time now) {
  inner_->repair_removals(users, now);
}

void MarkedStorage::repair_counters(UserNumber user, const UserCounters& actual, Time now) {
  inner_->repair_counters(user, actual, now);
  wrote(1);
}

void MarkedStorage::repair_content_counters(ContentId content, const ContentCounters& actual,
                                            Time now) {
  inner_->repair_content_counters(content, actual, now);
}

void MarkedStorage::repair_tags(std::span<const TaggedPost> posts, Time now) {
  inner_->repair_tags(posts, now);
}

void MarkedStorage::repair_notifications(std::span<const events::Notification> wrong,
                                         std::span<const events::Notification> missing, Time now) {
  inner_->repair_notifications(wrong, missing, now);
}

std::uint64_t MarkedStorage::repair_indexes(Time now) {
  const std::uint64_t rows = inner_->repair_indexes(now);
  wrote(1);
  return rows;
}

}  // namespace chirp::store
