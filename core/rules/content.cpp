#include "core/rules/content.h"

#include "core/error.h"
#include "core/model/entities.h"
#include "core/rules/seen.h"

namespace chirp::rules {

using namespace tables;
using events::Topic;

void must_have_gone(bool erased) {
  if (!erased)
    throw Error(ErrorCode::kCorrupt, "A row that a walk shows can't be found by its key.");
}

// ---------------------------------------------------------------- posts

void put_record(Rows& rows, const Post& post) {
  rows.put(Posts::Key{post.id}, post);
  for (const Medium& medium : post.media) {
    if (medium.upload != MediaId{}) rows.put(MediaUses::Key{medium.upload, post.id}, {});
  }
}

void put_in_log(Rows& rows, const Post& post) {
  with_log_key(post, [&](const auto& key) { rows.put(key, {}); });
}

void put_source(Rows& rows, const std::optional<SourceKey>& source, ContentId content) {
  if (!source) return;
  with_source_key<PostSources, PostWords>(*source,
                                          [&](const auto& key) { rows.put(key, content); });
}

void discard_source(Rows& rows, const std::optional<SourceKey>& source) {
  if (!source) return;
  with_source_key<PostSources, PostWords>(*source, [&](const auto& key) { rows.discard(key); });
}

bool has_source(const Rows& rows, const SourceKey& source) {
  return with_source_key<PostSources, PostWords>(
      source, [&](const auto& key) { return rows.find(key).has_value(); });
}

void put_under_original(Rows& rows, const Post& post) {
  if (post.is_repost()) rows.put(RepostsOf::Key{post.original, post.author}, post.id);
}

void put_post(Rows& rows, const Post& post) {
  put_record(rows, post);
  put_in_log(rows, post);
  put_source(rows, post.source, content_of(post.id));
  put_under_original(rows, post);
}

void erase_post(Rows& rows, const Post& post) {
  rows.discard(Posts::Key{post.id});
  with_log_key(post, [&](const auto& key) { rows.discard(key); });
  discard_source(rows, post.source);
  for (const Medium& medium : post.media) {
    if (medium.upload != MediaId{}) rows.discard(MediaUses::Key{medium.upload, post.id});
  }
  if (post.is_repost()) rows.discard(RepostsOf::Key{post.original, post.author});
  rows.discard(TagUses::Key{post.id});
  if (post.privacy == Privacy::kPublic) unlist(rows, post.id, tags_in(post.text));
}

void withdraw(Rows& rows, const Post& repost) {
  erase_post(rows, repost);
  rows.log({.topic = Topic::kRepostRemoved,
            .actor = repost.author,
            .other = repost.original_author,
            .post = repost.id,
            .original = repost.original});
}

// ---------------------------------------------------------------- hashtags

void list_under_tags(Rows& rows, const TaggedPost& post) {
  if (!rows.present(post.author)) return unlist(rows, post.post, post.tags);
  for (const std::string& tag : post.tags) rows.put(TagPosts::Key{tag, post.post}, post.author);
}

void unlist(Rows& rows, PostId post, std::span<const std::string> tags) {
  for (const std::string& tag : tags) rows.discard(TagPosts::Key{tag, post});
}

// ---------------------------------------------------------------- reactions

void put_reaction(Rows& rows, ContentId content, UserNumber author, const Reaction& reaction) {
  rows.put(Reactions::Key{content, reaction.user}, reaction);
  rows.put(ReactionsBy::Key{reaction.user, content}, author);
}

bool erase_reaction(Rows& rows, ContentId content, UserNumber user) {
  rows.discard(ReactionsBy::Key{user, content});
  return rows.erase(Reactions::Key{content, user});
}

// ---------------------------------------------------------------- comments

namespace {

template <class Key>
bool has_any(const Rows& rows, const Key& first, const Key& last) {
  return !rows.range(first, last, Direction::kUp, 1).empty();
}

// Whether a thread has a comment, hidden or not, whose parent is in this range.
bool has_comments(const Rows& rows, PostId post, CommentId first, CommentId last) {
  const bool shown =
      has_any(rows, Threads::Key{post, first, kNoComment}, Threads::Key{post, last, kLastComment});
  const bool hidden = has_any(rows, HiddenThreads::Key{post, first, kNoComment},
                              HiddenThreads::Key{post, last, kLastComment});
  return shown || hidden;
}

template <class To>
typename To::Key key_in(const Comment& comment) {
  return {comment.post, comment.parent, comment.id};
}

// Moves a comment to the other table.
template <class From, class To>
void move_in_thread(Rows& rows, const Comment& comment) {
  rows.discard(key_in<From>(comment));
  rows.put(key_in<To>(comment), {});
}
void show_in_thread(Rows& rows, const Comment& comment) {
  move_in_thread<HiddenThreads, Threads>(rows, comment);
}
void hide_in_thread(Rows& rows, const Comment& comment) {
  move_in_thread<Threads, HiddenThreads>(rows, comment);
}

// A suspended user's comment that has a reply keeps its place.
void show_parent(Rows& rows, const Comment& reply) {
  if (reply.parent == kNoComment) return;
  const auto parent = rows.find(Comments::Key{reply.parent});
  if (!parent || parent->state == CommentState::kRemoved || rows.present(parent->author)) return;
  show_in_thread(rows, *parent);
}

}  // namespace

bool has_replies(const Rows& rows, const Comment& comment) {
  return has_comments(rows, comment.post, comment.id, comment.id);
}

bool is_hidden(const Rows& rows, const Comment& comment, UserNumber post_author) {
  if (comment.state == CommentState::kRemoved) return false;
  const bool by_somebody = rows.present(comment.author);
  const bool is_severed = severed(rows, comment.author, post_author);
  return by_somebody ? is_severed : !has_replies(rows, comment);
}

void settle_comment(Rows& rows, const Comment& comment, UserNumber post_author) {
  if (is_hidden(rows, comment, post_author)) {
    hide_in_thread(rows, comment);
  } else {
    show_in_thread(rows, comment);
  }
}

void put_comment(Rows& rows, const Comment& comment, UserNumber post_author) {
  const bool hidden = is_hidden(rows, comment, post_author);
  show_parent(rows, comment);
  rows.put(Comments::Key{comment.id}, comment);
  if (hidden) {
    rows.put(key_in<HiddenThreads>(comment), {});
  } else {
    rows.put(key_in<Threads>(comment), {});
  }
  put_source(rows, comment.source, content_of(comment.id));
  if (comment.state == CommentState::kRemoved) return;
  rows.put(CommentsBy::Key{comment.author, comment.id}, post_author);
}

void erase_comment(Rows& rows, const Comment& comment) {
  rows.discard(Comments::Key{comment.id});
  rows.discard(key_in<Threads>(comment));
  rows.discard(key_in<HiddenThreads>(comment));
  rows.discard(CommentsBy::Key{comment.author, comment.id});
  discard_source(rows, comment.source);
}

namespace {

// Whether a post or comment has traces left and is not queued for removal yet.
bool is_to_be_queued(const Rows& rows, ContentId content) {
  const PostId post{content.value};
  const bool reactions =
      has_any(rows, Reactions::Key{content, kNobody}, Reactions::Key{content, kLastUser});
  const bool comments = has_comments(rows, post, kNoComment, kLastComment);
  const bool reposts =
      has_any(rows, RepostsOf::Key{post, kNobody}, RepostsOf::Key{post, kLastUser});
  const bool queued = rows.find(PostRemovals::Key{content}).has_value();
  return !queued && (reactions || comments || reposts);
}

void put_in_queue(Rows& rows, ContentId content) {
  rows.put(PostRemovals::Key{content}, {});
  ++rows.state().post_removals;
}

// Keeps only the place and the time of a comment with replies.
void empty_comment(Rows& rows, const Comment& comment) {
  rows.discard(CommentsBy::Key{comment.author, comment.id});
  discard_source(rows, comment.source);
  Comment emptied = comment;
  emptied.state = CommentState::kRemoved;
  emptied.author = kNobody;
  emptied.text.clear();
  emptied.source.reset();
  rows.put(Comments::Key{emptied.id}, emptied);
  show_in_thread(rows, emptied);
}

}  // namespace

Leaving leaving(const Rows& rows, const Comment& comment) {
  rows.expect_chain(comment);
  return {has_replies(rows, comment), is_to_be_queued(rows, content_of(comment.id))};
}

void remove_comment(Rows& rows, const Comment& comment, Leaving leaving) {
  if (leaving.to_be_queued) put_in_queue(rows, content_of(comment.id));
  if (leaving.answered) return empty_comment(rows, comment);
  erase_comment(rows, comment);
  for (CommentId above = comment.parent; above != kNoComment;) {
    const auto parent = rows.find(Comments::Key{above});
    if (!parent || has_replies(rows, *parent)) return;
    if (parent->state != CommentState::kRemoved) {
      if (!rows.present(parent->author)) hide_in_thread(rows, *parent);
      return;
    }
    erase_comment(rows, *parent);
    above = parent->parent;
  }
}

void queue_removal(Rows& rows, ContentId content) {
  if (is_to_be_queued(rows, content)) put_in_queue(rows, content);
}

// ---------------------------------------------------------------- relations

bool put_relation(Rows& rows, UserNumber user, Relation relation, UserNumber other, Time since) {
  if (rows.find(Relations::Key{user, relation, other})) return false;
  rows.put(Relations::Key{user, relation, other}, since);
  rows.put(Related::Key{other, relation, user}, {});
  ++rows.state().relations;
  return true;
}

bool erase_relation(Rows& rows, UserNumber user, Relation relation, UserNumber other) {
  if (!rows.erase(Relations::Key{user, relation, other})) return false;
  rows.discard(Related::Key{other, relation, user});
  --rows.state().relations;
  return true;
}

}  // namespace chirp::rules
