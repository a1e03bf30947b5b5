#include "store/lmdb/reposts.h"

namespace chirp::lmdb {

std::optional<PostId> repost_of(const Txn& txn, PostId original, UserNumber user) {
  const auto value = txn.get(Table::kReposts, key(original, user));
  if (!value) return std::nullopt;
  return PostId{u64_at(*value)};
}

std::vector<Entry> read_reposts(const Txn& txn, PostId original, UserNumber after,
                                std::uint32_t limit) {
  std::vector<Entry> reposts;
  if (after.value == ~0u) return reposts;
  Cursor cursor(txn, Table::kReposts);
  for (auto item = cursor.at_or_after(key(original, UserNumber{after.value + 1}));
       item && reposts.size() < limit && u64_at(item->key) == original.value;
       item = cursor.next()) {
    reposts.push_back({PostId{u64_at(item->value)}, user_at(item->key, 8), Origin::kPushed});
  }
  return reposts;
}

}  // namespace chirp::lmdb
