// The rules as transactions: each function takes one writers' turn.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/policy.h"
#include "core/ports/loads.h"
#include "core/ports/steps.h"
#include "core/ports/storage.h"

namespace chirp::rules {

// Storage::write() by decide().
std::vector<Outcome> write_by_deciding(Storage& storage, std::span<const Change> changes, Time now);

// A store that implements write() that way.
class DecidingStorage : public Storage {
 public:
  std::vector<Outcome> write(std::span<const Change> changes, Time now) override {
    return write_by_deciding(*this, changes, now);
  }
};

// ---- removals (core/rules/removals.h)
bool remove_traces(Storage& storage, UserNumber user, std::uint32_t limit, Time now);
bool remove_post_traces(Storage& storage, std::uint32_t limit, Time now);
void repair_removals(Storage& storage, std::span<const UserNumber> users, Time now);

// ---- consumers (core/rules/steps.h): false, and nothing is changed, if the offset has moved since
// the step started
bool commit(Storage& storage, const FanOutStep& step, Time now);
bool commit(Storage& storage, const CounterStep& step, Time now);
bool commit(Storage& storage, const NotificationStep& step, Time now);
bool commit(Storage& storage, const TrendStep& step, Time now);

// ---- timelines (core/rules/steps.h)
// Returns false if it was not stored.
bool store(Storage& storage, const BuiltTimeline& built, Replace replace, Time now);
// The same for several; returns for each whether it was stored.
std::vector<bool> store(Storage& storage, std::span<const BuiltTimeline> built, Replace replace,
                        Time now);
void drop_timeline(Storage& storage, UserNumber viewer);
void note_read(Storage& storage, UserNumber viewer, Time now);

// ---- reading marks and settings (core/rules/settings.h)
// Returns false if the user does not exist.
bool mark_feed(Storage& storage, UserNumber user, PostId up_to);
// The same for many users, some thousands in a transaction; skips missing users.
void mark_feeds(Storage& storage, std::span<const std::pair<UserNumber, PostId>> up_to);
bool mark_notified(Storage& storage, UserNumber user, Sequence up_to);
// In one short turn; the tiers for new bounds are updated later.
void put_settings(Storage& storage, const feed::FeedSettings& settings, Time now);
// The same if the stored settings are still `before`; otherwise returns false and changes nothing.
[[nodiscard]] bool replace_settings(Storage& storage, const feed::FeedSettings& before,
                                    const feed::FeedSettings& settings, Time now);
// Updates the tiers of the next `users` users, in one turn. Returns true if none is left.
bool settle_tiers(Storage& storage, std::uint32_t users, Time now);
// Puts settings and updates all tiers, in several turns.
void change_settings(Storage& storage, const feed::FeedSettings& settings, Time now);
void retire_marks(Storage& storage);
// A plain setting, by key: see tables::PlainSettings.
void set_plain(Storage& storage, std::string_view key, std::string_view value);

// ---- what keeps the store small
std::uint64_t trim_log(Storage& storage, Time before, std::uint32_t limit);
// Forgets idempotency keys first used before `before`, the oldest first. Returns how many.
std::uint64_t forget_keys(Storage& storage, Time before, std::uint32_t limit);

// ---- loads (core/rules/loads.h)
void load_cards(Storage& storage, std::span<const AuthorCard> cards, Time now);
EdgeResult load_edges(Storage& storage, std::span<const LoadedEdge> edges, Time now);
LoadCounts load_posts(Storage& storage, std::span<const LoadedPost> posts, Time now);
void put_early_entries(Storage& storage, std::span<const EarlyEntry> entries, Time now);
void take_back_entries(Storage& storage, std::span<const EarlyEntry> entries, Time now);
void end_early_entries(Storage& storage, Time now);
LoadCounts load_comments(Storage& storage, std::span<const LoadedComment> comments, Time now);
LoadCounts load_reactions(Storage& storage, std::span<const LoadedReaction> reactions, Time now);
void restore_posts(Storage& storage, std::span<const Post> posts, Time now);
void restore_edges(Storage& storage, std::span<const RestoredEdge> edges, Time now);
void restore_reposts_off(Storage& storage, std::span<const LoadedEdge> edges, Time now);
void restore_comments(Storage& storage, std::span<const Comment> comments, Time now);
void restore_reactions(Storage& storage, std::span<const RestoredReaction> reactions, Time now);
void restore_relations(Storage& storage, std::span<const RestoredRelation> relations, Time now);

// ---- repairs (core/rules/repairs.h)
void repair_counters(Storage& storage, UserNumber user, const UserCounters& actual, Time now);
void repair_content_counters(Storage& storage, ContentId content, const ContentCounters& actual,
                             Time now);
void repair_logs(Storage& storage, std::span<const Post> posts, Time now);
void repair_tags(Storage& storage, std::span<const TaggedPost> posts,
                 std::span<const tables::TagPosts::Key> stray, Time now);
void repair_threads(Storage& storage, std::span<const CommentId> comments, Time now);
void repair_notifications(Storage& storage, std::span<const events::Notification> wrong,
                          std::span<const events::Notification> missing, Time now);

}  // namespace chirp::rules
