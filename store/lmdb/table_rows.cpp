#include "store/lmdb/table_rows.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "store/lmdb/early_entries.h"

namespace chirp::lmdb {
namespace {

template <class T>
struct LmdbSteps {
  static Bytes key(const void* key, KeyRoom& room) {
    const auto bytes = Codec<T>::key(*static_cast<const typename T::Key*>(key));
    const Bytes all = bytes;
    std::memcpy(room.data(), all.data(), std::min(all.size(), room.size()));
    return {room.data(), std::min(all.size(), room.size())};
  }
  static void assign(Bytes key, Bytes value, void* found) {
    static_cast<std::optional<typename T::Row>*>(found)->emplace(Codec<T>::row(key, value));
  }
  static void append(Bytes key, Bytes value, void* pairs) {
    static_cast<RowPairs<T>*>(pairs)->emplace_back(Codec<T>::key_of(key),
                                                   Codec<T>::row(key, value));
  }
  static void put(Batch& batch, Bytes key, const void* row) {
    Codec<T>::put(batch, key, *static_cast<const typename T::Row*>(row));
  }
};

template <class T>
constexpr TableCodec make_codec() {
  if constexpr (kIsEdges<T>) {
    return {.table = Side<T>::kTable};
  } else if constexpr (kIsTags<T>) {
    return {.table = Table::kTagUses};
  } else {
    return {Codec<T>::kTable, &LmdbSteps<T>::key, &LmdbSteps<T>::assign, &LmdbSteps<T>::append,
            &LmdbSteps<T>::put};
  }
}
template <class... T>
constexpr std::array<TableCodec, sizeof...(T)> codecs_of(TableList<T...> /*tables*/) {
  return {make_codec<T>()...};
}
constexpr auto kCodecs = codecs_of(AllTables{});

// Tables of which a load reads many rows in key order.
bool is_walked(const TableType& type) {
  return type.index == kIndexOf<tables::Cards> || type.index == kIndexOf<tables::UserCounts> ||
         type.index == kIndexOf<tables::PostSources>;
}

template <class T>
AnyEdge any_edge(const void* key) {
  const auto& of_table = *static_cast<const typename T::Key*>(key);
  return {Side<T>::kTable, Side<T>::kSide, Side<T>::user(of_table), Side<T>::other(of_table)};
}

void append_edge(const TableType& type, UserNumber user, const Edge& edge, void* pairs) {
  if (type.index == kIndexOf<tables::Following>) {
    const tables::Following::Key key{user, edge.other};
    type.append(pairs, &key, &edge.since);
  } else {
    const tables::Followers::Key key{user, edge.other};
    type.append(pairs, &key, &edge.since);
  }
}

// Appends the rows of one user's side of the edges. Returns their number.
std::size_t append_edges(const Txn& txn, const TableType& type, const AnyEdge& first,
                         UserNumber last, Direction direction, std::uint32_t limit, void* pairs) {
  const UserNumber after{first.other.value == 0 ? 0 : first.other.value - 1};
  const bool up = direction == Direction::kUp;
  const std::uint32_t at_most = up ? limit : ~std::uint32_t{0};
  auto edges = read_edges(txn, first.table, first.user, after, at_most).edges;
  std::erase_if(edges, [&](const Edge& edge) { return edge.other > last; });
  if (!up) std::ranges::reverse(edges);
  if (edges.size() > limit) edges.resize(limit);
  for (const Edge& edge : edges) append_edge(type, first.user, edge, pairs);
  return edges.size();
}

std::size_t append_tags(const Txn& txn, const TableType& type, PostId first, PostId last,
                        Direction direction, std::uint32_t limit, void* pairs) {
  const auto posts = read_tagged_posts(txn, first, last, direction, limit);
  for (const TaggedPost& post : posts) {
    const tables::TagUses::Key key{post.post};
    type.append(pairs, &key, &post);
  }
  return posts.size();
}

std::size_t append_rows(const Txn& txn, const StoreState& state, const TableCodec& codec,
                        const AnyEnds& ends, Direction direction, std::uint32_t limit,
                        void* pairs) {
  KeyRoom low_room;
  KeyRoom high_room;
  const Bytes low = codec.key(ends.first, low_room);
  const Bytes high = codec.key(ends.last, high_room);
  const bool up = direction == Direction::kUp;
  std::size_t rows = 0;
  Cursor cursor(txn, codec.table);
  auto item = up ? cursor.at_or_after(low) : cursor.at_or_before(high);
  while (item && (up ? item->key <= high : item->key >= low)) {
    if (!is_without_post(txn, state, codec.table, item->key)) {
      codec.append(item->key, item->value, pairs);
      if (++rows == limit) break;
    }
    item = up ? cursor.next() : cursor.previous();
  }
  return rows;
}

void find_one(const Txn& txn, const StoreState& state, Batch* walks, const TableType& type,
              const void* key, void* found) {
  if (const auto edge = edge_of(type, key)) {
    if (const auto since = read_edge(txn, edge->table, edge->user, edge->other)) {
      type.assign(found, &*since);
    }
    return;
  }
  if (const auto post = tagged_by(type, key)) {
    const auto tagged = read_tagged_posts(txn, *post, *post, Direction::kUp, 1);
    if (!tagged.empty()) type.assign(found, &tagged.front());
    return;
  }
  const TableCodec& codec = codec_of(type);
  KeyRoom room;
  const Bytes bytes = codec.key(key, room);
  if (walks != nullptr && is_walked(type)) {
    const auto item = walks->walk(codec.table).at(bytes);
    if (item) codec.assign(item->key, item->value, found);
  } else if (const auto value = txn.get(codec.table, bytes);
             value && !is_without_post(txn, state, codec.table, bytes)) {
    codec.assign(bytes, *value, found);
  }
}

}  // namespace

const TableCodec& codec_of(const TableType& type) { return kCodecs[type.index]; }

std::optional<AnyEdge> edge_of(const TableType& type, const void* key) {
  if (type.index == kIndexOf<tables::Following>) return any_edge<tables::Following>(key);
  if (type.index == kIndexOf<tables::Followers>) return any_edge<tables::Followers>(key);
  return std::nullopt;
}

std::optional<PostId> tagged_by(const TableType& type, const void* key) {
  if (type.index != kIndexOf<tables::TagUses>) return std::nullopt;
  return static_cast<const tables::TagUses::Key*>(key)->post;
}

// From its position, a cursor finds the next key faster than from the root.
void find_rows(const Txn& txn, const StoreState& state, Batch* walks, const TableType& type,
               std::span<const void* const> keys, std::span<void* const> found) {
  const TableCodec& codec = codec_of(type);
  if (keys.size() < 2 || codec.key == nullptr) {
    for (std::size_t i = 0; i < keys.size(); ++i)
      find_one(txn, state, walks, type, keys[i], found[i]);
    return;
  }
  Cursor cursor(txn, codec.table);
  KeyRoom room;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto item = cursor.at(codec.key(keys[i], room));
    if (!item || is_without_post(txn, state, codec.table, item->key)) continue;
    codec.assign(item->key, item->value, found[i]);
  }
}

std::size_t find_ranges(const Txn& txn, const StoreState& state, const TableType& type,
                        std::span<const AnyEnds> wanted, Direction direction, std::uint32_t limit,
                        std::uint64_t enough, std::span<void* const> found) {
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < wanted.size() && limit != 0; ++i) {
    const auto& [first, last] = wanted[i];
    if (const auto edge = edge_of(type, first)) {
      rows +=
          append_edges(txn, type, *edge, edge_of(type, last)->other, direction, limit, found[i]);
    } else if (const auto post = tagged_by(type, first)) {
      rows += append_tags(txn, type, *post, *tagged_by(type, last), direction, limit, found[i]);
    } else {
      rows += append_rows(txn, state, codec_of(type), wanted[i], direction, limit, found[i]);
    }
    if (rows >= enough) return i + 1;
  }
  return wanted.size();
}

}  // namespace chirp::lmdb
