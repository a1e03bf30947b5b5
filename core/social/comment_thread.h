// One level of a thread as a viewer sees it, walked in any of the orders.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/social/comments.h"
#include "core/social/visibility.h"

namespace chirp::social {

// So many of a level, the newest, are put in order by their likes. Looking each of them up costs a
// microsecond or two, and whoever asks need not be logged in.
inline constexpr std::uint32_t kComparedMax = 10'000;

// `snapshot` and `visibility` must outlive it.
class CommentThread {
 public:
  // Below a post that the viewer sees, which is no repost.
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
  // Whether the viewer may see it: of a removed one, its place.
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
  CommentId compared_from_ = kNoComment;  // older ones come by time, whatever likes they have
};

}  // namespace chirp::social
