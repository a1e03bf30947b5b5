// Loads and restores of comments and reactions.
#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/rules/content.h"
#include "core/rules/counters.h"
#include "core/rules/loaded_ids.h"
#include "core/rules/loads.h"

namespace chirp::rules {

using namespace tables;

namespace {

// Adds the deltas of an existing comment.
void count_comment(const Comment& comment, std::vector<ContentDelta>& deltas) {
  ContentDelta delta{content_of(comment.post), {}};
  delta.change.comments = 1;
  deltas.push_back(delta);
  if (comment.parent == kNoComment) return;
  delta.content = content_of(comment.parent);
  deltas.push_back(delta);
}

void count_reaction(ContentId content, ReactionType type, std::vector<ContentDelta>& deltas) {
  ContentDelta delta{content, {}};
  delta.change.reactions[index_of(type)] = 1;
  deltas.push_back(delta);
}

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kBadInput, what); }

// The author of a post or comment.
UserNumber author_of(const Rows& rows, ContentId content) {
  const auto post = rows.find(Posts::Key{{content.value}});
  const auto comment = rows.find(Comments::Key{{content.value}});
  if (post) return post->author;
  if (!comment || comment->state == CommentState::kRemoved) {
    refuse(fmt::format("Post or comment {}, which the reaction names, does not exist.",
                       content.value));
  }
  return comment->author;
}

// Why a loaded comment can't be stored; kStored if it can.
enum class CommentFate : std::uint8_t { kStored, kDuplicate, kMissing };
CommentFate fate_of(const Rows& rows, const LoadedComment& loaded,
                    const std::optional<Post>& post) {
  const bool reply = loaded.parent != kNoComment;
  const bool there = has_source(rows, loaded.source);
  const auto parent = reply ? rows.find(Comments::Key{loaded.parent}) : std::nullopt;
  const bool answers = parent && parent->post == loaded.post &&
                       parent->state == CommentState::kThere && rows.kept(parent->author);
  const bool by_somebody = rows.kept(loaded.author);
  if (there) return CommentFate::kDuplicate;
  return post && by_somebody && (!reply || answers) ? CommentFate::kStored : CommentFate::kMissing;
}

// The author of the post or comment, if it, its post and their authors exist.
std::optional<UserNumber> author_reacted_to(const Rows& rows, const LoadedReaction& loaded) {
  const auto post = loaded_original(rows, loaded.post);
  if (loaded.comment == kNoComment) return post ? std::optional(post->author) : std::nullopt;
  const auto comment = rows.find(Comments::Key{loaded.comment});
  const bool there = post && comment && comment->post == loaded.post &&
                     comment->state == CommentState::kThere && rows.kept(comment->author);
  return there ? std::optional(comment->author) : std::nullopt;
}

Comment comment_of(const LoadedComment& loaded, std::uint64_t id) {
  Comment comment;
  comment.id = {id};
  comment.post = loaded.post;
  comment.author = loaded.author;
  comment.text = loaded.text;
  comment.parent = loaded.parent;
  comment.created_at = loaded.created_at;
  comment.source = loaded.source;
  return comment;
}

}  // namespace

LoadCounts load_comments(Rows& rows, std::span<const LoadedComment> comments) {
  LoadCounts counts;
  std::vector<std::size_t> order(comments.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return comments[i].created_at; });
  std::vector<ContentDelta> deltas;
  LoadedIds ids(rows, rows.state(), rows.turn().machine,
                order.empty() ? Time{} : comments[order.back()].created_at);
  for (const std::size_t i : order) {
    const LoadedComment& loaded = comments[i];
    const auto post = loaded_original(rows, loaded.post);
    const CommentFate fate = fate_of(rows, loaded, post);
    if (fate != CommentFate::kStored) {
      ++(fate == CommentFate::kDuplicate ? counts.duplicates : counts.missing);
      continue;
    }
    if (counts.stored == 0) rows.mint();
    const Comment comment = comment_of(loaded, ids.next(loaded.created_at, loaded.id.value));
    put_comment(rows, comment, post->author);
    count_comment(comment, deltas);
    ++counts.stored;
  }
  if (counts.stored == 0) return counts;
  add_combined(rows, std::move(deltas));
  log_load(rows, counts.stored, Entries::kNone);
  return counts;
}

LoadCounts load_reactions(Rows& rows, std::span<const LoadedReaction> reactions) {
  LoadCounts counts;
  std::vector<ContentDelta> deltas;
  for (const LoadedReaction& loaded : reactions) {
    const bool of_comment = loaded.comment != kNoComment;
    const ContentId content = of_comment ? content_of(loaded.comment) : content_of(loaded.post);
    const auto author = author_reacted_to(rows, loaded);
    const bool by_somebody = rows.kept(loaded.user);
    const bool there = rows.find(Reactions::Key{content, loaded.user}).has_value();
    if (!author || !by_somebody) {
      ++counts.missing;
    } else if (there) {
      ++counts.duplicates;
    } else {
      const Time since = loaded.since.value_or(rows.now());
      put_reaction(rows, content, *author, {loaded.user, loaded.type, since, {}});
      count_reaction(content, loaded.type, deltas);
      ++counts.stored;
    }
  }
  if (counts.stored == 0) return counts;
  add_combined(rows, std::move(deltas));
  log_load(rows, counts.stored, Entries::kNone);
  return counts;
}

bool restore_comments(Rows& rows, std::span<const Comment> comments) {
  std::vector<ContentDelta> deltas;
  for (const Comment& comment : comments) {
    const auto post = rows.find(Posts::Key{comment.post});
    const bool there = rows.find(Comments::Key{comment.id}).has_value();
    if (!post)
      refuse(fmt::format("Post {}, which the comment names, does not exist.", comment.post.value));
    if (there) {
      throw Error(ErrorCode::kAlreadyExists,
                  fmt::format("Comment {} is there already.", comment.id.value));
    }
    put_comment(rows, comment, post->author);
    if (comment.state == CommentState::kThere) count_comment(comment, deltas);
    PostId& last = rows.state().last_id;
    last = std::max(last, PostId{comment.id.value});
  }
  if (comments.empty()) return false;
  add_combined(rows, std::move(deltas));
  log_load(rows, comments.size(), Entries::kNone);
  return true;
}

bool restore_reactions(Rows& rows, std::span<const RestoredReaction> reactions) {
  std::vector<ContentDelta> deltas;
  for (const auto& [content, user, type, since] : reactions) {
    const UserNumber author = author_of(rows, content);
    if (rows.find(Reactions::Key{content, user})) {
      throw Error(ErrorCode::kAlreadyExists, "A reaction of the export is there already.");
    }
    put_reaction(rows, content, author, {user, type, since, {}});
    count_reaction(content, type, deltas);
  }
  if (reactions.empty()) return false;
  add_combined(rows, std::move(deltas));
  log_load(rows, reactions.size(), Entries::kNone);
  return true;
}

}  // namespace chirp::rules
