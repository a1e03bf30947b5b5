#include "core/social/comment_thread.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace chirp::social {
namespace {

constexpr CommentId kAboveAll{std::numeric_limits<std::uint64_t>::max()};
// Comments looked at in one step.
constexpr std::uint32_t kStretch = 1024;

bool more_popular(const CommentPlace& a, const CommentPlace& b) {
  return a.likes != b.likes ? a.likes > b.likes : a.comment > b.comment;
}

std::int64_t likes_of(const ContentCounters& counters) {
  return counters.reactions[index_of(ReactionType::kLike)];
}

// One that goes with its author keeps its place while it has replies, as it will when it is gone.
void empty_out(CommentView& view) {
  view.comment.state = CommentState::kRemoved;
  view.comment.author = kNobody;
  view.comment.text.clear();
  view.author = {};
  view.likes = 0;
}

}  // namespace

bool CommentThread::sees(const Comment& comment) {
  if (comment.state == CommentState::kRemoved) return true;
  if (sight_.card(comment.author) != nullptr) {
    return sight_.sees_comment(comment, post_author_);
  }
  return !snapshot_.thread(comment.post, comment.id, kAboveAll, Direction::kDown, 1).empty();
}

std::vector<CommentView> CommentThread::views(std::span<const CommentId> ids) {
  std::vector<CommentView> views;
  std::vector<ContentId> contents;
  for (auto& comment : snapshot_.comments(ids)) {
    if (!comment || !sees(*comment)) continue;
    contents.push_back(content_of(comment->id));
    views.push_back({std::move(*comment), {}, 0, 0, std::nullopt});
  }
  const auto counters = snapshot_.content_counters(contents);
  const bool is_user = sight_.viewer().kind() == Viewer::Kind::kUser;
  std::vector<std::optional<Reaction>> likes(contents.size());
  if (is_user) likes = snapshot_.reactions_of(sight_.viewer().number(), contents);
  for (std::size_t i = 0; i < views.size(); ++i) {
    CommentView& view = views[i];
    view.likes = likes_of(counters[i]);
    view.replies = counters[i].comments;
    const AuthorCard* author = sight_.card(view.comment.author);
    if (author == nullptr) {
      empty_out(view);
    } else {
      view.author = *author;
    }
    if (is_user) view.liked = author != nullptr && likes[i].has_value();
  }
  return views;
}

std::vector<CommentView> CommentThread::by_time(const CommentsRequest& request) {
  const bool newest = request.sort == CommentSort::kNewest;
  CommentId bound = newest ? kAboveAll : kNoComment;
  if (request.after) bound = request.after->comment;
  const auto direction = newest ? Direction::kDown : Direction::kUp;
  std::vector<CommentView> found;
  while (found.size() <= request.limit) {
    const auto missing = request.limit + 1 - static_cast<std::uint32_t>(found.size());
    const auto ids = snapshot_.thread(post_, parent_, bound, direction, missing);
    auto seen = views(ids);
    std::move(seen.begin(), seen.end(), std::back_inserter(found));
    if (ids.size() < missing) break;
    bound = ids.back();
  }
  return found;
}

// The whole level with its likes: popularity has no index, since it changes with every like.
std::vector<CommentPlace> CommentThread::places() {
  std::vector<CommentPlace> places;
  CommentId bound = kAboveAll;
  for (;;) {
    const auto ids = snapshot_.thread(post_, parent_, bound, Direction::kDown, kStretch);
    std::vector<ContentId> contents;
    for (const CommentId id : ids) contents.push_back(content_of(id));
    const auto counters = snapshot_.content_counters(contents);
    for (std::size_t i = 0; i < ids.size(); ++i) places.push_back({ids[i], likes_of(counters[i])});
    if (ids.size() < kStretch) return places;
    bound = ids.back();
  }
}

std::vector<CommentView> CommentThread::by_likes(const CommentsRequest& request) {
  auto all = places();
  if (request.after) {
    std::erase_if(all,
                  [&](const CommentPlace& place) { return !more_popular(*request.after, place); });
  }
  std::sort(all.begin(), all.end(), more_popular);
  std::vector<CommentView> found;
  for (std::size_t at = 0; at < all.size() && found.size() <= request.limit;) {
    std::vector<CommentId> ids;
    for (; at < all.size() && ids.size() < request.limit + 1 - found.size(); ++at) {
      ids.push_back(all[at].comment);
    }
    auto seen = views(ids);
    std::move(seen.begin(), seen.end(), std::back_inserter(found));
  }
  return found;
}

CommentPage CommentThread::page(const CommentsRequest& request) {
  CommentPage page;
  page.comments = request.sort == CommentSort::kPopular ? by_likes(request) : by_time(request);
  if (page.comments.size() > request.limit) {
    page.comments.resize(request.limit);
    const CommentView& last = page.comments.back();
    page.next = CommentPlace{last.comment.id, 0};
    if (request.sort == CommentSort::kPopular) {
      const ContentId content = content_of(last.comment.id);
      page.next->likes = likes_of(snapshot_.content_counters({&content, 1}).front());
    }
  }
  return page;
}

}  // namespace chirp::social
