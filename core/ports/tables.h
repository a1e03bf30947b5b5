// The tables of the engine's store, as the rules of writing see them (core/ports/rows.h), with
// their keys and rows. Indexes are ordinary tables; the rules maintain them.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "core/model/comment.h"
#include "core/model/event.h"
#include "core/model/notification.h"
#include "core/model/policy.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/model/reading.h"
#include "core/model/relation.h"
#include "core/model/trend.h"
#include "core/model/user.h"
#include "core/ports/store_state.h"

namespace chirp {

// Each table has a key, whose fields give the order, and a row with the other data.
namespace tables {

// The row of tables that store everything in the key.
struct EmptyRow {
  bool operator==(const EmptyRow&) const = default;
};

// ---- keys that several tables have; each table has a type of its own
template <class Table>
struct UserKey {
  UserNumber user;
  auto operator<=>(const UserKey&) const = default;
};
template <class Table>
struct LogKey {
  UserNumber author;
  PostId id;
  auto operator<=>(const LogKey&) const = default;
};
template <class Table>
struct ThreadKey {
  PostId post;
  CommentId parent;
  CommentId comment;
  auto operator<=>(const ThreadKey&) const = default;
};

struct Cards {
  using Key = UserKey<Cards>;
  using Row = AuthorCard;
};
struct UserIds {
  struct Key {
    UserId id;
    auto operator<=>(const Key&) const = default;
  };
  using Row = UserNumber;
};
struct UserSources {
  struct Key {
    SourceId source;
    auto operator<=>(const Key&) const = default;
  };
  using Row = UserNumber;
};
struct UserWords {  // like UserSources, for source ids that are words
  struct Key {
    std::string word;  // limits::kSourceWordMax bytes at most
    auto operator<=>(const Key&) const = default;
  };
  using Row = UserNumber;
};
struct Posts {
  struct Key {
    PostId id;
    auto operator<=>(const Key&) const = default;
  };
  using Row = Post;
};
// Each post is in exactly one of its author's logs, by its level. So readers never read past posts
// that they may not see.
struct AuthorLogs {  // public posts and reposts
  using Key = LogKey<AuthorLogs>;
  using Row = EmptyRow;
};
struct FollowersLogs {  // posts for followers
  using Key = LogKey<FollowersLogs>;
  using Row = EmptyRow;
};
struct PrivateLogs {  // private posts
  using Key = LogKey<PrivateLogs>;
  using Row = EmptyRow;
};
struct PostSources {  // source ids of posts and comments
  struct Key {
    SourceId source;
    auto operator<=>(const Key&) const = default;
  };
  using Row = ContentId;
};
struct PostWords {  // like PostSources, for source ids that are words
  struct Key {
    std::string word;
    auto operator<=>(const Key&) const = default;
  };
  using Row = ContentId;
};
struct MediaUses {
  struct Key {
    MediaId upload;
    PostId post;
    auto operator<=>(const Key&) const = default;
  };
  using Row = EmptyRow;
};
struct RepostsOf {  // reposts by original
  struct Key {
    PostId original;
    UserNumber user;
    auto operator<=>(const Key&) const = default;
  };
  using Row = PostId;
};
struct Following {
  struct Key {
    UserNumber follower;
    UserNumber followee;
    auto operator<=>(const Key&) const = default;
  };
  using Row = Time;  // since when
};
struct Followers {
  struct Key {
    UserNumber followee;
    UserNumber follower;
    auto operator<=>(const Key&) const = default;
  };
  using Row = Time;
};
struct Relations {
  struct Key {
    UserNumber user;
    Relation relation;
    UserNumber other;
    auto operator<=>(const Key&) const = default;
  };
  using Row = Time;  // since when
};
struct Related {  // Relations by the other user
  struct Key {
    UserNumber other;
    Relation relation;
    UserNumber user;
    auto operator<=>(const Key&) const = default;
  };
  using Row = EmptyRow;
};
struct Reactions {
  struct Key {
    ContentId content;
    UserNumber user;
    auto operator<=>(const Key&) const = default;
  };
  using Row = Reaction;
};
struct ReactionsBy {
  struct Key {
    UserNumber user;
    ContentId content;
    auto operator<=>(const Key&) const = default;
  };
  using Row = UserNumber;  // the author of the content
};
struct Comments {
  struct Key {
    CommentId id;
    auto operator<=>(const Key&) const = default;
  };
  using Row = Comment;
};
struct Threads {
  using Key = ThreadKey<Threads>;
  using Row = EmptyRow;
};
// Comments that no reader sees: comments of suspended users without replies, and comments whose
// author and the post's author have a block between them. The consumer of trends moves them, so a
// row may be late. Each comment is in Threads or here, so readers do not read past hidden comments.
struct HiddenThreads {
  using Key = ThreadKey<HiddenThreads>;
  using Row = EmptyRow;
};
struct CommentsBy {
  struct Key {
    UserNumber user;
    CommentId comment;
    auto operator<=>(const Key&) const = default;
  };
  using Row = UserNumber;  // the author of the post
};
struct UserCounts {  // without pending changes
  using Key = UserKey<UserCounts>;
  using Row = UserCounters;
};
struct ContentCounts {  // without pending changes; no row if all are zero
  struct Key {
    ContentId content;
    auto operator<=>(const Key&) const = default;
  };
  using Row = ContentCounters;
};
struct Marks {  // not for regular authors who are always pushed
  struct Key {
    UserNumber author;
    auto operator<=>(const Key&) const = default;
  };
  using Row = feed::AuthorMark;
};
struct Notifications {
  struct Key {
    UserNumber user;
    Sequence sequence;
    auto operator<=>(const Key&) const = default;
  };
  using Row = events::Notification;
};
struct Readers {
  using Key = UserKey<Readers>;
  struct Row : ReadingMarks {
    std::uint64_t notifications = 0;  // number of stored notifications
    bool operator==(const Row&) const = default;
  };
};
struct TagUses {  // tags of existing public posts
  struct Key {
    PostId post;
    auto operator<=>(const Key&) const = default;
  };
  using Row = TaggedPost;
};
// Posts by hashtag, without posts of suspended users. The consumer of the log removes those, so a
// row may be late.
struct TagPosts {
  struct Key {
    std::string tag;
    PostId post;
    auto operator<=>(const Key&) const = default;
  };
  using Row = UserNumber;  // the author
};
struct FanOutQueue {  // posts whose deliveries are unfinished
  struct Key {
    Sequence sequence;
    auto operator<=>(const Key&) const = default;
  };
  using Row = FanOutRow;
};
struct Removals {  // users marked as removed, with traces left
  using Key = UserKey<Removals>;
  using Row = EmptyRow;
};
struct PostRemovals {  // removed posts and comments with traces left
  struct Key {
    ContentId content;
    auto operator<=>(const Key&) const = default;
  };
  using Row = EmptyRow;
};
struct PlainSettings {  // settings other than those of feeds
  static constexpr std::size_t kNameMax = 29;
  struct Key {
    std::string name;  // kNameMax bytes at most
    auto operator<=>(const Key&) const = default;
  };
  using Row = std::string;
};
struct Events {
  struct Key {
    Sequence sequence;
    auto operator<=>(const Key&) const = default;
  };
  using Row = events::Event;
};

// Calls `with` with the key of a source id; numbers and words have tables of their own.
template <class Numbers, class Words, class With>
auto with_source_key(const SourceKey& source, With with) {
  if (source.is_word()) return with(typename Words::Key{source.word});
  return with(typename Numbers::Key{source.number});
}

}  // namespace tables

}  // namespace chirp
