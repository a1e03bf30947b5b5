// Finds the rows that an event may hide from strangers or show again: posts in lists by hashtag,
// and comments. A suspension affects all of the user's rows. A block affects the comments of each
// user below posts of the other.
#pragma once

#include <cstdint>

#include "core/model/event.h"
#include "core/ports/snapshot.h"
#include "core/ports/steps.h"

namespace chirp::events {

// A walk over the rows that one event affects, some at a time. It can continue in a later state: a
// rule checks each row again, and new rows are right from the start.
class AffectedRows {
 public:
  // Hashtags of posts older than `since` are not stored.
  AffectedRows(const Event& event, Time since);
  [[nodiscard]] Sequence event() const { return event_; }
  // Checks up to `limit` rows, and adds misplaced ones to the step. Returns false at the end.
  [[nodiscard]] bool add(const Snapshot& snapshot, std::uint32_t limit, TrendStep& step);

 private:
  enum class Part : std::uint8_t { kPosts, kComments, kCommentsOfOther, kEnd };
  [[nodiscard]] bool is_block() const { return other_ != kNobody; }
  void add_posts(const Snapshot& snapshot, std::uint32_t limit, TrendStep& step);
  void add_comments(const Snapshot& snapshot, std::uint32_t limit, TrendStep& step);
  void end_part();

  Sequence event_;
  UserNumber user_;
  UserNumber other_;  // the other user of a block; else kNobody
  Part part_;
  PostId after_post_;
  CommentId after_comment_ = kNoComment;
};

}  // namespace chirp::events
