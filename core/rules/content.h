// Posts, reposts, comments and reactions with their indexes: each row is written and removed
// together with its index rows.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "core/ports/rows.h"

namespace chirp::rules {

inline constexpr UserNumber kLastUser{std::numeric_limits<std::uint32_t>::max()};
inline constexpr CommentId kLastComment{std::numeric_limits<std::uint64_t>::max()};
inline constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

// Checks the removal of a row that a range has returned. A damaged store may return rows that are
// not found by their key, and a loop that erases until nothing is left would never end. Throws
// Error{kCorrupt}.
void must_have_gone(bool erased);

// ---- posts and reposts
// The privacy level of the posts in each kind of author log.
template <class Log>
inline constexpr Privacy kLevelOf =
    std::is_same_v<Log, tables::AuthorLogs>      ? Privacy::kPublic
    : std::is_same_v<Log, tables::FollowersLogs> ? Privacy::kFollowers
                                                 : Privacy::kPrivate;
// Calls `with` with the post's key in the log of its level.
template <class With>
void with_log_key(const Post& post, With with) {
  switch (post.privacy) {
    case Privacy::kPublic:
      return with(tables::AuthorLogs::Key{post.author, post.id});
    case Privacy::kFollowers:
      return with(tables::FollowersLogs::Key{post.author, post.id});
    case Privacy::kPrivate:
      return with(tables::PrivateLogs::Key{post.author, post.id});
  }
}
// For loads, which write each index in the order of its keys. Other posts are written by put_post.
void put_record(Rows& rows, const Post& post);  // and rows for the uploads it uses
void put_in_log(Rows& rows, const Post& post);
void put_source(Rows& rows, const std::optional<SourceKey>& source, ContentId content);
void discard_source(Rows& rows, const std::optional<SourceKey>& source);
// Whether a post or comment with this source id exists.
[[nodiscard]] bool has_source(const Rows& rows, const SourceKey& source);
void put_under_original(Rows& rows, const Post& post);
void put_post(Rows& rows, const Post& post);
// Leaves reactions, comments and reposts to remove_post_traces.
void erase_post(Rows& rows, const Post& post);
// Removes a repost and logs it.
void withdraw(Rows& rows, const Post& repost);

// ---- hashtags
// Adds a post to the lists of its tags; the tags must be stored. If the author is suspended,
// removes it from them.
void list_under_tags(Rows& rows, const TaggedPost& post);
void unlist(Rows& rows, PostId post, std::span<const std::string> tags);

// ---- reactions
// `author` is the author of the content.
void put_reaction(Rows& rows, ContentId content, UserNumber author, const Reaction& reaction);
bool erase_reaction(Rows& rows, ContentId content, UserNumber user);

// ---- comments
[[nodiscard]] bool has_replies(const Rows& rows, const Comment& comment);
// Whether only the operator sees the comment. `post_author` is the author of its post.
[[nodiscard]] bool is_hidden(const Rows& rows, const Comment& comment, UserNumber post_author);
// Moves an existing comment to Threads or HiddenThreads, by the current state.
void settle_comment(Rows& rows, const Comment& comment, UserNumber post_author);
// `post_author` is the author of the post.
void put_comment(Rows& rows, const Comment& comment, UserNumber post_author);
// Removes all rows of one comment, even if it has replies. Leaves its likes to remove_post_traces.
void erase_comment(Rows& rows, const Comment& comment);
// Facts about an existing comment that its removal needs.
struct Leaving {
  bool answered = false;
  bool to_be_queued = false;  // it has likes
};
[[nodiscard]] Leaving leaving(const Rows& rows, const Comment& comment);
// Removes an existing comment. One with replies stays, without author and text. Otherwise it is
// deleted, and so are emptied ancestors without other replies. Leaves its likes to
// remove_post_traces, and the counters to the caller.
void remove_comment(Rows& rows, const Comment& comment, Leaving leaving);

// Queues the rest of a removal if a just removed post or comment has any traces left.
void queue_removal(Rows& rows, ContentId content);

// ---- relations
// Returns false if nothing changes.
bool put_relation(Rows& rows, UserNumber user, Relation relation, UserNumber other, Time since);
bool erase_relation(Rows& rows, UserNumber user, Relation relation, UserNumber other);

}  // namespace chirp::rules
