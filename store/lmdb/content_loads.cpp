// Loads and restores of comments, reactions and relations.
#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "core/events/deltas.h"
#include "store/lmdb/cards.h"
#include "store/lmdb/comments.h"
#include "store/lmdb/content_counters.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/loading.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/reactions.h"
#include "store/lmdb/relations.h"

namespace chirp::lmdb {
namespace {

// Adds what a comment that is there counts for.
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

void add(Batch& batch, std::vector<ContentDelta> deltas) {
  events::combine(deltas);
  add_content_counters(batch, deltas);
}

// What others may hang on, by the id of a post or comment.
std::optional<LoadedContent> content_at(const Txn& txn, std::uint64_t id) {
  if (const auto post = read_post(txn, PostId{id})) {
    const PostId original = post->is_repost() ? post->original : post->id;
    if (!is_present(txn, post->author) || !loaded_original(txn, original)) return std::nullopt;
    return LoadedContent{original};
  }
  const auto comment = read_comment(txn, CommentId{id});
  if (!comment || !is_present(txn, comment->author) || !loaded_original(txn, comment->post)) {
    return std::nullopt;
  }
  return LoadedContent{comment->post, comment->id};
}

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kBadInput, what); }

// Whose a post or comment is.
UserNumber author_of(const Batch& batch, ContentId content) {
  if (const auto post = read_post(batch.txn, PostId{content.value})) return post->author;
  const auto comment = read_comment(batch.txn, CommentId{content.value});
  if (!comment || comment->state == CommentState::kRemoved) {
    refuse(fmt::format("There is no post or comment {} to react to.", content.value));
  }
  return comment->author;
}

}  // namespace

std::vector<std::optional<LoadedContent>> LmdbStorage::contents_of(
    std::span<const SourceId> sources) const {
  const Env::Reader reader(env_);
  Cursor cursor(reader.txn(), Table::kPostSources);
  std::vector<std::optional<LoadedContent>> contents;
  contents.reserve(sources.size());
  for (const SourceId source : sources) {
    const auto item = cursor.at(key(source));
    contents.push_back(item ? content_at(reader.txn(), u64_at(item->value)) : std::nullopt);
  }
  return contents;
}

LoadCounts LmdbStorage::load_comments(std::span<const LoadedComment> comments, Time now) {
  LoadCounts counts;
  run(now, [&](Batch& batch) {
    counts = {};
    std::vector<std::size_t> order(comments.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return comments[a].created_at < comments[b].created_at;
    });
    std::vector<ContentDelta> deltas;
    LoadedIds ids(batch);
    for (const std::size_t i : order) {
      const LoadedComment& loaded = comments[i];
      if (batch.txn.get(Table::kPostSources, key(loaded.source))) {
        ++counts.duplicates;
        continue;
      }
      const auto post = loaded_original(batch.txn, loaded.post);
      const auto parent =
          loaded.parent == kNoComment ? std::nullopt : read_comment(batch.txn, loaded.parent);
      const bool answers =
          parent && parent->post == loaded.post && parent->state == CommentState::kThere;
      if (!post || !is_present(batch.txn, loaded.author) ||
          (loaded.parent != kNoComment && !answers)) {
        ++counts.missing;
        continue;
      }
      if (counts.stored == 0) batch.mint();
      Comment comment;
      comment.id = {ids.next(loaded.created_at, loaded.id.value)};
      comment.post = loaded.post;
      comment.author = loaded.author;
      comment.text = loaded.text;
      comment.parent = loaded.parent;
      comment.created_at = loaded.created_at;
      comment.source = loaded.source;
      put_comment(batch, comment, post->author);
      count_comment(comment, deltas);
      ++counts.stored;
    }
    if (counts.stored == 0) return Verdict::kNothing;
    add(batch, std::move(deltas));
    log_load(batch, counts.stored, Entries::kNone);
    return Verdict::kCommit;
  });
  return counts;
}

LoadCounts LmdbStorage::load_reactions(std::span<const LoadedReaction> reactions, Time now) {
  LoadCounts counts;
  run(now, [&](Batch& batch) {
    counts = {};
    std::vector<ContentDelta> deltas;
    for (const LoadedReaction& loaded : reactions) {
      const ContentId content = content_of(loaded.post);
      const auto post = loaded_original(batch.txn, loaded.post);
      if (!post || !is_present(batch.txn, loaded.user)) {
        ++counts.missing;
      } else if (read_reaction(batch.txn, content, loaded.user)) {
        ++counts.duplicates;
      } else {
        put_reaction(batch, content, post->author, {loaded.user, loaded.type, batch.now, {}});
        count_reaction(content, loaded.type, deltas);
        ++counts.stored;
      }
    }
    if (counts.stored == 0) return Verdict::kNothing;
    add(batch, std::move(deltas));
    log_load(batch, counts.stored, Entries::kNone);
    return Verdict::kCommit;
  });
  return counts;
}

void LmdbStorage::restore_comments(std::span<const Comment> comments, Time now) {
  if (comments.empty()) return;
  run(now, [&](Batch& batch) {
    std::vector<ContentDelta> deltas;
    for (const Comment& comment : comments) {
      const auto post = read_post(batch.txn, comment.post);
      if (!post) refuse(fmt::format("There is no post {} to comment on.", comment.post.value));
      if (read_comment(batch.txn, comment.id)) {
        throw Error(ErrorCode::kAlreadyExists,
                    fmt::format("Comment {} is there already.", comment.id.value));
      }
      put_comment(batch, comment, post->author);
      if (comment.state == CommentState::kThere) count_comment(comment, deltas);
      batch.state.last_id = std::max(batch.state.last_id, PostId{comment.id.value});
    }
    add(batch, std::move(deltas));
    log_load(batch, comments.size(), Entries::kNone);
    return Verdict::kCommit;
  });
}

void LmdbStorage::restore_reactions(std::span<const RestoredReaction> reactions, Time now) {
  if (reactions.empty()) return;
  run(now, [&](Batch& batch) {
    std::vector<ContentDelta> deltas;
    for (const auto& [content, user, type, since] : reactions) {
      const UserNumber author = author_of(batch, content);
      if (read_reaction(batch.txn, content, user)) {
        throw Error(ErrorCode::kAlreadyExists, "A reaction of the export is there already.");
      }
      put_reaction(batch, content, author, {user, type, since, {}});
      count_reaction(content, type, deltas);
    }
    add(batch, std::move(deltas));
    log_load(batch, reactions.size(), Entries::kNone);
    return Verdict::kCommit;
  });
}

void LmdbStorage::restore_relations(std::span<const RestoredRelation> relations, Time now) {
  if (relations.empty()) return;
  run(now, [&](Batch& batch) {
    for (const auto& [user, other, relation, since] : relations) {
      if (!put_relation(batch, user, relation, other, since)) {
        throw Error(ErrorCode::kAlreadyExists, "A block or mute of the export is there already.");
      }
    }
    log_load(batch, relations.size(), Entries::kNone);
    return Verdict::kCommit;
  });
}

}  // namespace chirp::lmdb
