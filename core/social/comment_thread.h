// One level of a thread as a viewer sees it, in any of the orders.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/social/comments.h"
#include "core/social/visibility.h"

namespace chirp::social {

// At most this many of the newest comments of a level are sorted by likes. The bound is needed
// because each look-up takes a microsecond or two, and anonymous clients may ask.
inline constexpr std::uint32_t kComparedMax = 10'000;

// `snapshot` and `visibility` must outlive it.
class CommentThread {
 public:
  // The viewer must be allowed to see `post`, which must not be a repost.
  CommentThread(const ContentReader& snapshot, Visibility& visibility, const Post& post,
                CommentId parent)
      : snapshot_(snapshot),
        visibility_(visibility),
        post_(post.id),
        post_author_(post.author),
        parent_(parent) {}

  [[nodiscard]] CommentPage page(const CommentsRequest& request);
  // Those of `ids` that the viewer may see, in the same order.
  [[nodiscard]] std::vector<CommentView> views(std::span<const CommentId> ids);
  // Whether the viewer may see the comment or, if it is removed, its place.
  [[nodiscard]] bool sees(const Comment& comment);

 private:
  [[nodiscard]] std::vector<CommentView> by_time(const CommentsRequest& request);
  [[nodiscard]] std::vector<CommentView> by_likes(const CommentsRequest& request);
  [[nodiscard]] std::vector<CommentCursor> places();
  // Appends comments until there is one more than fits a page.
  void add_by_time(std::vector<CommentView>& found, std::uint32_t limit, CommentId bound,
                   Direction direction);
  [[nodiscard]] CommentCursor place_of(const CommentView& last, CommentSort sort);

  const ContentReader& snapshot_;
  Visibility& visibility_;
  PostId post_;
  UserNumber post_author_;
  CommentId parent_;
  std::optional<CommentId> reached_;      // the last comment read, if a page ended early
  CommentId compared_from_ = kNoComment;  // older ones are sorted by time, whatever their likes
};

}  // namespace chirp::social
