// One level of a thread as a viewer sees it, walked in any of the orders.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/social/comments.h"
#include "core/social/visibility.h"

namespace chirp::social {

// The newest of a level, up to so many, are ordered by their likes. That is bounded since each
// look-up costs a microsecond or two, and anybody may ask without logging in.
inline constexpr std::uint32_t kComparedMax = 10'000;

// `snapshot` and `visibility` must outlive it.
class CommentThread {
 public:
  // `post` is one that the viewer may see, and no repost.
  CommentThread(const ContentReader& snapshot, Visibility& visibility, const Post& post,
                CommentId parent)
      : snapshot_(snapshot),
        visibility_(visibility),
        post_(post.id),
        post_author_(post.author),
        parent_(parent) {}

  [[nodiscard]] CommentPage page(const CommentsRequest& request);
  // Those of `ids` that the viewer may see, in their order.
  [[nodiscard]] std::vector<CommentView> views(std::span<const CommentId> ids);
  // Whether the viewer may see the comment; of a removed one, whether they may see its place.
  [[nodiscard]] bool sees(const Comment& comment);

 private:
  [[nodiscard]] std::vector<CommentView> by_time(const CommentsRequest& request);
  [[nodiscard]] std::vector<CommentView> by_likes(const CommentsRequest& request);
  [[nodiscard]] std::vector<CommentPlace> places();
  // Adds more until there is one more than fits a page.
  void add_by_time(std::vector<CommentView>& found, std::uint32_t limit, CommentId bound,
                   Direction direction);
  [[nodiscard]] CommentPlace place_of(const CommentView& last, CommentSort sort);

  const ContentReader& snapshot_;
  Visibility& visibility_;
  PostId post_;
  UserNumber post_author_;
  CommentId parent_;
  std::optional<CommentId> reached_;      // where a page ended early
  CommentId compared_from_ = kNoComment;  // older ones come by time, whatever likes they have
};

}  // namespace chirp::social
