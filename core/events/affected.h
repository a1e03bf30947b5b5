// Finds the rows that an event may hide from strangers or show again: posts in lists by hashtag,
// and comments. A suspension affects all of the user's rows. A block affects the comments of each
// user below posts of the other.
#pragma once

#include <cstdint>

#include "core/model/event.h"
#include "core/ports/snapshot.h"
#include "core/ports/steps.h"

namespace chirp::events {

// A walk over what one event affects, some rows at a time. It goes on in a later state: a rule
// decides anew about each row, and rows that are made meanwhile are right from the start.
class Affected {
 public:
  // Hashtags of posts before `since` are not kept.
  Affected(const Event& event, Time since);
  [[nodiscard]] Sequence event() const { return event_; }
  // Looks at up to `limit` rows, and adds those that are not where they are due to the step. False
  // at the end.
  [[nodiscard]] bool add(const Snapshot& snapshot, std::uint32_t limit, TrendStep& step);

 private:
  enum class Part : std::uint8_t { kPosts, kComments, kCommentsOfOther, kEnd };
  [[nodiscard]] bool is_block() const { return other_ != kNobody; }
  void add_posts(const Snapshot& snapshot, std::uint32_t limit, TrendStep& step);
  void add_comments(const Snapshot& snapshot, std::uint32_t limit, TrendStep& step);
  void end_part();

  Sequence event_;
  UserNumber user_;
  UserNumber other_;  // of a block; kNobody otherwise
  Part part_;
  PostId after_post_;
  CommentId after_comment_ = kNoComment;
};

}  // namespace chirp::events
