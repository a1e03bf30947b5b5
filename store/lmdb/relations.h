// Blocks, mutes and switched-off reposts: a record under whoever set one, and an index from the
// other side.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/model/relation.h"
#include "core/ports/snapshot.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// As they stand in keys.
constexpr std::uint32_t kind_of(Relation relation) { return static_cast<std::uint32_t>(relation); }
inline Relation relation_at(Bytes key) { return static_cast<Relation>(user_at(key, 4).value); }

[[nodiscard]] Time decode_since(Bytes key, Bytes value);
// Appends the payload; returns the flags.
std::uint8_t encode_since(RecordWriter& out, Time since);
// See ContentReader::bonds.
[[nodiscard]] std::vector<Bond> read_bonds(const Txn& txn, const StoreState& state,
                                           UserNumber viewer, std::span<const UserNumber> others);

}  // namespace chirp::lmdb
