// Changes that users make, with their results: the vocabulary of Storage::write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/model/comment.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/model/relation.h"
#include "core/model/user.h"

namespace chirp {

// Creates, edits, suspends or restores a user. Adds user.created if there was no card; user.edited
// if the card differs from before; user.suspended or user.unsuspended if that has changed. A new
// user gets an empty timeline, complete and read today.
struct PutCard {
  AuthorCard card;  // not for a user marked as removed
};
// Adds post.created, and mention.created in order for each of `mentions` that is present. A repeat
// with the same key by the same author within limits::kKeyKeptMs changes nothing. It returns
// kAlready with the first post, or kConflict if text, privacy or media (with their descriptions)
// differ or that post is gone.
struct Publish {
  UserNumber author;
  std::string text;  // checked and normalised
  Privacy privacy = Privacy::kPublic;
  std::vector<Medium> media{};
  std::vector<UserNumber> mentions{};  // limits::kMentionsMax at most, unique, not the author
  std::string idempotency_key{};       // empty for none
};
struct RemovePost {  // post.removed; repost.removed for a repost
  PostId id;
};
// Adds repost.created. A user reposts a post once. kMissing if the user may not see the post,
// kRefused if they see it but it is not public.
struct Repost {
  UserNumber user;
  PostId post;  // the original, or a repost of it
};
// Adds repost.removed. kMissing if the user may not see the post, reposted or not. They can still
// remove their repost by its own id, with RemovePost.
struct Unrepost {
  UserNumber user;
  PostId post;  // the original, or a repost of it
};
// Whether a follower sees the followee's reposts.
enum class Reposts : std::uint8_t { kOn, kOff };

// Adds follow.added, and merges the followee's past posts into the timeline. Refused if one has
// blocked the other. For an existing follow, only `reposts` can change something (follow.switched).
// A new follow with reposts off logs both: follow.added, then follow.switched.
struct Follow {
  UserNumber follower;
  UserNumber followee;
  std::optional<Reposts> reposts{};  // default: unchanged, on for a new follow
};
struct Unfollow {  // adds follow.removed; a new follow starts with reposts on
  UserNumber follower;
  UserNumber followee;
};
// Adds block.added or mute.added. A block ends follows in both directions, each with
// follow.removed.
struct Relate {
  UserNumber user;
  UserNumber other;
  Relation relation = Relation::kBlock;  // kBlock or kMute
};
struct Unrelate {  // adds block.removed or mute.removed
  UserNumber user;
  UserNumber other;
  Relation relation = Relation::kBlock;  // kBlock or kMute
};

// ---- reactions and comments: kMissing if the user may not see the target; a repost means its
// original

// Adds reaction.set for the user's first reaction to the post, or for another type. No event if the
// type is the same.
struct React {
  UserNumber user;
  PostId post;
  ReactionType type = ReactionType::kLike;
};
// Adds reaction.removed. kMissing if the user may no longer see the post.
struct Unreact {
  UserNumber user;
  PostId post;
};
// Adds comment.created, and mention.created in order for each of `mentions` that exists and is not
// the author. The key works as for Publish: a repeat returns kAlready with the first comment. It
// returns kConflict if post, parent or text differ, or if that comment is gone.
struct AddComment {
  UserNumber author;
  PostId post;
  std::string text;               // checked and normalised
  CommentId parent = kNoComment;  // a visible comment of this post, not removed; else kNoParent
  std::vector<UserNumber> mentions{};
  std::string idempotency_key{};  // empty: none
};
// Adds comment.removed, with the comment's author as actor. remove_post_traces removes its likes in
// steps. A comment with replies stays, without author and text, until its last reply is gone.
struct RemoveComment {
  CommentId comment;
};
struct LikeComment {  // adds reaction.set
  UserNumber user;
  CommentId comment;
};
struct UnlikeComment {  // adds reaction.removed; like Unreact
  UserNumber user;
  CommentId comment;
};
// Adds user.removed. Hides the user and frees the source id at once; remove_traces does the rest.
struct MarkRemoved {
  UserNumber user;
};

using Change = std::variant<PutCard, Publish, RemovePost, Repost, Unrepost, Follow, Unfollow,
                            Relate, Unrelate, React, Unreact, AddComment, RemoveComment,
                            LikeComment, UnlikeComment, MarkRemoved>;

enum class Result : std::uint8_t {
  kDone,      // the state changed
  kAlready,   // the state is as requested (also a user already removed); no change, no event
  kMissing,   // a user or post is missing or removed, or the user may not see it; no change
  kRefused,   // the target exists, but a block forbids the change, or something is not public
  kNoParent,  // AddComment: the comment to reply to is missing, or the author may not see it
  kConflict,  // the idempotency key was used for another request
};

struct Outcome {
  Result result = Result::kDone;
  // Publish: the id, new or from the first request. Repost, done or already, and Unrepost, done:
  // the repost. Reactions and comments: their post, never a repost.
  PostId post{};
  // RemovePost: the author. Repost: the original's author. Reactions and comments: the author of
  // the post, or of the comment that is liked.
  UserNumber author{};
  // Publish and AddComment: the time stored. Follow, Repost, React and LikeComment, done or
  // already: since when.
  Time time{};
  CommentId comment{};                   // AddComment: the id, new or from the first request
  std::optional<ReactionType> before{};  // React and Unreact, done or already: the previous type
};

}  // namespace chirp
