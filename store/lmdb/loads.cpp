// Loads: how much a transaction takes, and what came with which source id.
#include "core/rules/loads.h"

#include <algorithm>
#include <chrono>

#include "core/limits.h"
#include "store/lmdb/cards.h"
#include "store/lmdb/comments.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/rows.h"

namespace chirp::lmdb {
namespace {

// A disk that others keep busy makes every commit slow, and smaller ones no quicker: below so many
// there would only be more of them.
constexpr std::size_t kEdgesAtOnceMin = 8'192;
constexpr std::size_t kEdgesAtOnceMax = 2'000'000;

// A post that is there, its author too, and that is no repost.
bool is_original(const Txn& txn, PostId id) {
  const auto post = read_post(txn, id);
  return post && !post->is_repost() && is_present(txn, post->author);
}

// What others may hang on, by the id of a post or comment.
std::optional<LoadedContent> content_at(const Txn& txn, std::uint64_t id) {
  if (const auto post = read_post(txn, PostId{id})) {
    const PostId original = post->is_repost() ? post->original : post->id;
    if (!is_present(txn, post->author) || !is_original(txn, original)) return std::nullopt;
    return LoadedContent{original};
  }
  const auto comment = read_comment(txn, CommentId{id});
  if (!comment || !is_present(txn, comment->author) || !is_original(txn, comment->post)) {
    return std::nullopt;
  }
  return LoadedContent{comment->post, comment->id};
}

}  // namespace

std::vector<std::optional<UserNumber>> LmdbStorage::numbers_of(
    std::span<const SourceId> sources) const {
  const Env::Reader reader(env_);
  Cursor cursor(reader.txn(), Table::kUserSources);
  std::vector<std::optional<UserNumber>> numbers;
  numbers.reserve(sources.size());
  for (const SourceId source : sources) {
    const auto item = cursor.at(key(source));
    numbers.push_back(item ? std::optional(user_at(item->value)) : std::nullopt);
  }
  return numbers;
}

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

void LmdbStorage::load_cards(std::span<const AuthorCard> cards, Time now) {
  decide(now, [&](Rows& rows) { return rules::load_cards(rows, cards) > 0; });
}

EdgeResult LmdbStorage::load_edges(std::span<const LoadedEdge> edges, Time now) {
  EdgeResult result;
  if (edges.empty()) return result;
  using Clock = std::chrono::steady_clock;
  const std::size_t at_once = edges_at_once_;
  Clock::time_point start;  // of the transaction: waiting for others' turns does not count
  run(now, [&](Batch& batch) {
    start = Clock::now();
    result = rules::load_edges(*rows_of(batch, at_once), edges);
    return result.counts.stored > 0 ? Verdict::kCommit : Verdict::kNothing;
  });
  const auto ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  const double factor = std::clamp(limits::kLoadTransactionMs / std::max(ms, 0.1), 0.5, 1.5);
  if (result.taken == at_once || factor < 1) {
    edges_at_once_ =
        std::clamp(static_cast<std::size_t>(static_cast<double>(result.taken) * factor),
                   kEdgesAtOnceMin, kEdgesAtOnceMax);
  }
  return result;
}

LoadCounts LmdbStorage::load_posts(std::span<const LoadedPost> posts, Time now) {
  LoadCounts counts;
  decide(now, [&](Rows& rows) {
    counts = rules::load_posts(rows, posts);
    return counts.stored > 0;
  });
  return counts;
}

LoadCounts LmdbStorage::load_comments(std::span<const LoadedComment> comments, Time now) {
  LoadCounts counts;
  decide(now, [&](Rows& rows) {
    counts = rules::load_comments(rows, comments);
    return counts.stored > 0;
  });
  return counts;
}

LoadCounts LmdbStorage::load_reactions(std::span<const LoadedReaction> reactions, Time now) {
  LoadCounts counts;
  decide(now, [&](Rows& rows) {
    counts = rules::load_reactions(rows, reactions);
    return counts.stored > 0;
  });
  return counts;
}

void LmdbStorage::restore_posts(std::span<const Post> posts, Time now) {
  decide(now, [&](Rows& rows) { return rules::restore_posts(rows, posts); });
}

void LmdbStorage::restore_edges(std::span<const RestoredEdge> edges, Time now) {
  decide(now, [&](Rows& rows) { return rules::restore_edges(rows, edges); });
}

void LmdbStorage::restore_comments(std::span<const Comment> comments, Time now) {
  decide(now, [&](Rows& rows) { return rules::restore_comments(rows, comments); });
}

void LmdbStorage::restore_reactions(std::span<const RestoredReaction> reactions, Time now) {
  decide(now, [&](Rows& rows) { return rules::restore_reactions(rows, reactions); });
}

void LmdbStorage::restore_relations(std::span<const RestoredRelation> relations, Time now) {
  decide(now, [&](Rows& rows) { return rules::restore_relations(rows, relations); });
}

}  // namespace chirp::lmdb
