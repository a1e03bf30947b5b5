// Posts, reposts, comments and reactions with their indexes: a row that others are found by is
// written and taken away together with what it leads to.
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

// Takes away a row that a range has shown. A damaged store may show what can't be found by its key,
// and who erases until nothing is left would never end: Error{kCorrupt} then.
void must_have_gone(bool erased);

// ---- posts and reposts
// The level of the posts in each of an author's logs.
template <class Log>
inline constexpr Privacy kLevelOf =
    std::is_same_v<Log, tables::AuthorLogs>      ? Privacy::kPublic
    : std::is_same_v<Log, tables::FollowersLogs> ? Privacy::kFollowers
                                                 : Privacy::kPrivate;
// Calls `with` with the key of a post in the log of its level.
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
// Of a post in a load, the indexes are written each in the order of its own keys; a post made alone
// is written by put_post.
void put_record(Rows& rows, const Post& post);  // and what it names of uploads
void put_in_log(Rows& rows, const Post& post);
void put_source(Rows& rows, const std::optional<SourceKey>& source, ContentId content);
void discard_source(Rows& rows, const std::optional<SourceKey>& source);
// Whether something has come with this source id.
[[nodiscard]] bool has_source(const Rows& rows, const SourceKey& source);
void put_under_original(Rows& rows, const Post& post);
void put_post(Rows& rows, const Post& post);
// What hangs on it is left to remove_post_traces.
void erase_post(Rows& rows, const Post& post);
// A repost goes, and the log says so.
void withdraw(Rows& rows, const Post& repost);

// ---- hashtags
// Lists a post, whose tags are stored, under them. Takes it from the lists while its author is
// suspended.
void list_under_tags(Rows& rows, const TaggedPost& post);
void unlist(Rows& rows, PostId post, std::span<const std::string> tags);

// ---- reactions
// `author` is whose the content is.
void put_reaction(Rows& rows, ContentId content, UserNumber author, const Reaction& reaction);
bool erase_reaction(Rows& rows, ContentId content, UserNumber user);

// ---- comments
[[nodiscard]] bool has_replies(const Rows& rows, const Comment& comment);
// Whether nobody but the operator sees the comment, whose post is by `post_author`.
[[nodiscard]] bool is_hidden(const Rows& rows, const Comment& comment, UserNumber post_author);
// Puts a comment that is there in Threads or in HiddenThreads, as it is due now.
void settle_comment(Rows& rows, const Comment& comment, UserNumber post_author);
// `post_author` is whose the post is.
void put_comment(Rows& rows, const Comment& comment, UserNumber post_author);
// Every row of one comment, whatever its replies; its likes are left to remove_post_traces.
void erase_comment(Rows& rows, const Comment& comment);
// What is to be known of a comment that is there before it goes.
struct Leaving {
  bool answered = false;
  bool to_be_queued = false;  // something hangs on it
};
[[nodiscard]] Leaving leaving(const Rows& rows, const Comment& comment);
// Takes a comment that is there away: with replies it stays, emptied; without, it goes, and so do
// the emptied ones above that have no reply any more. Its likes are left to remove_post_traces. The
// counters are the caller's.
void remove_comment(Rows& rows, const Comment& comment, Leaving leaving);

// Notes that something hangs on a post or comment that has just been removed, if it does.
void queue_removal(Rows& rows, ContentId content);

// ---- relations
// False if it is so already, or was not so.
bool put_relation(Rows& rows, UserNumber user, Relation relation, UserNumber other, Time since);
bool erase_relation(Rows& rows, UserNumber user, Relation relation, UserNumber other);

}  // namespace chirp::rules
