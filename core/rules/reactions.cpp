// Reactions to posts, and likes of comments.
#include "core/rules/changes.h"
#include "core/rules/content.h"
#include "core/rules/seen.h"

namespace chirp::rules {

using namespace tables;
using events::Event;
using events::Topic;

namespace {

// What a reaction is to: a post, or a comment under it.
struct Target {
  UserNumber author;
  PostId post;
  CommentId comment{};

  [[nodiscard]] ContentId content() const {
    return comment == kNoComment ? content_of(post) : content_of(comment);
  }
};

std::optional<Target> seen_post(const Rows& rows, UserNumber user, PostId id) {
  const auto post = seen_original(rows, user, id);
  if (!rows.present(user) || !post) return std::nullopt;
  return Target{post->author, post->id};
}

std::optional<Target> seen_comment_target(const Rows& rows, UserNumber user, CommentId id) {
  const auto comment = seen_comment(rows, user, id);
  if (!rows.present(user) || !comment) return std::nullopt;
  return Target{comment->author, comment->post, comment->id};
}

Outcome outcome(Result result, const Target& target) {
  return {.result = result, .post = target.post, .author = target.author};
}

Event event_of(Topic topic, UserNumber user, const Target& target, ReactionType type) {
  return {.topic = topic,
          .actor = user,
          .other = target.author,
          .post = target.post,
          .comment = target.comment,
          .reaction = type};
}

Outcome set(Rows& rows, UserNumber user, const std::optional<Target>& target, ReactionType type) {
  if (!target) return {.result = Result::kMissing};
  auto reaction = rows.find(Reactions::Key{target->content(), user});
  Outcome result = outcome(Result::kDone, *target);
  if (reaction) result.before = reaction->type;
  result.time = reaction ? reaction->since : rows.now();
  if (result.before == type) {
    result.result = Result::kAlready;
    return result;
  }
  if (!reaction) reaction = Reaction{user, type, rows.now(), rows.state().log_end};
  reaction->type = type;
  put_reaction(rows, target->content(), target->author, *reaction);
  Event event = event_of(Topic::kReactionSet, user, *target, type);
  event.reaction_before = result.before;
  rows.log(event);
  return result;
}

Outcome take_back(Rows& rows, UserNumber user, const std::optional<Target>& target) {
  if (!target) return {.result = Result::kMissing};
  const auto reaction = rows.find(Reactions::Key{target->content(), user});
  if (!reaction) return outcome(Result::kAlready, *target);
  erase_reaction(rows, target->content(), user);
  rows.log(event_of(Topic::kReactionRemoved, user, *target, reaction->type));
  Outcome result = outcome(Result::kDone, *target);
  result.before = reaction->type;
  return result;
}

}  // namespace

Outcome apply(Rows& rows, const React& change) {
  return set(rows, change.user, seen_post(rows, change.user, change.post), change.type);
}

Outcome apply(Rows& rows, const Unreact& change) {
  return take_back(rows, change.user, seen_post(rows, change.user, change.post));
}

Outcome apply(Rows& rows, const LikeComment& change) {
  return set(rows, change.user, seen_comment_target(rows, change.user, change.comment),
             ReactionType::kLike);
}

Outcome apply(Rows& rows, const UnlikeComment& change) {
  return take_back(rows, change.user, seen_comment_target(rows, change.user, change.comment));
}

}  // namespace chirp::rules
