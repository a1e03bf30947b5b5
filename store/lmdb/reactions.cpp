#include "store/lmdb/reactions.h"

namespace chirp::lmdb {
ReactionRow decode_reaction(Bytes key, Bytes value) {
  RecordReader in(Table::kReactions, key, value);
  ReactionRow row;
  row.content = {u64_at(key)};
  row.reaction.user = user_at(key, 8);
  row.reaction.type = static_cast<ReactionType>(in.flags());
  row.reaction.since = in.time();
  row.reaction.event = {in.varint()};
  if (name(row.reaction.type).empty()) in.broken();
  return row;
}

Reaction decode_one_reaction(Bytes key, Bytes value) {
  return decode_reaction(key, value).reaction;
}

std::optional<Reaction> read_reaction(const Txn& txn, ContentId content, UserNumber user) {
  const auto k = key(content, user);
  const auto value = txn.get(Table::kReactions, k);
  if (!value) return std::nullopt;
  return decode_reaction(k, *value).reaction;
}

std::vector<Reaction> read_reactions(const Txn& txn, ContentId content, UserNumber after,
                                     std::optional<ReactionType> type, std::uint32_t limit) {
  std::vector<Reaction> reactions;
  if (after.value == ~0u || limit == 0) return reactions;
  Cursor cursor(txn, Table::kReactions);
  for (auto item = cursor.at_or_after(key(content, UserNumber{after.value + 1}));
       item && u64_at(item->key) == content.value; item = cursor.next()) {
    const Reaction reaction = decode_reaction(item->key, item->value).reaction;
    if (type && reaction.type != *type) continue;
    reactions.push_back(reaction);
    if (reactions.size() == limit) break;
  }
  return reactions;
}

std::uint8_t encode_reaction(RecordWriter& out, const Reaction& reaction) {
  out.zigzag(reaction.since.ms - snowflake::kEpochMs);
  out.varint(reaction.event.value);
  return static_cast<std::uint8_t>(reaction.type);
}

}  // namespace chirp::lmdb
