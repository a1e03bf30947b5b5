#include "store/lmdb/reactions.h"

namespace chirp::lmdb {

Reaction decode_reaction(Bytes key, Bytes value) {
  RecordReader in(Table::kReactions, key, value);
  Reaction reaction;
  reaction.user = user_at(key, 8);
  reaction.type = static_cast<ReactionType>(in.flags());
  reaction.since = in.time();
  reaction.event = {in.varint()};
  if (name(reaction.type).empty()) in.broken();
  return reaction;
}

std::uint8_t encode_reaction(RecordWriter& out, const Reaction& reaction) {
  out.zigzag(reaction.since.ms - snowflake::kEpochMs);
  out.varint(reaction.event.value);
  return static_cast<std::uint8_t>(reaction.type);
}

}  // namespace chirp::lmdb
