// Changes that people make, each with what came of it: the vocabulary of Storage::write.
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

// Signs up, edits, suspends or brings back: user.created if there was no card; user.edited if it
// says something else than before; user.suspended or user.unsuspended if that has changed. A new
// one gets an empty timeline, trivially complete and read today.
struct PutCard {
  AuthorCard card;  // of nobody who is marked as removed
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
  std::vector<UserNumber> mentions{};  // limits::kMentionsMax at most, nobody twice, not the author
  std::string idempotency_key{};       // empty: none
};
struct RemovePost {  // post.removed; of a repost, repost.removed
  PostId id;
};
// repost.created. One repost of a post by a user. Missing what the user may not see, refused what
// is seen but not public.
struct Repost {
  UserNumber user;
  PostId post;  // a repost stands for its original
};
// repost.removed. Missing what the user may not see, reposted by them or not; their repost of it is
// still theirs to take away by its own id, with RemovePost.
struct Unrepost {
  UserNumber user;
  PostId post;  // a repost stands for its original
};
// Whether a follower sees the reposts of the user followed.
enum class Reposts : std::uint8_t { kOn, kOff };

// Adds follow.added, and merges the followee's past into the timeline. Refused if one has blocked
// the other. For an existing follow, only `reposts` can change something (follow.switched). A new
// follow with reposts off logs both: follow.added, then follow.switched.
struct Follow {
  UserNumber follower;
  UserNumber followee;
  std::optional<Reposts> reposts{};  // as it was unless given, on for a new follow
};
struct Unfollow {  // follow.removed; following again starts with reposts on
  UserNumber follower;
  UserNumber followee;
};
// block.added or mute.added. A block ends the follows between the two, each with a follow.removed.
struct Relate {
  UserNumber user;
  UserNumber other;
  Relation relation = Relation::kBlock;  // kBlock or kMute
};
struct Unrelate {  // block.removed, mute.removed
  UserNumber user;
  UserNumber other;
  Relation relation = Relation::kBlock;  // kBlock or kMute
};

// ---- reactions and comments: missing if the user may not see the target; a repost stands for its
// original

// reaction.set: the first reaction of the user to the post, or another type. Already of that type:
// no event.
struct React {
  UserNumber user;
  PostId post;
  ReactionType type = ReactionType::kLike;
};
// reaction.removed. What was reacted to while it could be seen is missing like all that can't be.
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
  CommentId parent = kNoComment;  // kNoParent unless it is a comment of this post, not removed,
                                  // that the author may see
  std::vector<UserNumber> mentions{};
  std::string idempotency_key{};  // empty: none
};
// comment.removed, by its author as the event says it. Its likes go in steps, by
// remove_post_traces. With replies it stays, without author and text, until the last one is gone.
struct RemoveComment {
  CommentId comment;
};
struct LikeComment {  // reaction.set
  UserNumber user;
  CommentId comment;
};
struct UnlikeComment {  // reaction.removed; like Unreact
  UserNumber user;
  CommentId comment;
};
struct MarkRemoved {  // user.removed: hides the user and frees the source id at once;
                      // remove_traces does the rest
  UserNumber user;
};

using Change = std::variant<PutCard, Publish, RemovePost, Repost, Unrepost, Follow, Unfollow,
                            Relate, Unrelate, React, Unreact, AddComment, RemoveComment,
                            LikeComment, UnlikeComment, MarkRemoved>;

enum class Result : std::uint8_t {
  kDone,      // the state changed
  kAlready,   // it was so before (a removed user marked again, too); nothing changed, no event
  kMissing,   // a user (no card, or removed) or post it names is not there, or may not be seen by
              // who does it; nothing changed
  kRefused,   // what it names is there, but it may not be done: a block stands in the way, or
              // something is not public
  kNoParent,  // of AddComment: the comment to reply to is not there, or may not be seen
  kConflict,  // its idempotency key was given to something else
};

struct Outcome {
  Result result = Result::kDone;
  PostId post{};  // of Publish: the id minted, now or the first time; of Repost, done or already,
                  // and of an Unrepost that was done: the repost; of reactions and comments: the
                  // post that they are about, never a repost
  UserNumber author{};  // of RemovePost: whose it was; of Repost: the author of the original; of
                        // reactions and comments: of the post, of the comment that is liked
  // For Publish and AddComment: the time stored. For Follow, Repost, React and LikeComment, done or
  // already: since when.
  Time time{};
  CommentId comment{};                   // of AddComment: the id, new or from the first request
  std::optional<ReactionType> before{};  // of React and Unreact, done or already: the type it was
};

}  // namespace chirp
