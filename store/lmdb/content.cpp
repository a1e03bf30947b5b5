// Reading reactions, comments and what is counted of them; walks over them.
#include <algorithm>

#include "store/lmdb/comments.h"
#include "store/lmdb/content_counters.h"
#include "store/lmdb/lmdb_snapshot.h"
#include "store/lmdb/reactions.h"

namespace chirp::lmdb {
namespace {

// A content or comment of a user's, and whose it is, or hangs on.
struct Interaction {
  std::uint64_t id = 0;
  UserNumber partner;
};

// The newest rows under a user, of a table whose values are users.
std::vector<Interaction> newest_under(const Txn& txn, Table table, UserNumber user,
                                      std::uint32_t limit) {
  std::vector<Interaction> found;
  Cursor cursor(txn, table);
  for (auto item = cursor.before(key(user, kAboveAllPosts));
       item && found.size() < limit && user_at(item->key) == user; item = cursor.previous()) {
    found.push_back({u64_at(item->key, 4), user_at(item->value)});
  }
  return found;
}

// Rows of a table from above the key given, made into what `decode` says.
template <class Decode>
auto scan(const Txn& txn, Table table, Bytes after, std::uint32_t limit, Decode decode) {
  std::vector<decltype(decode(Item{}))> rows;
  Cursor cursor(txn, table);
  auto item = cursor.at_or_after(after);
  if (item && item->key == after) item = cursor.next();
  for (; item && rows.size() < limit; item = cursor.next()) {
    rows.push_back(decode(*item));
  }
  return rows;
}

}  // namespace

std::vector<ContentCounters> LmdbSnapshot::content_counters(
    std::span<const ContentId> contents) const {
  return read_content_counters(txn_, state_, contents);
}

std::vector<std::optional<Reaction>> LmdbSnapshot::reactions_of(
    UserNumber user, std::span<const ContentId> contents) const {
  std::vector<std::optional<Reaction>> reactions;
  reactions.reserve(contents.size());
  for (const ContentId content : contents) {
    reactions.push_back(read_reaction(txn_, content, user));
  }
  return reactions;
}

std::vector<Reaction> LmdbSnapshot::reactions(ContentId content, UserNumber after,
                                              std::optional<ReactionType> type,
                                              std::uint32_t limit) const {
  return read_reactions(txn_, content, after, type, limit);
}

std::vector<std::optional<Comment>> LmdbSnapshot::comments(std::span<const CommentId> ids) const {
  std::vector<std::optional<Comment>> comments;
  comments.reserve(ids.size());
  for (const CommentId id : ids) comments.push_back(read_comment(txn_, id));
  return comments;
}

std::vector<CommentId> LmdbSnapshot::thread(PostId post, CommentId parent, CommentId bound,
                                            Direction direction, std::uint32_t limit) const {
  return read_thread(txn_, post, parent, bound, direction, limit);
}

std::vector<UserNumber> LmdbSnapshot::recent_partners(UserNumber user, std::uint32_t limit) const {
  auto found = newest_under(txn_, Table::kReactionsBy, user, limit);
  const auto comments = newest_under(txn_, Table::kCommentsBy, user, limit);
  found.insert(found.end(), comments.begin(), comments.end());
  std::stable_sort(found.begin(), found.end(),
                   [](const Interaction& a, const Interaction& b) { return a.id > b.id; });
  if (found.size() > limit) found.resize(limit);
  std::vector<UserNumber> partners;
  partners.reserve(found.size());
  for (const Interaction& one : found) partners.push_back(one.partner);
  return partners;
}

std::vector<ReactionRow> LmdbSnapshot::scan_reactions(ContentId after_content,
                                                      UserNumber after_user,
                                                      std::uint32_t limit) const {
  return scan(txn_, Table::kReactions, key(after_content, after_user), limit,
              [](const Item& item) { return decode_reaction(item.key, item.value); });
}

std::vector<Comment> LmdbSnapshot::scan_comments(CommentId after, std::uint32_t limit) const {
  return scan(txn_, Table::kComments, key(after), limit,
              [](const Item& item) { return decode_comment(item.key, item.value); });
}

std::vector<ContentDelta> LmdbSnapshot::scan_content_counters(ContentId after,
                                                              std::uint32_t limit) const {
  return scan(txn_, Table::kContentCounters, key(after), limit, [](const Item& item) {
    return ContentDelta{ContentId{u64_at(item.key)}, decode_content_counters(item.key, item.value)};
  });
}

std::vector<ContentId> LmdbSnapshot::unfinished_post_removals() const {
  return scan(txn_, Table::kPostRemovals, key(ContentId{}), ~std::uint32_t{0},
              [](const Item& item) { return ContentId{u64_at(item.key)}; });
}

}  // namespace chirp::lmdb
