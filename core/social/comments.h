// Comments in threads under posts, and likes of them. A repost's id stands for its original.
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

// The last comment of a page: the next one begins after it.
struct CommentPlace {
  CommentId comment;
  std::int64_t likes = 0;  // it had, in a page by popularity

  bool operator==(const CommentPlace&) const = default;
};

struct CommentView;

// The first replies to a comment, the oldest first.
struct Replies {
  std::vector<CommentView> comments;
  std::optional<CommentPlace> next{};  // empty if these are all
};

struct CommentView {
  Comment comment;    // kRemoved already while its author is being removed
  AuthorCard author;  // without meaning if the comment is removed
  std::int64_t likes = 0;
  std::int64_t replies = 0;        // direct ones that are not removed
  std::optional<bool> liked;       // by the viewer, if it is a user
  std::optional<Replies> shown{};  // where there are some that came along
};

struct CommentLike {
  CommentId comment;
  UserId user;
  Time since;
  std::int64_t total = 0;  // likes of the comment now
  Novelty novelty = Novelty::kNew;
};

enum class CommentSort : std::uint8_t { kNewest, kOldest, kPopular };

// Whether replies to the comments of a page, to these and so on are only counted, or come along:
// limits::kRepliesShown of each, level by level, up to limits::kRepliesOnPage in all.
enum class RepliesWanted : std::uint8_t { kCounted, kShown };

struct CommentsRequest {
  PostId post;
  CommentId parent = kNoComment;  // direct replies to it; kNoComment: the comments at the top
  CommentSort sort = CommentSort::kNewest;
  std::optional<CommentPlace> after{};
  std::uint32_t limit = limits::kPostPageDefault;  // 1 … limits::kPostPageMax
  RepliesWanted replies = RepliesWanted::kCounted;
};

struct CommentPage {
  std::vector<CommentView> comments;
  std::optional<CommentPlace> next;    // empty at the end
  Privacy privacy = Privacy::kPublic;  // of the post
};

// The comment to publish.
struct NewComment {
  PostId post;
  std::string_view text;
  CommentId parent = kNoComment;
  std::optional<std::string_view> idempotency_key{};  // as in NewPost
};

struct PublishedComment {
  CommentView view;
  Publication publication = Publication::kNew;
  Privacy privacy = Privacy::kPublic;  // the post's
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
  // Comments that the viewer may not see are replaced by later ones. A page is full unless the
  // thread has ended, or it meets many comments that are hidden from this viewer alone, by blocks:
  // it ends early then, and says where to go on. By popularity: most likes first, newest first
  // among equals, as of now.
  [[nodiscard]] CommentPage list(const Viewer& viewer, const CommentsRequest& request) const;

 private:
  [[nodiscard]] std::optional<PublishedComment> find(const Viewer& viewer, CommentId comment) const;

  Storage& storage_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
