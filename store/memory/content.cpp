#include "store/memory/content.h"

#include <algorithm>

namespace chirp::memory {
namespace {

using events::Topic;

constexpr Outcome kMissingOutcome{.result = Result::kMissing};

// A post, or a comment under it.
struct Target {
  UserNumber author;
  PostId post;
  CommentId comment{};

  [[nodiscard]] ContentId content() const {
    return comment == kNoComment ? content_of(post) : content_of(comment);
  }
};

Target target_of(const Post& post) { return {post.author, post.id}; }
Target target_of(const Comment& comment) { return {comment.author, comment.post, comment.id}; }

Outcome outcome(Result result, const Target& target) {
  return {.result = result, .post = target.post, .author = target.author};
}

const Reaction* find_reaction(const State& state, ContentId content, UserNumber user) {
  const auto of_content = state.reactions.find(content);
  if (of_content == state.reactions.end()) return nullptr;
  const auto found = of_content->second.find(user);
  return found == of_content->second.end() ? nullptr : &found->second;
}

// A comment that is not removed, whose author and post are there.
const Comment* present_comment(const State& state, CommentId id) {
  const auto found = state.comments.find(id);
  if (found == state.comments.end() || found->second.state == CommentState::kRemoved) {
    return nullptr;
  }
  const Comment& comment = found->second;
  const bool there = present(state, comment.author) && visible_post(state, comment.post) != nullptr;
  return there ? &comment : nullptr;
}

const Comment* seen_comment(const State& state, UserNumber user, CommentId id) {
  const Comment* comment = present_comment(state, id);
  if (comment == nullptr) return nullptr;
  const Post* post = seen_original(state, user, comment->post);
  if (post == nullptr || !present(state, comment->author)) return nullptr;
  const Standing standing{false, severed(state, user, comment->author)};
  const bool quarrel = severed(state, comment->author, post->author);
  return sees_comment(Viewer::user(user), comment->author, standing, quarrel) ? comment : nullptr;
}

Outcome set(State& state, UserNumber user, const Target& target, ReactionType type, Time now) {
  const Reaction* there = find_reaction(state, target.content(), user);
  Outcome result = outcome(Result::kDone, target);
  if (there != nullptr) result.before = there->type;
  result.time = there != nullptr ? there->since : now;
  if (result.before == type) {
    result.result = Result::kAlready;
    return result;
  }
  const Sequence event = there != nullptr ? there->event : state.scalars.log_end;
  put_reaction(state, target.content(), target.author, {user, type, result.time, event});
  append(state, {.topic = Topic::kReactionSet,
                 .time = now,
                 .actor = user,
                 .other = target.author,
                 .post = target.post,
                 .comment = target.comment,
                 .reaction = type,
                 .reaction_before = result.before});
  return result;
}

Outcome take_back(State& state, const Reaction& reaction, const Target& target, Time now) {
  Outcome result = outcome(Result::kDone, target);
  result.before = reaction.type;
  append(state, {.topic = Topic::kReactionRemoved,
                 .time = now,
                 .actor = reaction.user,
                 .other = target.author,
                 .post = target.post,
                 .comment = target.comment,
                 .reaction = reaction.type});
  erase_reaction(state, target.content(), reaction.user);
  return result;
}

void count_event(std::map<ContentId, ContentCounters>& counters, const events::Event& event) {
  const ContentId content =
      event.comment == kNoComment ? content_of(event.post) : content_of(event.comment);
  switch (event.topic) {
    case Topic::kReactionSet:
      ++counters[content].reactions[index_of(*event.reaction)];
      if (event.reaction_before) --counters[content].reactions[index_of(*event.reaction_before)];
      break;
    case Topic::kReactionRemoved:
      --counters[content].reactions[index_of(*event.reaction)];
      break;
    case Topic::kCommentCreated:
      ++counters[content_of(event.post)].comments;
      if (event.parent != kNoComment) ++counters[content_of(event.parent)].comments;
      break;
    case Topic::kCommentRemoved:
      --counters[content_of(event.post)].comments;
      if (event.parent != kNoComment) --counters[content_of(event.parent)].comments;
      break;
    case Topic::kRepostCreated:
      ++counters[content_of(event.original)].reposts;
      break;
    case Topic::kRepostRemoved:
      --counters[content_of(event.original)].reposts;
      break;
    default:
      break;
  }
}

// Leaves no empty set or map behind.
template <class Map, class Outer, class Inner>
void erase_within(Map& map, const Outer& outer, const Inner& inner) {
  const auto found = map.find(outer);
  if (found == map.end()) return;
  found->second.erase(inner);
  if (found->second.empty()) map.erase(found);
}

}  // namespace

bool has_replies(const State& state, const Comment& comment) {
  return state.threads.contains({comment.post, comment.id});
}

std::map<ContentId, ContentCounters> pending_content_counters(const State& state) {
  std::map<ContentId, ContentCounters> counters;
  for (auto at = state.log.lower_bound(state.scalars.counters); at != state.log.end(); ++at) {
    count_event(counters, at->second);
  }
  return counters;
}

void put_reaction(State& state, ContentId content, UserNumber author, const Reaction& reaction) {
  state.reactions[content].insert_or_assign(reaction.user, reaction);
  state.reactions_by[reaction.user][content] = author;
}

void erase_reaction(State& state, ContentId content, UserNumber user) {
  erase_within(state.reactions, content, user);
  erase_within(state.reactions_by, user, content);
}

void put_comment(State& state, const Comment& comment, UserNumber post_author) {
  state.comments.insert_or_assign(comment.id, comment);
  state.threads[{comment.post, comment.parent}].insert(comment.id);
  if (comment.source) state.post_sources[*comment.source] = content_of(comment.id);
  if (comment.state == CommentState::kThere) {
    state.comments_by[comment.author][comment.id] = post_author;
  }
}

void erase_comment(State& state, const Comment& comment) {
  const Comment gone = comment;
  erase_within(state.threads, std::pair(gone.post, gone.parent), gone.id);
  erase_within(state.comments_by, gone.author, gone.id);
  if (gone.source) state.post_sources.erase(*gone.source);
  state.comments.erase(gone.id);
}

void remove_comment(State& state, const Comment& comment) {
  const Comment gone = comment;
  queue_removal(state, content_of(gone.id));
  if (has_replies(state, gone)) {
    erase_within(state.comments_by, gone.author, gone.id);
    if (gone.source) state.post_sources.erase(*gone.source);
    Comment& emptied = state.comments.at(gone.id);
    emptied.state = CommentState::kRemoved;
    emptied.author = kNobody;
    emptied.text.clear();
    emptied.source.reset();
    return;
  }
  erase_comment(state, gone);
  const auto parent = state.comments.find(gone.parent);
  if (parent == state.comments.end() || parent->second.state == CommentState::kThere) return;
  if (!has_replies(state, parent->second)) remove_comment(state, parent->second);
}

void add_content_counters(State& state, ContentId content, const ContentCounters& change) {
  ContentCounters& counters = state.content_counters[content];
  counters += change;
  if (counters == ContentCounters{}) state.content_counters.erase(content);
}

void queue_removal(State& state, ContentId content) {
  const PostId post{content.value};
  const auto thread = state.threads.lower_bound({post, kNoComment});
  const bool has_comments = thread != state.threads.end() && thread->first.first == post;
  if (state.reactions.contains(content) || has_comments || state.reposts.contains(post)) {
    state.post_removals.insert(content);
  }
}

Outcome apply(State& state, const React& change, Time now) {
  if (!present(state, change.user)) return kMissingOutcome;
  const Post* post = seen_original(state, change.user, change.post);
  if (post == nullptr) return kMissingOutcome;
  return set(state, change.user, target_of(*post), change.type, now);
}

Outcome apply(State& state, const Unreact& change, Time now) {
  if (!present(state, change.user)) return kMissingOutcome;
  const Post* post = seen_original(state, change.user, change.post);
  if (post == nullptr) return kMissingOutcome;
  const Target target = target_of(*post);
  if (const Reaction* there = find_reaction(state, target.content(), change.user)) {
    return take_back(state, *there, target, now);
  }
  return outcome(Result::kAlready, target);
}

Outcome apply(State& state, const LikeComment& change, Time now) {
  if (!present(state, change.user)) return kMissingOutcome;
  const Comment* comment = seen_comment(state, change.user, change.comment);
  if (comment == nullptr) return kMissingOutcome;
  return set(state, change.user, target_of(*comment), ReactionType::kLike, now);
}

Outcome apply(State& state, const UnlikeComment& change, Time now) {
  if (!present(state, change.user)) return kMissingOutcome;
  const Comment* comment = seen_comment(state, change.user, change.comment);
  if (comment == nullptr) return kMissingOutcome;
  const Target target = target_of(*comment);
  if (const Reaction* there = find_reaction(state, target.content(), change.user)) {
    return take_back(state, *there, target, now);
  }
  return outcome(Result::kAlready, target);
}

Outcome apply(State& state, const AddComment& change, Time now) {
  if (!present(state, change.author)) return kMissingOutcome;
  const Post* post = seen_original(state, change.author, change.post);
  if (post == nullptr) return kMissingOutcome;
  if (change.parent != kNoComment) {
    const Comment* parent = seen_comment(state, change.author, change.parent);
    if (parent == nullptr || parent->post != post->id) return {.result = Result::kNoParent};
  }
  Comment comment;
  comment.id = {mint(state, now).value};
  comment.post = post->id;
  comment.author = change.author;
  comment.text = change.text;
  comment.parent = change.parent;
  comment.created_at = now;
  put_comment(state, comment, post->author);
  append(state, {.topic = Topic::kCommentCreated,
                 .time = now,
                 .actor = change.author,
                 .other = post->author,
                 .post = post->id,
                 .comment = comment.id,
                 .parent = comment.parent});
  for (const UserNumber mentioned : change.mentions) {
    if (mentioned == change.author || !present(state, mentioned)) continue;
    append(state, {.topic = Topic::kMentionCreated,
                   .time = now,
                   .actor = change.author,
                   .other = mentioned,
                   .post = post->id,
                   .comment = comment.id});
  }
  Outcome result = outcome(Result::kDone, target_of(*post));
  result.time = now;
  result.comment = comment.id;
  return result;
}

Outcome apply(State& state, const RemoveComment& change, Time now) {
  const Comment* found = present_comment(state, change.comment);
  if (found == nullptr) return kMissingOutcome;
  const Target target = target_of(state.posts.at(found->post));
  append(state, {.topic = Topic::kCommentRemoved,
                 .time = now,
                 .actor = found->author,
                 .other = target.author,
                 .post = target.post,
                 .comment = found->id,
                 .parent = found->parent});
  remove_comment(state, *found);
  return outcome(Result::kDone, target);
}

}  // namespace chirp::memory
