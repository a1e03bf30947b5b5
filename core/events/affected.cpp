#include "core/events/affected.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/ports/comment_places.h"
#include "core/ports/reads.h"

namespace chirp::events {

AffectedRows::AffectedRows(const Event& event, Time since)
    : event_(event.sequence),
      user_(event.actor),
      other_(event.topic == Topic::kBlockAdded || event.topic == Topic::kBlockRemoved ? event.other
                                                                                      : kNobody),
      part_(is_block() ? Part::kComments : Part::kPosts),
      after_post_{std::max<std::uint64_t>(snowflake::floor_of(since), 1) - 1} {}

bool AffectedRows::add(const Snapshot& snapshot, std::uint32_t limit, TrendStep& step) {
  if (part_ == Part::kPosts) {
    add_posts(snapshot, limit, step);
  } else if (part_ != Part::kEnd) {
    add_comments(snapshot, limit, step);
  }
  return part_ != Part::kEnd;
}

void AffectedRows::end_part() {
  if (part_ == Part::kPosts) {
    part_ = Part::kComments;
  } else if (part_ == Part::kComments && is_block()) {
    std::swap(user_, other_);
    after_comment_ = kNoComment;
    part_ = Part::kCommentsOfOther;
  } else {
    part_ = Part::kEnd;
  }
}

void AffectedRows::add_posts(const Snapshot& snapshot, std::uint32_t limit, TrendStep& step) {
  const auto entries =
      snapshot.author_entries({{&user_, 1}, Levels(Privacy::kPublic)},
                              {after_post_, kAboveAllPosts}, Direction::kUp, limit);
  std::vector<tables::TagUses::Key> keys;
  for (const Entry& entry : entries) keys.push_back({entry.id});
  const auto card = snapshot.find(tables::Cards::Key{user_});
  const bool is_present = card && card->presence == Presence::kPresent;
  std::vector<tables::TagPosts::Key> lists;
  for (const auto& tagged : snapshot.find_all(keys)) {
    if (!tagged) continue;
    for (const std::string& tag : tagged->tags) lists.push_back({tag, tagged->post});
  }
  const auto in_lists = snapshot.find_all(lists);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const bool is_right = in_lists[i].has_value() == is_present;
    const bool is_added = !step.listed.empty() && step.listed.back() == lists[i].post;
    if (!is_right && !is_added) step.listed.push_back(lists[i].post);
  }
  if (entries.size() < limit) return end_part();
  after_post_ = entries.back().id;
}

void AffectedRows::add_comments(const Snapshot& snapshot, std::uint32_t limit, TrendStep& step) {
  using tables::CommentsBy;
  const auto comments =
      snapshot.range(CommentsBy::Key{user_, {after_comment_.value + 1}},
                     CommentsBy::Key{user_, reads::Greatest{}}, Direction::kUp, limit);
  std::vector<CommentId> ids;
  for (const auto& [key, post_author] : comments) {
    if (!is_block() || post_author == other_) ids.push_back(key.comment);
  }
  std::vector<Comment> affected;
  for (auto& comment : reads::comments(snapshot, ids)) {
    if (comment) affected.push_back(*std::move(comment));
  }
  const CommentPlaces places(snapshot, affected);
  for (std::size_t i = 0; i < affected.size(); ++i) {
    if (places.misplaced(i)) step.settled.push_back(affected[i].id);
  }
  if (comments.size() < limit) return end_part();
  after_comment_ = comments.back().first.comment;
}

}  // namespace chirp::events
