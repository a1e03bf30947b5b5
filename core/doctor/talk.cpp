// Reactions and comments: threads that are whole, counters equal to their sets.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/ports/reads.h"
#include "core/rules/row_problems.h"
#include "core/rules/writing.h"

namespace chirp::doctor {
namespace {

using Sets = std::map<ContentId, ContentCounters>;

template <class Visit>
std::uint64_t for_each_reaction(const Snapshot& snapshot, Visit visit) {
  std::uint64_t count = 0;
  ReactionRow last;
  for (;;) {
    const auto rows = reads::reactions_above(snapshot, last.content, last.reaction.user, kBlock);
    if (rows.empty()) return count;
    for (const ReactionRow& row : rows) visit(row);
    count += rows.size();
    last = rows.back();
  }
}

template <class Visit>
std::uint64_t for_each_comment(const Snapshot& snapshot, Visit visit) {
  std::uint64_t count = 0;
  CommentId after = kNoComment;
  for (;;) {
    const auto comments = reads::rows_above<tables::Comments>(snapshot, {after}, kBlock);
    if (comments.empty()) return count;
    for (const Comment& comment : comments) visit(comment);
    count += comments.size();
    after = comments.back().id;
  }
}

void count_reposts(const Snapshot& snapshot, Sets& sets) {
  PostId after = kBelowAllPosts;
  for (;;) {
    const auto posts = reads::rows_above<tables::Posts>(snapshot, {after}, kBlock);
    if (posts.empty()) return;
    for (const Post& post : posts) {
      if (post.is_repost()) ++sets[content_of(post.original)].reposts;
    }
    after = posts.back().id;
  }
}

void count_comment(const Comment& comment, Sets& sets) {
  if (comment.state == CommentState::kRemoved) return;
  ++sets[content_of(comment.post)].comments;
  if (comment.parent != kNoComment) ++sets[content_of(comment.parent)].comments;
}

// Counts the reactions, comments and reposts themselves, whatever the stored counters say.
Sets counted_contents(const Snapshot& snapshot) {
  Sets sets;
  for_each_reaction(snapshot, [&](const ReactionRow& row) {
    ++sets[row.content].reactions[index_of(row.reaction.type)];
  });
  for_each_comment(snapshot, [&](const Comment& comment) { count_comment(comment, sets); });
  count_reposts(snapshot, sets);
  return sets;
}

// Adds what has a stored counter but nothing to count, so that such counters are compared as well.
void add_counted(const Snapshot& snapshot, Sets& sets) {
  ContentId after{};
  for (;;) {
    const auto rows = reads::content_counters_above(snapshot, after, kBlock);
    if (rows.empty()) return;
    for (const ContentDelta& row : rows) sets[row.content];
    after = rows.back().content;
  }
}

void compare(const Snapshot& snapshot, std::span<const std::pair<ContentId, ContentCounters>> sets,
             Examination& exam) {
  std::vector<ContentId> contents;
  for (const auto& [content, counted] : sets) contents.push_back(content);
  const auto shown = snapshot.content_counters(contents);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto& [content, counted] = sets[i];
    if (shown[i] == counted) continue;
    exam.find(
        Kind::kContent,
        fmt::format("{} counts {} reactions, {} comments and {} reposts; there are {}, {} "
                    "and {}",
                    content.value, shown[i].reactions_in_all(), shown[i].comments, shown[i].reposts,
                    counted.reactions_in_all(), counted.comments, counted.reposts),
        kNobody, content);
  }
}

// Checks that comments belong to posts and parents, and that comments and reactions are by users
// who may see the post. Comments and reactions of a post under removal are no fault, because the
// removal will reach them.
class Threads {
 public:
  Threads(const Stores& stores, Examination& exam)
      : snapshot_(stores.snapshot),
        exam_(exam),
        latest_{stores.clock.now().ms + rules::kOwnClockMs},
        removals_(reads::unfinished_post_removals(stores.snapshot)) {}

  void check(const Comment& comment) {
    if (waits(comment.post)) return;
    tell(comment, rules::comment_problem(comment, post(comment.post), latest_));
    if (comment.parent == kNoComment) return;
    auto problem = rules::reply_problem(comment, find(comment.parent));
    const bool is_odd = !problem && comment.parent > comment.id;
    if (is_odd && circles_.closes(comment)) problem = "it replies to itself, by other comments";
    tell(comment, problem);
  }

  void check(const ReactionRow& row) {
    if (row.content != content_) {
      content_ = row.content;
      const auto comment = find(CommentId{content_.value});
      post_ = post(comment ? comment->post : PostId{content_.value});
    }
    auto problem = rules::time_problem("its time", row.reaction.since, latest_);
    const bool stays = post_ && !waits(post_->id);
    if (!problem && stays) problem = rules::reaction_problem(row.reaction.user, *post_);
    if (!problem) return;
    exam_.find(Kind::kComment, fmt::format("a reaction of user number {} to {}: {}",
                                           row.reaction.user.value, content_.value, *problem));
  }

 private:
  [[nodiscard]] bool waits(PostId post) const {
    return std::binary_search(removals_.begin(), removals_.end(), content_of(post));
  }
  [[nodiscard]] std::optional<Post> post(PostId id) const {
    return snapshot_.find(tables::Posts::Key{id});
  }
  [[nodiscard]] std::optional<Comment> find(CommentId id) const {
    return snapshot_.find(tables::Comments::Key{id});
  }
  void tell(const Comment& comment, const std::optional<std::string>& problem) {
    if (!problem) return;
    exam_.find(Kind::kComment, fmt::format("comment {}: {}", comment.id.value, *problem));
  }

  const Snapshot& snapshot_;
  Examination& exam_;
  Time latest_;                      // latest time that a row may have
  std::vector<ContentId> removals_;  // ascending
  rules::ReplyCircles circles_{[this](CommentId id) { return find(id); }};
  ContentId content_{};  // content of the last reaction; post_ is its post
  std::optional<Post> post_;
};

}  // namespace

void check_contents(const Stores& stores, Examination& exam) {
  const Snapshot& snapshot = stores.snapshot;
  Sets sets = counted_contents(snapshot);
  add_counted(snapshot, sets);
  const std::vector<std::pair<ContentId, ContentCounters>> all(sets.begin(), sets.end());
  for (std::size_t at = 0; at < all.size(); at += kBlock) {
    compare(snapshot, std::span(all).subspan(at, std::min<std::size_t>(kBlock, all.size() - at)),
            exam);
  }
  Threads threads(stores, exam);
  const auto comments =
      for_each_comment(snapshot, [&](const Comment& comment) { threads.check(comment); });
  exam.checked("reactions",
               for_each_reaction(snapshot, [&](const ReactionRow& row) { threads.check(row); }));
  exam.checked("comments", comments);
}

void repair_contents(Storage& storage, const std::vector<Finding>& findings, Time now) {
  std::vector<ContentId> wrong;
  for (const Finding& finding : findings) {
    if (finding.kind == Kind::kContent) wrong.push_back(finding.content);
  }
  if (wrong.empty()) return;
  const Sets sets = counted_contents(*storage.snapshot());
  for (const ContentId content : wrong) {
    const auto found = sets.find(content);
    rules::repair_content_counters(storage, content,
                                   found == sets.end() ? ContentCounters{} : found->second, now);
  }
}

}  // namespace chirp::doctor
