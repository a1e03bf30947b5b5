#include "store/lmdb/sight.h"

#include "core/model/relation.h"
#include "store/lmdb/cards.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/relations.h"

namespace chirp::lmdb {
namespace {

std::optional<Post> seen_post(const Batch& batch, UserNumber user, PostId id) {
  auto post = read_post(batch.txn, id);
  if (!post || !may_see(batch, user, post->author, post->privacy)) return std::nullopt;
  return post;
}

}  // namespace

bool may_see(const Batch& batch, UserNumber user, UserNumber author, Privacy privacy) {
  if (!is_present(batch.txn, author)) return false;
  Standing standing;
  standing.severed = user != author && is_severed(batch.txn, batch.state, user, author);
  // Looked up where it decides.
  standing.follows = privacy == Privacy::kFollowers && user != author &&
                     read_edge(batch.txn, Table::kFollowing, user, author).has_value();
  return sees(Viewer::user(user), author, privacy, standing);
}

bool may_see_comment(const Batch& batch, UserNumber user, UserNumber author,
                     UserNumber post_author) {
  if (!is_present(batch.txn, author)) return false;
  const auto severed = [&](UserNumber one, UserNumber other) {
    return one != other && is_severed(batch.txn, batch.state, one, other);
  };
  return sees_comment(Viewer::user(user), author, {false, severed(user, author)},
                      severed(author, post_author));
}

std::optional<Post> seen_original(const Batch& batch, UserNumber user, PostId id) {
  auto post = seen_post(batch, user, id);
  if (!post || !post->is_repost()) return post;
  auto original = seen_post(batch, user, post->original);
  if (!original || original->privacy != Privacy::kPublic) return std::nullopt;
  return original;
}

}  // namespace chirp::lmdb
