#include "tests/support/content_breaches.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/ports/reads.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

class Checker {
 public:
  explicit Checker(const Snapshot& snapshot) : snapshot_(snapshot) {
    for (const Post& post : reads::rows_above<tables::Posts>(snapshot, {kBelowAllPosts}, kAll))
      posts_[post.id] = post;
    for (const Comment& comment :
         reads::rows_above<tables::Comments>(snapshot, {kNoComment}, kAll)) {
      comments_[comment.id] = comment;
    }
    for (const ContentId id : reads::unfinished_post_removals(snapshot)) removals_.insert(id);
  }

  std::vector<std::string> run() {
    counters();
    reactions();
    threads();
    lists();
    return std::move(breaches_);
  }

 private:
  template <class... Args>
  void report(fmt::format_string<Args...> format, Args&&... args) {
    breaches_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  // No comment is both shown and hidden, and lists by hashtag have posts with it alone.
  void lists() {
    for (const auto& [key, nothing] : reads::above<tables::HiddenThreads>(snapshot_, {}, kAll)) {
      if (snapshot_.find(tables::Threads::Key{key.post, key.parent, key.comment})) {
        report("comment {} is shown and hidden", key.comment.value);
      }
    }
    for (const auto& [key, author] : reads::above<tables::TagPosts>(snapshot_, {}, kAll)) {
      const auto tagged = snapshot_.find(tables::TagUses::Key{key.post});
      const bool has = tagged && std::ranges::count(tagged->tags, key.tag) != 0;
      if (!has || tagged->author != author) {
        report("post {} is listed under {}", key.post.value, key.tag);
      }
    }
  }

  bool waits(PostId post) const { return removals_.contains(content_of(post)); }

  std::map<ContentId, ContentCounters> sets() const {
    std::map<ContentId, ContentCounters> counted;
    for (const ReactionRow& row : reads::reactions_above(snapshot_, {}, kNobody, kAll)) {
      ++counted[row.content].reactions[index_of(row.reaction.type)];
    }
    for (const auto& [id, comment] : comments_) {
      if (comment.state == CommentState::kRemoved) continue;
      ++counted[content_of(comment.post)].comments;
      if (comment.parent != kNoComment) ++counted[content_of(comment.parent)].comments;
    }
    for (const auto& [id, post] : posts_) {
      if (post.is_repost()) ++counted[content_of(post.original)].reposts;
    }
    return counted;
  }

  void counters() {
    auto wanted = sets();
    for (const ContentDelta& stored : reads::content_counters_above(snapshot_, {}, kAll)) {
      wanted[stored.content];
      if (stored.change == ContentCounters{}) report("{}: zeros stored", stored.content.value);
    }
    for (const auto& [content, counted] : wanted) {
      if (snapshot_.content_counters({&content, 1}).front() != counted) {
        report("{}: content counters", content.value);
      }
    }
  }

  void reactions() {
    for (const ReactionRow& row : reads::reactions_above(snapshot_, {}, kNobody, kAll)) {
      const auto post = posts_.find(PostId{row.content.value});
      const bool hangs = post != posts_.end() ? !post->second.is_repost()
                                              : comments_.contains(CommentId{row.content.value});
      const auto comment = comments_.find(CommentId{row.content.value});
      const bool emptied =
          comment != comments_.end() && comment->second.state == CommentState::kRemoved;
      if ((!hangs || emptied) && !removals_.contains(row.content)) {
        report("{}: a reaction to nothing", row.content.value);
      }
      if (comment != comments_.end() && row.reaction.type != ReactionType::kLike) {
        report("{}: a comment is liked, nothing else", row.content.value);
      }
    }
  }

  void threads() {
    std::map<CommentId, int> replies;
    for (const auto& [id, comment] : comments_) ++replies[comment.parent];
    for (const auto& [id, comment] : comments_) {
      const auto in_thread = reads::thread(snapshot_, comment.post, comment.parent,
                                           CommentId{id.value - 1}, Direction::kUp, 1);
      if (in_thread != std::vector{id}) report("comment {} is not in its thread", id.value);
      if (!posts_.contains(comment.post) && !waits(comment.post)) {
        report("comment {} of no post", id.value);
      }
      const bool removed = comment.state == CommentState::kRemoved;
      if (removed != (comment.author == kNobody)) report("comment {}: author", id.value);
      if (waits(comment.post)) continue;
      if (removed && replies[id] == 0) report("removed comment {} without replies", id.value);
      if (comment.parent != kNoComment && !comments_.contains(comment.parent)) {
        report("comment {} replies to nothing", id.value);
      }
    }
  }

  const Snapshot& snapshot_;
  std::map<PostId, Post> posts_;
  std::map<CommentId, Comment> comments_;
  std::set<ContentId> removals_;
  std::vector<std::string> breaches_;
};

}  // namespace

std::vector<std::string> content_breaches(const Snapshot& snapshot) {
  return Checker(snapshot).run();
}

}  // namespace chirp::test
