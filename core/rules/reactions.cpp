// Reactions to posts, and likes of comments.
#include "core/rules/changes.h"
#include "core/rules/content.h"
#include "core/rules/seen.h"

namespace chirp::rules {

using namespace tables;
using events::Event;
using events::Topic;

namespace {

// The target of a reaction, if the user sees it: a post, or a comment.
struct ReactionTarget {
  UserNumber author;
  PostId post;
  CommentId comment{};

  [[nodiscard]] ContentId content() const {
    return comment == kNoComment ? content_of(post) : content_of(comment);
  }
};

struct FoundReaction {
  std::optional<ReactionTarget> target;
  std::optional<Reaction> reaction;  // the user's existing reaction
};

FoundReaction find_post(const Rows& rows, UserNumber user, PostId id, AuthorsIn authors) {
  auto named = named_post(rows, id);
  FoundReaction found;
  if (named) found.reaction = rows.find(Reactions::Key{content_of(named->stands_for()), user});
  const auto post = seen_original(rows, user, std::move(named), authors);
  if (rows.present(user) && post) found.target = ReactionTarget{post->author, post->id};
  return found;
}

FoundReaction find_comment(const Rows& rows, UserNumber user, CommentId id, AuthorsIn authors) {
  FoundReaction found;
  found.reaction = rows.find(Reactions::Key{content_of(id), user});
  const auto comment = seen_comment(rows, user, id, authors);
  if (rows.present(user) && comment) {
    found.target = ReactionTarget{comment->author, comment->post, comment->id};
  }
  return found;
}

Outcome outcome(Result result, const ReactionTarget& target) {
  return {.result = result, .post = target.post, .author = target.author};
}

Event event_of(Topic topic, UserNumber user, const ReactionTarget& target, ReactionType type) {
  return {.topic = topic,
          .actor = user,
          .other = target.author,
          .post = target.post,
          .comment = target.comment,
          .reaction = type};
}

Outcome set(Rows& rows, UserNumber user, const FoundReaction& found, ReactionType type) {
  const auto& target = found.target;
  auto reaction = found.reaction;
  if (!target) return {.result = Result::kMissing};
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

Outcome take_back(Rows& rows, UserNumber user, const FoundReaction& found) {
  const auto& [target, reaction] = found;
  if (!target) return {.result = Result::kMissing};
  if (!reaction) return outcome(Result::kAlready, *target);
  erase_reaction(rows, target->content(), user);
  rows.log(event_of(Topic::kReactionRemoved, user, *target, reaction->type));
  Outcome result = outcome(Result::kDone, *target);
  result.before = reaction->type;
  return result;
}

}  // namespace

Outcome apply(Rows& rows, const React& change) {
  return set(rows, change.user, find_post(rows, change.user, change.post, AuthorsIn::kPresent),
             change.type);
}

Outcome apply(Rows& rows, const Unreact& change) {
  return take_back(rows, change.user, find_post(rows, change.user, change.post, AuthorsIn::kKept));
}

Outcome apply(Rows& rows, const LikeComment& change) {
  return set(rows, change.user,
             find_comment(rows, change.user, change.comment, AuthorsIn::kPresent),
             ReactionType::kLike);
}

Outcome apply(Rows& rows, const UnlikeComment& change) {
  return take_back(rows, change.user,
                   find_comment(rows, change.user, change.comment, AuthorsIn::kKept));
}

}  // namespace chirp::rules
