#include "core/rules/content.h"

#include "core/error.h"

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
  if (source->is_word()) {
    rows.put(PostWords::Key{source->word}, content);
  } else {
    rows.put(PostSources::Key{source->number}, content);
  }
}

void discard_source(Rows& rows, const std::optional<SourceKey>& source) {
  if (!source) return;
  if (source->is_word()) {
    rows.discard(PostWords::Key{source->word});
  } else {
    rows.discard(PostSources::Key{source->number});
  }
}

bool has_source(const Rows& rows, const SourceKey& source) {
  return source.is_word() ? rows.find(PostWords::Key{source.word}).has_value()
                          : rows.find(PostSources::Key{source.number}).has_value();
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
}

void withdraw(Rows& rows, const Post& repost) {
  erase_post(rows, repost);
  rows.log({.topic = Topic::kRepostRemoved,
            .actor = repost.author,
            .other = repost.original_author,
            .post = repost.id,
            .original = repost.original});
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

bool has_replies(const Rows& rows, const Comment& comment) {
  return !rows.range(Threads::Key{comment.post, comment.id, kNoComment},
                     Threads::Key{comment.post, comment.id, kLastComment}, Direction::kUp, 1)
              .empty();
}

void put_comment(Rows& rows, const Comment& comment, UserNumber post_author) {
  rows.put(Comments::Key{comment.id}, comment);
  rows.put(Threads::Key{comment.post, comment.parent, comment.id}, {});
  put_source(rows, comment.source, content_of(comment.id));
  if (comment.state == CommentState::kRemoved) return;
  rows.put(CommentsBy::Key{comment.author, comment.id}, post_author);
}

void erase_comment(Rows& rows, const Comment& comment) {
  rows.discard(Comments::Key{comment.id});
  rows.discard(Threads::Key{comment.post, comment.parent, comment.id});
  rows.discard(CommentsBy::Key{comment.author, comment.id});
  discard_source(rows, comment.source);
}

namespace {

// Whether something hangs on a post or comment, and no removal has it on its list yet.
bool is_to_be_queued(const Rows& rows, ContentId content) {
  const PostId post{content.value};
  const bool reactions = !rows.range(Reactions::Key{content, kNobody},
                                     Reactions::Key{content, kLastUser}, Direction::kUp, 1)
                              .empty();
  const bool comments =
      !rows.range(Threads::Key{post, kNoComment, kNoComment},
                  Threads::Key{post, kLastComment, kLastComment}, Direction::kUp, 1)
           .empty();
  const bool reposts =
      !rows.range(RepostsOf::Key{post, kNobody}, RepostsOf::Key{post, kLastUser}, Direction::kUp, 1)
           .empty();
  const bool queued = rows.find(PostRemovals::Key{content}).has_value();
  return !queued && (reactions || comments || reposts);
}

void put_in_queue(Rows& rows, ContentId content) {
  rows.put(PostRemovals::Key{content}, {});
  ++rows.state().post_removals;
}

// A comment with replies keeps its place and its time, and nothing else.
void empty_comment(Rows& rows, const Comment& comment) {
  rows.discard(CommentsBy::Key{comment.author, comment.id});
  discard_source(rows, comment.source);
  Comment emptied = comment;
  emptied.state = CommentState::kRemoved;
  emptied.author = kNobody;
  emptied.text.clear();
  emptied.source.reset();
  rows.put(Comments::Key{emptied.id}, emptied);
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
    if (!parent || parent->state != CommentState::kRemoved || has_replies(rows, *parent)) return;
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
