// Reads that several places need, over a snapshot or the rows of a write transaction. Each is one
// query to the store, or a few in sequence.
//
// Example, the cards that a page shows:
//
//   const auto cards = reads::cards(*snapshot, numbers);
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/row_reader.h"
#include "core/ports/snapshot.h"

namespace chirp::reads {

// ---- walks over a whole table

// Used in place of any id in a key: above all of them.
struct Greatest {
  template <class Tag, class Number>
  constexpr operator StrongId<Tag, Number>() const {
    return {std::numeric_limits<Number>::max()};
  }
  operator std::string() const { return "\xFF"; }  // no text has such a byte
};
template <class Key>
constexpr Key greatest() {
  if constexpr (requires { Key{Greatest{}, Greatest{}, Greatest{}}; }) {
    return Key{Greatest{}, Greatest{}, Greatest{}};
  } else if constexpr (requires { Key{Greatest{}, Greatest{}}; }) {
    return Key{Greatest{}, Greatest{}};
  } else {
    return Key{Greatest{}};
  }
}

// Rows in ascending order above `after`, at most `limit`; empty at the end.
template <class T>
[[nodiscard]] std::vector<std::pair<typename T::Key, typename T::Row>> above(
    const TableReader<T>& table, const typename T::Key& after, std::uint32_t limit) {
  if (limit == 0) return {};
  const std::uint32_t one_more = limit == std::numeric_limits<std::uint32_t>::max() ? 0 : 1;
  const auto last = greatest<typename T::Key>();
  auto rows = table.range(after, last, Direction::kUp, limit + one_more);
  if (!rows.empty() && rows.front().first == after) {
    rows.erase(rows.begin());
  } else if (rows.size() > limit) {
    rows.pop_back();
  }
  return rows;
}
// The same without keys.
template <class T>
[[nodiscard]] std::vector<typename T::Row> rows_above(const TableReader<T>& table,
                                                      const typename T::Key& after,
                                                      std::uint32_t limit) {
  std::vector<typename T::Row> rows;
  for (auto& [key, row] : above<T>(table, after, limit)) rows.push_back(std::move(row));
  return rows;
}
// Sorted by content, then user.
[[nodiscard]] std::vector<ReactionRow> reactions_above(const RowReader& rows, ContentId content,
                                                       UserNumber user, std::uint32_t limit);
// Stored counters only, without pending changes. Users whose counters are all zero may be missing.
[[nodiscard]] std::vector<std::pair<UserNumber, UserCounters>> counters_above(const RowReader& rows,
                                                                              UserNumber after,
                                                                              std::uint32_t limit);
// The same for posts and comments.
[[nodiscard]] std::vector<ContentDelta> content_counters_above(const RowReader& rows,
                                                               ContentId after,
                                                               std::uint32_t limit);

// ---- users

// One for each number; empty where there is no card.
[[nodiscard]] std::vector<std::optional<AuthorCard>> cards(const RowReader& rows,
                                                           std::span<const UserNumber> numbers);
// The present users with these source ids.
[[nodiscard]] std::vector<std::optional<UserNumber>> numbers_of(const RowReader& rows,
                                                                std::span<const SourceId> sources);
[[nodiscard]] std::vector<std::optional<UserNumber>> numbers_of(const RowReader& rows,
                                                                std::span<const SourceKey> sources);
// Users marked as removed whose traces are not all gone yet.
[[nodiscard]] std::vector<UserNumber> unfinished_removals(const RowReader& rows);

// ---- follows, blocks, mutes and switched-off reposts; as stored: those of users marked as removed
// are included until their traces are gone

[[nodiscard]] EdgePage following(const RowReader& rows, UserNumber user, UserNumber after,
                                 std::uint32_t limit);
[[nodiscard]] EdgePage followers(const RowReader& rows, UserNumber user, UserNumber after,
                                 std::uint32_t limit);
[[nodiscard]] EdgePage related(const RowReader& rows, UserNumber user, Relation relation,
                               UserNumber after, std::uint32_t limit);
// Since when `follower` follows `followee`; empty if they do not.
[[nodiscard]] std::optional<Time> follows(const RowReader& rows, UserNumber follower,
                                          UserNumber followee);

// ---- posts, comments and reactions, as stored

// The loaded contents with these source ids, if they exist and their authors do.
[[nodiscard]] std::vector<std::optional<LoadedContent>> contents_of(
    const RowReader& rows, std::span<const SourceId> sources);
[[nodiscard]] std::vector<std::optional<LoadedContent>> contents_of(
    const RowReader& rows, std::span<const SourceKey> sources);
// For each upload, whether a post refers to it.
[[nodiscard]] std::vector<bool> media_named(const RowReader& rows,
                                            std::span<const MediaId> uploads);
[[nodiscard]] std::vector<std::optional<Comment>> comments(const RowReader& rows,
                                                           std::span<const CommentId> ids);
// Whether reading a thread includes tables::HiddenThreads.
enum class Listed : std::uint8_t { kShown, kAll };
// Direct replies to `parent` under the post, or its top-level comments (kNoComment), removed ones
// included: below `bound`, newest first, or above it, oldest first.
[[nodiscard]] std::vector<CommentId> thread(const RowReader& rows, PostId post, CommentId parent,
                                            CommentId bound, Direction direction,
                                            std::uint32_t limit, Listed listed = Listed::kAll);
// Returns which comments a reader other than the operator has to check. These are all of them while
// an event that may have made hidden ones visible is pending.
[[nodiscard]] Listed listed_for_readers(const ContentReader& reader);
// The user's reaction to each of `contents`, if any.
[[nodiscard]] std::vector<std::optional<Reaction>> reactions_of(
    const RowReader& rows, UserNumber user, std::span<const ContentId> contents);
// Sorted by user, above `after`, at most `limit`; only of one type if given.
[[nodiscard]] std::vector<Reaction> reactions(const RowReader& rows, ContentId content,
                                              UserNumber after, std::optional<ReactionType> type,
                                              std::uint32_t limit);
// Reposts of a post, sorted by user, above `after`, at most `limit`.
[[nodiscard]] std::vector<Entry> reposts(const RowReader& rows, PostId original, UserNumber after,
                                         std::uint32_t limit);
// The user's repost of each of `originals`, if any.
[[nodiscard]] std::vector<std::optional<PostId>> reposts_by(const RowReader& rows, UserNumber user,
                                                            std::span<const PostId> originals);
// The authors whose posts and comments the user last reacted to or commented on: one for each of
// the newest such contents and comments, newest first. It may include the user.
[[nodiscard]] std::vector<UserNumber> recent_partners(const RowReader& rows, UserNumber user,
                                                      std::uint32_t limit);
// Existing public posts with hashtags, below `below`, newest first, including those of authors
// marked as removed.
[[nodiscard]] std::vector<TaggedPost> tagged_posts(const RowReader& rows, PostId below,
                                                   std::uint32_t limit);
// Returns the posts with one hashtag, newest first, without posts of suspended users. See
// tables::TagPosts.
[[nodiscard]] std::vector<Entry> posts_with_tag(const RowReader& rows, const std::string& tag,
                                                PostId below, std::uint32_t limit);
[[nodiscard]] std::optional<PostId> oldest_tagged_post(const RowReader& rows);
// Removed posts and comments with traces left.
[[nodiscard]] std::vector<ContentId> unfinished_post_removals(const RowReader& rows);

// ---- notifications and reading marks

// Below `before`, newest first. The caller decides whether each still applies.
[[nodiscard]] std::vector<events::Notification> notifications(const RowReader& rows,
                                                              UserNumber user, Sequence before,
                                                              std::uint32_t limit);
// All empty for a user who has never set any.
[[nodiscard]] ReadingMarks reading(const RowReader& rows, UserNumber user);

// ---- the log, and the settings

// From `from` on, oldest first.
[[nodiscard]] std::vector<events::Event> events(const RowReader& rows, Sequence from,
                                                std::uint32_t limit);
// Unfinished deliveries, oldest first.
[[nodiscard]] std::vector<FanOutRow> fan_out_queue(const RowReader& rows, std::uint32_t limit);
// Plain settings (not those that shape feeds), by key.
[[nodiscard]] std::map<std::string, std::string> plain_settings(const RowReader& rows);

}  // namespace chirp::reads
