// Comments in threads under posts, and their likes. A repost's id means its original.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/limits.h"
#include "core/model/comment.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/model/relation.h"
#include "core/model/user.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/social/accounts.h"
#include "core/social/posts.h"
#include "core/social/reactions.h"

namespace chirp::social {

// The last comment of a page, after which the next page begins.
struct CommentCursor {
  CommentId comment;
  std::int64_t likes = 0;  // its likes then, in a page by popularity

  bool operator==(const CommentCursor&) const = default;
};

struct CommentView;

// The first replies to a comment, oldest first.
struct Replies {
  std::vector<CommentView> comments;
  std::optional<CommentCursor> next{};  // empty if there are no more
};

struct CommentView {
  Comment comment;    // also kRemoved while its author is being removed
  AuthorCard author;  // undefined if the comment is removed
  std::int64_t likes = 0;
  std::int64_t replies = 0;        // direct replies that are not removed
  std::optional<bool> liked;       // whether the viewer likes it, if it is a user
  std::optional<Replies> shown{};  // set if replies are included
};

struct CommentLike {
  CommentId comment;
  UserId user;
  Time since;
  std::int64_t total = 0;  // likes of the comment now
  Novelty novelty = Novelty::kNew;
};

enum class CommentSort : std::uint8_t { kNewest, kOldest, kPopular };

// Whether replies are only counted, or included: limits::kRepliesShown for each comment, level by
// level, up to limits::kRepliesOnPage in all.
enum class RepliesWanted : std::uint8_t { kCounted, kShown };

struct CommentsRequest {
  PostId post;
  CommentId parent = kNoComment;  // its direct replies; kNoComment: top-level comments
  CommentSort sort = CommentSort::kNewest;
  std::optional<CommentCursor> after{};
  std::uint32_t limit = limits::kPostPageDefault;  // 1 … limits::kPostPageMax
  RepliesWanted replies = RepliesWanted::kCounted;
};

struct CommentPage {
  std::vector<CommentView> comments;
  std::optional<CommentCursor> next;   // empty at the end
  Privacy privacy = Privacy::kPublic;  // the post's level
};

// A comment to publish.
struct NewComment {
  PostId post;
  std::string_view text;
  CommentId parent = kNoComment;
  std::optional<std::string_view> idempotency_key{};  // as in NewPost
};

struct PublishedComment {
  CommentView view;
  Publication publication = Publication::kNew;
  Privacy privacy = Privacy::kPublic;  // the post's level
};

class Comments {
 public:
  Comments(Storage& storage, Accounts& accounts, const Clock& clock);

  // Throws Error{kInvalidArgument} with field `content` for a bad text. Throws it with
  // `parentCommentId` if the parent is not a comment of this post that `author` may see. Throws
  // {kNotFound} if the post is missing. Checks the key as for a post (core/social/posts.h).
  PublishedComment publish(const User& author, const NewComment& wanted);
  CommentView add(const User& author, PostId post, std::string_view text, CommentId parent) {
    return publish(author, {post, text, parent}).view;
  }
  // Throws Error{kNotFound} if the comment was removed or the viewer may not see it.
  [[nodiscard]] PublishedComment show(const Viewer& viewer, CommentId comment) const;
  // Allowed for the comment's author, the post's author (who need not see it) and the operator.
  // Throws {kForbidden} for other users who see it, {kNotFound} for users who do not.
  void remove(const Viewer& viewer, CommentId comment);
  // Throws Error{kNotFound} for a comment that `user` may not see.
  CommentLike like(const User& user, CommentId comment);
  // Returns how many likes are left. Harmless when `user` did not like it; throws as like() does.
  std::int64_t unlike(const User& user, CommentId comment);
  // Comments that the viewer may not see are skipped. A page is full unless the thread has ended,
  // or there are many comments that are hidden only from this viewer, by blocks: then it ends early
  // with a cursor. By popularity: most likes first, newest first among equals, by the current
  // likes.
  [[nodiscard]] CommentPage list(const Viewer& viewer, const CommentsRequest& request) const;

 private:
  [[nodiscard]] std::optional<PublishedComment> find(const Viewer& viewer, CommentId comment) const;

  Storage& storage_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
