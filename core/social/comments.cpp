#include "core/social/comments.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"
#include "core/social/accounts.h"
#include "core/social/comment_thread.h"
#include "core/social/read_back.h"
#include "core/social/visibility.h"

namespace chirp::social {
namespace {

Error no_such_comment(CommentId id) {
  return {ErrorCode::kNotFound, fmt::format("There is no comment {}.", id.value)};
}

std::int64_t likes_of(const Storage& storage, CommentId comment) {
  const ContentId content = content_of(comment);
  return storage.snapshot()->content_counters({&content, 1}).front().reactions_in_all();
}

// Includes the first replies, level by level, while there is room. Removed comments are included
// too, because they may have replies.
void add_replies(const Snapshot& snapshot, Visibility& visibility, const Post& post,
                 std::vector<CommentView>& comments) {
  std::uint32_t room = limits::kRepliesOnPage;
  std::deque<CommentView*> closed;
  for (CommentView& view : comments) closed.push_back(&view);
  while (!closed.empty() && room > 0) {
    CommentView& view = *closed.front();
    closed.pop_front();
    CommentsRequest request{.post = post.id, .parent = view.comment.id};
    request.sort = CommentSort::kOldest;
    request.limit = std::min(room, limits::kRepliesShown);
    CommentPage page = CommentThread(snapshot, visibility, post, view.comment.id).page(request);
    if (page.comments.empty()) continue;
    room -= static_cast<std::uint32_t>(page.comments.size());
    view.shown = Replies{std::move(page.comments), page.next};
    for (CommentView& reply : view.shown->comments) closed.push_back(&reply);
  }
}

}  // namespace

Comments::Comments(Storage& storage, Accounts& accounts, const Clock& clock)
    : storage_(storage), accounts_(accounts), clock_(clock) {}

PublishedComment Comments::publish(const User& author, const NewComment& wanted) {
  std::string checked = checked_post_text(wanted.text);
  AddComment change{author.number, wanted.post, checked, wanted.parent};
  if (wanted.idempotency_key) {
    change.idempotency_key = checked_idempotency_key(*wanted.idempotency_key);
  }
  change.mentions = mentioned_in(checked, author.number, accounts_);
  accounts_.ensure_card(author);
  const Outcome outcome = storage_.write_one(std::move(change), clock_.now());
  if (outcome.result == Result::kConflict) throw idempotency_key_taken(*wanted.idempotency_key);
  if (outcome.result == Result::kMissing) throw no_such_post(wanted.post);
  if (outcome.result == Result::kNoParent) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("There is no comment {} under post {} to reply to.", wanted.parent.value,
                    outcome.post == PostId{} ? wanted.post.value : outcome.post.value),
        "parentCommentId");
  }
  if (outcome.result == Result::kAlready) {
    auto shown = read_back([&] { return find(Viewer::user(author.number), outcome.comment); });
    // The author can't see it any more, so it counts as removed.
    if (!shown) throw idempotency_key_taken(*wanted.idempotency_key);
    shown->publication = Publication::kRepeated;
    return *std::move(shown);
  }
  PublishedComment published;
  CommentView& view = published.view;
  view.comment.id = outcome.comment;
  view.comment.post = outcome.post;
  view.comment.author = author.number;
  view.comment.text = std::move(checked);
  view.comment.parent = wanted.parent;
  view.comment.created_at = outcome.time;
  view.author = card_of(author);
  view.liked = false;
  return published;
}

PublishedComment Comments::show(const Viewer& viewer, CommentId id) const {
  auto found = find(viewer, id);
  if (!found) throw no_such_comment(id);
  return *std::move(found);
}

std::optional<PublishedComment> Comments::find(const Viewer& viewer, CommentId id) const {
  const auto snapshot = storage_.snapshot();
  const auto comment = snapshot->find(tables::Comments::Key{id});
  if (!comment || comment->state == CommentState::kRemoved) return std::nullopt;
  Visibility visibility(*snapshot, viewer);
  const auto seen = visibility.post(comment->post);
  if (!seen) return std::nullopt;
  auto views = CommentThread(*snapshot, visibility, seen->post, comment->parent).views({&id, 1});
  if (views.empty() || views.front().comment.state == CommentState::kRemoved) return std::nullopt;
  return PublishedComment{std::move(views.front()), Publication::kNew, seen->post.privacy};
}

void Comments::remove(const Viewer& viewer, CommentId id) {
  const auto snapshot = storage_.snapshot();
  const auto comment = snapshot->find(tables::Comments::Key{id});
  if (!comment || comment->state == CommentState::kRemoved) throw no_such_comment(id);
  if (!viewer.is(comment->author)) {
    Visibility visibility(*snapshot, viewer);
    const auto post = visibility.post(comment->post);
    if (!post) throw no_such_comment(id);
    // The post's author may remove every comment, even one that a block hides.
    const UserNumber post_author = post->post.author;
    if (!viewer.is(post_author) && viewer.kind() != Viewer::Kind::kOperator) {
      if (!visibility.sees_comment(*comment, post_author)) throw no_such_comment(id);
      throw Error(
          ErrorCode::kForbidden,
          fmt::format("Only the author of comment {} or of its post can remove it.", id.value));
    }
  }
  const Outcome outcome = storage_.write_one(RemoveComment{id}, clock_.now());
  if (outcome.result == Result::kMissing) throw no_such_comment(id);
}

CommentLike Comments::like(const User& user, CommentId comment) {
  accounts_.ensure_card(user);
  const Outcome outcome = storage_.write_one(LikeComment{user.number, comment}, clock_.now());
  if (outcome.result == Result::kMissing) throw no_such_comment(comment);
  return {comment, user.id, outcome.time, read_back([&] { return likes_of(storage_, comment); }),
          outcome.result == Result::kAlready ? Novelty::kThereBefore : Novelty::kNew};
}

std::int64_t Comments::unlike(const User& user, CommentId comment) {
  const Outcome outcome = storage_.write_one(UnlikeComment{user.number, comment}, clock_.now());
  if (outcome.result == Result::kMissing) throw no_such_comment(comment);
  return read_back([&] { return likes_of(storage_, comment); });
}

CommentPage Comments::list(const Viewer& viewer, const CommentsRequest& request) const {
  check_page_limit(request.limit, limits::kPostPageMax, "comments");
  const auto snapshot = storage_.snapshot();
  Visibility visibility(*snapshot, viewer);
  const auto seen = visibility.post(request.post);
  if (!seen) throw no_such_post(request.post);
  const Post& post = seen->original ? *seen->original : seen->post;
  CommentThread thread(*snapshot, visibility, post, request.parent);
  if (request.parent != kNoComment) {
    const auto parent = snapshot->find(tables::Comments::Key{request.parent});
    if (!parent || parent->post != post.id || !thread.sees(*parent)) {
      throw Error(ErrorCode::kNotFound, fmt::format("There is no comment {} under post {}.",
                                                    request.parent.value, post.id.value));
    }
  }
  CommentPage page = thread.page(request);
  if (request.replies == RepliesWanted::kShown) {
    add_replies(*snapshot, visibility, post, page.comments);
  }
  page.privacy = seen->post.privacy;
  return page;
}

}  // namespace chirp::social
