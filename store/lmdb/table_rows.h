// Rows of the tables of core/ports/tables.h, read: the same for a snapshot and for the rows of a
// write transaction. Follow edges lie in chunks, hashtags a row each; all others are a row a key.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/ports/rows.h"
#include "store/lmdb/codecs.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/tags.h"

namespace chirp::lmdb {

// The sides of follow edges, which lie in chunks.
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

// One for each key; a cursor finds its way from one to the next sooner than from the root.
template <class T>
[[nodiscard]] std::vector<std::optional<typename T::Row>> find_rows(
    const Txn& txn, std::span<const typename T::Key> keys) {
  std::vector<std::optional<typename T::Row>> rows;
  rows.reserve(keys.size());
  if constexpr (kIsEdges<T> || kIsTags<T>) {
    for (const auto& wanted : keys) rows.push_back(find_row<T>(txn, wanted));
  } else if (keys.size() == 1) {
    rows.push_back(find_row<T>(txn, keys.front()));
  } else if (!keys.empty()) {
    Cursor cursor(txn, Codec<T>::kTable);
    for (const auto& wanted : keys) {
      rows.emplace_back();
      if (const auto item = cursor.at(Codec<T>::key(wanted))) {
        rows.back() = Codec<T>::row(item->key, item->value);
      }
    }
  }
  return rows;
}

// Of one user's side of the edges.
template <class T>
RowPairs<T> edges_between(const Txn& txn, const typename T::Key& first, const typename T::Key& last,
                          Direction direction, std::uint32_t limit) {
  const UserNumber user = Side<T>::user(first);
  const UserNumber from = Side<T>::other(first);
  const UserNumber after{from.value == 0 ? 0 : from.value - 1};
  const bool up = direction == Direction::kUp;
  RowPairs<T> rows;
  const std::uint32_t at_most = up ? limit : ~std::uint32_t{0};
  for (const Edge& edge : read_edges(txn, Side<T>::kTable, user, after, at_most).edges) {
    if (edge.other > Side<T>::other(last)) break;
    rows.push_back({{user, edge.other}, edge.since});
  }
  if (!up) std::reverse(rows.begin(), rows.end());
  if (rows.size() > limit) rows.resize(limit);
  return rows;
}

template <class T>
[[nodiscard]] RowPairs<T> range_rows(const Txn& txn, const typename T::Key& first,
                                     const typename T::Key& last, Direction direction,
                                     std::uint32_t limit) {
  RowPairs<T> rows;
  if (limit == 0) return rows;
  if constexpr (kIsEdges<T>) {
    return edges_between<T>(txn, first, last, direction, limit);
  } else if constexpr (kIsTags<T>) {
    for (TaggedPost& post : read_tagged_posts(txn, first.post, last.post, direction, limit)) {
      const tables::TagUses::Key key{post.post};
      rows.emplace_back(key, std::move(post));
    }
  } else {
    const auto low = Codec<T>::key(first);
    const auto high = Codec<T>::key(last);
    const bool up = direction == Direction::kUp;
    Cursor cursor(txn, Codec<T>::kTable);
    auto item = up ? cursor.at_or_after(low) : cursor.at_or_before(high);
    while (item && (up ? item->key <= Bytes(high) : item->key >= Bytes(low))) {
      rows.emplace_back(Codec<T>::key_of(item->key), Codec<T>::row(item->key, item->value));
      if (rows.size() == limit) break;
      item = up ? cursor.next() : cursor.previous();
    }
  }
  return rows;
}

// The row, or an empty one.
template <class T>
[[nodiscard]] typename T::Row row_or_zeros(const Txn& txn, const typename T::Key& key) {
  return find_row<T>(txn, key).value_or(typename T::Row{});
}

}  // namespace chirp::lmdb
