// What came with which source id.
#include <algorithm>
#include <chrono>

#include "core/limits.h"
#include "core/rules/loads.h"
#include "store/lmdb/cards.h"
#include "store/lmdb/comments.h"
#include "store/lmdb/lmdb_snapshot.h"
#include "store/lmdb/posts.h"

namespace chirp::lmdb {
namespace {

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

std::vector<std::optional<UserNumber>> LmdbSnapshot::numbers_of(
    std::span<const SourceId> sources) const {
  Cursor cursor(txn_, Table::kUserSources);
  std::vector<std::optional<UserNumber>> numbers;
  numbers.reserve(sources.size());
  for (const SourceId source : sources) {
    const auto item = cursor.at(key(source));
    numbers.push_back(item ? std::optional(user_at(item->value)) : std::nullopt);
  }
  return numbers;
}

std::vector<std::optional<LoadedContent>> LmdbSnapshot::contents_of(
    std::span<const SourceId> sources) const {
  Cursor cursor(txn_, Table::kPostSources);
  std::vector<std::optional<LoadedContent>> contents;
  contents.reserve(sources.size());
  for (const SourceId source : sources) {
    const auto item = cursor.at(key(source));
    contents.push_back(item ? content_at(txn_, u64_at(item->value)) : std::nullopt);
  }
  return contents;
}

}  // namespace chirp::lmdb
