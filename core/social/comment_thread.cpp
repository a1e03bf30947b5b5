#include "core/social/comment_thread.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "core/ports/reads.h"

namespace chirp::social {
namespace {

constexpr CommentId kAboveAllComments{std::numeric_limits<std::uint64_t>::max()};
// The likes of comments that were not compared: these come after all compared ones.
constexpr std::int64_t kUncompared = -1;

bool more_popular(const CommentCursor& a, const CommentCursor& b) {
  return a.likes != b.likes ? a.likes > b.likes : a.comment > b.comment;
}

std::int64_t likes_of(const ContentCounters& counters) {
  return counters.reactions[index_of(ReactionType::kLike)];
}

// A comment whose author is being removed keeps its place while it has replies, without author and
// text, as after the removal.
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
  if (visibility_.card(comment.author) != nullptr) {
    return visibility_.sees_comment(comment, post_author_);
  }
  return !reads::thread(snapshot_, comment.post, comment.id, kAboveAllComments, Direction::kDown, 1)
              .empty();
}

std::vector<CommentView> CommentThread::views(std::span<const CommentId> ids) {
  std::vector<CommentView> views;
  std::vector<ContentId> contents;
  for (auto& comment : reads::comments(snapshot_, ids)) {
    if (!comment || !sees(*comment)) continue;
    contents.push_back(content_of(comment->id));
    views.push_back({std::move(*comment), {}, 0, 0, std::nullopt});
  }
  const auto counters = snapshot_.content_counters(contents);
  const bool is_user = visibility_.viewer().kind() == Viewer::Kind::kUser;
  std::vector<std::optional<Reaction>> likes(contents.size());
  if (is_user) likes = reads::reactions_of(snapshot_, visibility_.viewer().number(), contents);
  for (std::size_t i = 0; i < views.size(); ++i) {
    CommentView& view = views[i];
    view.likes = likes_of(counters[i]);
    view.replies = counters[i].comments;
    const AuthorCard* author = visibility_.card(view.comment.author);
    if (author == nullptr) {
      empty_out(view);
    } else {
      view.author = *author;
    }
    if (is_user) view.liked = author != nullptr && likes[i].has_value();
  }
  return views;
}

void CommentThread::add_by_time(std::vector<CommentView>& found, std::uint32_t limit,
                                CommentId bound, Direction direction) {
  // The operator sees everything. Rows hidden from all readers are skipped until the consumer has
  // moved them.
  const bool may_end_early = visibility_.viewer().kind() == Viewer::Kind::kUser &&
                             visibility_.listed() == reads::Listed::kShown;
  constexpr std::uint32_t kRecords = 2;  // one row in the thread, and the comment
  HiddenRecords hidden(visibility_, kRecords);
  while (found.size() <= limit) {
    const auto missing = limit + 1 - static_cast<std::uint32_t>(found.size());
    const std::uint32_t block = may_end_early ? hidden.fitting(missing) : missing;
    if (block == 0) {
      reached_ = bound;
      break;
    }
    const auto ids =
        reads::thread(snapshot_, post_, parent_, bound, direction, block, visibility_.listed());
    auto seen = views(ids);
    std::move(seen.begin(), seen.end(), std::back_inserter(found));
    if (ids.size() < block) break;
    bound = ids.back();
    hidden.add(ids.size() - seen.size(), seen.size());
  }
}

std::vector<CommentView> CommentThread::by_time(const CommentsRequest& request) {
  const bool newest = request.sort == CommentSort::kNewest;
  CommentId bound = newest ? kAboveAllComments : kNoComment;
  if (request.after) bound = request.after->comment;
  std::vector<CommentView> found;
  add_by_time(found, request.limit, bound, newest ? Direction::kDown : Direction::kUp);
  return found;
}

// The compared comments with their likes. There is no index by likes, because each like would
// change it.
std::vector<CommentCursor> CommentThread::places() {
  const auto ids = reads::thread(snapshot_, post_, parent_, kAboveAllComments, Direction::kDown,
                                 kComparedMax, visibility_.listed());
  if (ids.size() == kComparedMax) compared_from_ = ids.back();
  std::vector<ContentId> contents;
  for (const CommentId id : ids) contents.push_back(content_of(id));
  const auto counters = snapshot_.content_counters(contents);
  std::vector<CommentCursor> places;
  for (std::size_t i = 0; i < ids.size(); ++i) places.push_back({ids[i], likes_of(counters[i])});
  return places;
}

std::vector<CommentView> CommentThread::by_likes(const CommentsRequest& request) {
  std::vector<CommentCursor> compared;
  if (request.after && request.after->likes == kUncompared) {
    compared_from_ = request.after->comment;
  } else {
    compared = places();
  }
  if (request.after) {
    std::erase_if(compared,
                  [&](const CommentCursor& place) { return !more_popular(*request.after, place); });
  }
  std::sort(compared.begin(), compared.end(), more_popular);
  std::vector<CommentView> found;
  for (std::size_t at = 0; at < compared.size() && found.size() <= request.limit;) {
    std::vector<CommentId> ids;
    for (; at < compared.size() && ids.size() < request.limit + 1 - found.size(); ++at) {
      ids.push_back(compared[at].comment);
    }
    auto seen = views(ids);
    std::move(seen.begin(), seen.end(), std::back_inserter(found));
  }
  if (compared_from_ != kNoComment) {
    add_by_time(found, request.limit, compared_from_, Direction::kDown);
  }
  return found;
}

CommentCursor CommentThread::place_of(const CommentView& last, CommentSort sort) {
  CommentCursor place{last.comment.id, 0};
  if (sort != CommentSort::kPopular) return place;
  const ContentId content = content_of(place.comment);
  const bool is_compared = place.comment >= compared_from_;
  place.likes =
      is_compared ? likes_of(snapshot_.content_counters({&content, 1}).front()) : kUncompared;
  return place;
}

CommentPage CommentThread::page(const CommentsRequest& request) {
  CommentPage page;
  page.comments = request.sort == CommentSort::kPopular ? by_likes(request) : by_time(request);
  if (page.comments.size() > request.limit) {
    page.comments.resize(request.limit);
    page.next = place_of(page.comments.back(), request.sort);
  } else if (reached_) {
    page.next = CommentCursor{*reached_, request.sort == CommentSort::kPopular ? kUncompared : 0};
  }
  return page;
}

}  // namespace chirp::social
