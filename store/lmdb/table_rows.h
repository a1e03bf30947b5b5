// Reads rows of the tables of core/ports/tables.h, for snapshots and write transactions. Follow
// edges are in chunks, hashtags one per row; all other tables have one row per key.
//
// Code that knows its table uses find_row<T>(). The ports, which serve all tables alike, use a
// TableCodec, so that their loops are compiled once.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "core/ports/rows.h"
#include "store/lmdb/codecs.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/tags.h"

namespace chirp::lmdb {

// The two directions of follow edges, which are in chunks.
template <class T>
struct Side;
template <>
struct Side<tables::Following> {
  static constexpr Table kTable = Table::kFollowing;
  static constexpr EdgeSide kSide = EdgeSide::kFollowing;
  static UserNumber user(const tables::Following::Key& key) { return key.follower; }
  static UserNumber other(const tables::Following::Key& key) { return key.followee; }
};
template <>
struct Side<tables::Followers> {
  static constexpr Table kTable = Table::kFollowers;
  static constexpr EdgeSide kSide = EdgeSide::kFollowers;
  static UserNumber user(const tables::Followers::Key& key) { return key.followee; }
  static UserNumber other(const tables::Followers::Key& key) { return key.follower; }
};

template <class T>
constexpr bool kIsEdges =
    std::is_same_v<T, tables::Following> || std::is_same_v<T, tables::Followers>;
template <class T>
constexpr bool kIsTags = std::is_same_v<T, tables::TagUses>;

template <class T>
[[nodiscard]] std::optional<typename T::Row> find_row(const Txn& txn,
                                                      const typename T::Key& wanted) {
  if constexpr (kIsEdges<T>) {
    return read_edge(txn, Side<T>::kTable, Side<T>::user(wanted), Side<T>::other(wanted));
  } else if constexpr (kIsTags<T>) {
    auto found = read_tagged_posts(txn, wanted.post, wanted.post, Direction::kUp, 1);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
  } else {
    const auto k = Codec<T>::key(wanted);
    const auto value = txn.get(Codec<T>::kTable, k);
    if (!value) return std::nullopt;
    return Codec<T>::row(k, *value);
  }
}

// Returns the row, or empty.
template <class T>
[[nodiscard]] typename T::Row row_or_zeros(const Txn& txn, const typename T::Key& key) {
  return find_row<T>(txn, key).value_or(typename T::Row{});
}

// ---- all tables alike

// A buffer for the bytes of any key.
using KeyRoom = std::array<char, 512>;

// The functions of a table; see RowReader for the pointers. Null unless it has one row per key.
struct TableCodec {
  Table table;
  Bytes (*key)(const void* key, KeyRoom& room) = nullptr;
  void (*assign)(Bytes key, Bytes value, void* found) = nullptr;
  void (*append)(Bytes key, Bytes value, void* pairs) = nullptr;
  void (*put)(Batch& batch, Bytes key, const void* row) = nullptr;
};
[[nodiscard]] const TableCodec& codec_of(const TableType& type);

// Follow edges without their types.
struct AnyEdge {
  Table table;
  EdgeSide side;
  UserNumber user;
  UserNumber other;
};
// Returns empty unless the table has follow edges.
[[nodiscard]] std::optional<AnyEdge> edge_of(const TableType& type, const void* key);
// Returns the post of a key of tables::TagUses; empty for other tables.
[[nodiscard]] std::optional<PostId> tagged_by(const TableType& type, const void* key);

// See RowReader. Skips early entries without a post. `walks`, if given, has open cursors for tables
// of which a load reads many rows in key order.
void find_rows(const Txn& txn, const StoreState& state, Batch* walks, const TableType& type,
               std::span<const void* const> keys, std::span<void* const> found);
[[nodiscard]] std::size_t find_ranges(const Txn& txn, const StoreState& state,
                                      const TableType& type, std::span<const AnyEnds> wanted,
                                      Direction direction, std::uint32_t limit,
                                      std::uint64_t enough, std::span<void* const> found);

}  // namespace chirp::lmdb
