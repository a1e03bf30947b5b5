#include "core/rules/row_problems.h"

#include <fmt/format.h>

namespace chirp::rules {

std::optional<std::string> id_problem(std::uint64_t id, Time latest) {
  if (snowflake::time_of(id) <= latest) return std::nullopt;
  return fmt::format("the id {} is of {}, which is after now", id, iso8601(snowflake::time_of(id)));
}

std::optional<std::string> time_problem(std::string_view what, Time time, Time latest) {
  if (time <= latest) return std::nullopt;
  return fmt::format("{} is {}, which is after now", what, iso8601(time));
}

namespace {

// Checks a time of writing. Loads refuse times before 2000, and no clock is that early. An id's
// time is never earlier than that of its row, even if the clock stepped back.
std::optional<std::string> writing_problem(Time written, std::uint64_t id, Time latest) {
  if (written.ms < snowflake::kEpochMs) {
    return fmt::format("its time is {}, which is before 2000", iso8601(written));
  }
  if (auto problem = time_problem("its time", written, latest)) return problem;
  if (snowflake::ticks_of(written) <= snowflake::ticks(id)) return std::nullopt;
  return fmt::format("its time is {}, which is after that of its id", iso8601(written));
}

}  // namespace

std::optional<std::string> post_problem(const Post& post, Time latest) {
  if (auto problem = id_problem(post.id.value, latest)) return problem;
  if (auto problem = writing_problem(post.created_at, post.id.value, latest)) return problem;
  if (post.is_repost() && post.privacy != Privacy::kPublic) return "a repost is public";
  return std::nullopt;
}

std::optional<std::string> repost_problem(const Post& repost, const std::optional<Post>& original) {
  const std::uint64_t id = repost.original.value;
  if (repost.original == repost.id) return "it is a repost of itself";
  if (!original) return fmt::format("it is a repost of post {}, which does not exist", id);
  if (original->is_repost()) return fmt::format("it is a repost of post {}, a repost itself", id);
  if (original->privacy != Privacy::kPublic) {
    return fmt::format("it is a repost of post {}, which is not public", id);
  }
  if (original->author != repost.original_author) {
    return fmt::format("it is a repost of post {}, which is by another author", id);
  }
  return std::nullopt;
}

std::optional<std::string> comment_problem(const Comment& comment, const std::optional<Post>& post,
                                           Time latest) {
  if (auto problem = id_problem(comment.id.value, latest)) return problem;
  if (auto problem = writing_problem(comment.created_at, comment.id.value, latest)) return problem;
  if (!post) return fmt::format("it is under post {}, which does not exist", comment.post.value);
  if (post->is_repost()) {
    return fmt::format("it is under post {}, which is a repost", comment.post.value);
  }
  if (comment.state == CommentState::kRemoved) return std::nullopt;
  if (post->privacy == Privacy::kPrivate && comment.author != post->author) {
    return fmt::format("it is by a user who may not see the private post {}", comment.post.value);
  }
  return std::nullopt;
}

std::optional<std::string> reply_problem(const Comment& comment,
                                         const std::optional<Comment>& parent) {
  const std::uint64_t id = comment.parent.value;
  if (comment.parent == comment.id) return "it replies to itself";
  if (!parent) return fmt::format("it replies to comment {}, which does not exist", id);
  if (parent->post != comment.post) {
    return fmt::format("it replies to comment {}, which is under another post", id);
  }
  return std::nullopt;
}

std::optional<std::string> reaction_problem(UserNumber user, const Post& post) {
  if (post.is_repost()) {
    return fmt::format("it is a reaction to post {}, which is a repost", post.id.value);
  }
  if (post.privacy == Privacy::kPrivate && user != post.author) {
    return fmt::format("it is by a user who may not see the private post {}", post.id.value);
  }
  return std::nullopt;
}

bool ReplyCircles::closes(const Comment& comment) {
  ++call_;
  if (!met_.try_emplace(comment.id.value, call_).second) return false;
  for (CommentId at = comment.parent; at != kNoComment;) {
    const auto [met, is_new] = met_.try_emplace(at.value, call_);
    if (!is_new) return met->second == call_;
    const auto above = find_(at);
    at = above ? above->parent : kNoComment;
  }
  return false;
}

}  // namespace chirp::rules
