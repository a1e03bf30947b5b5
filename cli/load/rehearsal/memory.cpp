#include "cli/load/rehearsal/memory.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/load/edge_window.h"
#include "core/social/card.h"

namespace chirp::cli::rehearsal {

using namespace tables;

namespace {

template <class... T>
constexpr std::array<bool, kTableTypes> set_of() {
  std::array<bool, kTableTypes> set{};
  ((set[kIndexOf<T>] = true), ...);
  return set;
}
constexpr auto kKept = set_of<Cards, UserSources, UserWords, Posts, PostSources, PostWords,
                              RepostsOf, Following, Relations, Reactions, Comments>();

template <class T>
bool is(const TableType& type) {
  return type.index == kIndexOf<T>;
}
template <class T>
const typename T::Key& key_at(const void* key) {
  return *static_cast<const typename T::Key*>(key);
}
template <class T>
const typename T::Row& row_at(const void* row) {
  return *static_cast<const typename T::Row*>(row);
}

// Calls `with` with the table if its rows are packed. Returns whether they are.
template <class With>
bool if_packed(const TableType& type, With with) {
  switch (type.index) {
    case kIndexOf<Posts>:
      with.template operator()<Posts>();
      return true;
    case kIndexOf<PostSources>:
      with.template operator()<PostSources>();
      return true;
    case kIndexOf<RepostsOf>:
      with.template operator()<RepostsOf>();
      return true;
    case kIndexOf<Comments>:
      with.template operator()<Comments>();
      return true;
    case kIndexOf<Reactions>:
      with.template operator()<Reactions>();
      return true;
    default:
      return false;
  }
}

}  // namespace

bool Memory::keeps(const TableType& type) { return kKept[type.index]; }

PostSources::Key Memory::key_of_word(const void* key) const {
  return {words_.id_of(std::string_view(key_at<PostWords>(key).word))};
}

template <class T>
Memory::Known Memory::find_packed(const typename T::Key& key, void* found) const {
  const auto* const packed = std::get<SortedTable<T>>(packed_).find(key);
  if (packed == nullptr) return Known::kNothing;
  auto& row = *static_cast<std::optional<typename T::Row>*>(found);
  row = packed->row();
  if constexpr (std::is_same_v<T, Posts>) {
    if (packed->source) {
      row->source =
          packed->source_is_word ? words_.key_of(*packed->source) : SourceKey(*packed->source);
    }
  }
  return Known::kRow;
}

Memory::Known Memory::find_user(const TableType& type, const void* key, void* found) const {
  if (is<Cards>(type)) {
    const UserNumber user = key_at<Cards>(key).user;
    if (!users_.is_new(user)) return Known::kNothing;
    const auto made = users_.find(user);
    if (!made) return Known::kGone;
    *static_cast<std::optional<AuthorCard>*>(found) = social::card_of(*made);
    return Known::kRow;
  }
  const auto number =
      users_.number_of(is<UserWords>(type) ? SourceKey(key_at<UserWords>(key).word)
                                           : SourceKey(key_at<UserSources>(key).source));
  if (!number) return Known::kNothing;
  *static_cast<std::optional<UserNumber>*>(found) = *number;
  return Known::kRow;
}

Memory::Known Memory::find(const TableType& type, const void* key, void* found) const {
  if (!keeps(type)) return Known::kNothing;
  Known known = Known::kNothing;
  if (!others_.empty()) {
    if (const auto other = others_.find(type.bytes(key)); other != others_.end()) {
      type.assign(found, other->second.row);
      return other->second.row != nullptr ? Known::kRow : Known::kGone;
    }
  }
  if (is<Cards>(type) || is<UserSources>(type) || is<UserWords>(type)) {
    return find_user(type, key, found);
  }
  if (is<PostWords>(type)) return find_packed<PostSources>(key_of_word(key), found);
  if (is<Following>(type)) {
    const auto& [follower, followee] = key_at<Following>(key);
    const std::uint64_t edge = load::edge_key(follower, followee);
    if (edges_.among({&edge, 1}).empty()) return Known::kNothing;
    *static_cast<std::optional<Time>*>(found) = Time{};
    return Known::kRow;
  }
  if_packed(type, [&]<class T>() { known = find_packed<T>(key_at<T>(key), found); });
  return known;
}

template <class T>
void Memory::merge(const AnyEnds& ends, Direction direction, std::uint32_t limit,
                   const RowReader* below, void* pairs) const {
  using Key = typename T::Key;
  const Key& first = key_at<T>(ends.first);
  const Key& last = key_at<T>(ends.last);
  std::vector<std::pair<Key, std::optional<typename T::Row>>> ours;
  if constexpr (!std::is_same_v<T, Relations>) {
    for (auto& [key, row] :
         std::get<SortedTable<T>>(packed_).range(first, last, direction, limit)) {
      ours.emplace_back(key, std::move(row));
    }
  }
  std::uint32_t wanted = limit;
  const auto end = others_.upper_bound(bytes_of<T>(last));
  for (auto at = others_.lower_bound(bytes_of<T>(first)); at != end; ++at) {
    ours.emplace_back(key_of<T>(at->second), found_in<T>(at->second));
    const bool erased = at->second.row == nullptr;
    if (erased && wanted < std::numeric_limits<std::uint32_t>::max()) ++wanted;
  }
  const bool up = direction == Direction::kUp;
  const auto before = [up](const Key& a, const Key& b) { return up ? a < b : b < a; };
  std::ranges::sort(ours, before, [](const auto& row) { return row.first; });
  RowPairs<T> theirs;
  if (below != nullptr) theirs = TableReader<T>(*below).range(first, last, direction, wanted);
  auto& found = *static_cast<RowPairs<T>*>(pairs);
  auto our = ours.begin();
  auto their = theirs.begin();
  while (found.size() < limit && (our != ours.end() || their != theirs.end())) {
    const bool from_ours =
        our != ours.end() && (their == theirs.end() || !before(their->first, our->first));
    if (!from_ours) {
      found.push_back(std::move(*their++));
      continue;
    }
    if (their != theirs.end() && their->first == our->first) ++their;
    if (our->second) found.emplace_back(our->first, *std::move(our->second));
    ++our;
  }
}

void Memory::range(const TableType& type, const AnyEnds& ends, Direction direction,
                   std::uint32_t limit, const RowReader* below, void* pairs) const {
  if (is<Relations>(type)) return merge<Relations>(ends, direction, limit, below, pairs);
  const bool packed =
      if_packed(type, [&]<class T>() { merge<T>(ends, direction, limit, below, pairs); });
  if (packed || below == nullptr) return;
  void* const found[] = {pairs};
  (void)below->find_ranges(type, {&ends, 1}, direction, limit, 1, found);
}

void Memory::put(const TableType& type, const void* key, const void* row) {
  if (!keeps(type)) return;
  // The cards of new users are made from the users themselves.
  if (is<Cards>(type) && users_.is_new(key_at<Cards>(key).user)) return;
  const bool of_new = (is<UserSources>(type) || is<UserWords>(type)) && row != nullptr &&
                      users_.is_new(row_at<UserSources>(row));
  if (of_new) return;
  const bool one_by_one = row == nullptr || is<Cards>(type) || is<UserSources>(type) ||
                          is<UserWords>(type) || is<Relations>(type);
  if (one_by_one) {
    others_.insert_or_assign(type.bytes(key), type.keep(key, row));
    return;
  }
  if (!others_.empty()) others_.erase(type.bytes(key));
  if (is<PostWords>(type)) {
    std::get<SortedTable<PostSources>>(packed_).put({key_of_word(key), row_at<PostWords>(row)});
  } else if (is<Following>(type)) {
    const auto& [follower, followee] = key_at<Following>(key);
    const std::uint64_t edge = load::edge_key(follower, followee);
    if (edges_.among({&edge, 1}).empty()) edges_.add({&edge, 1});
  } else {
    if_packed(type, [&]<class T>() {
      Packed<T> packed{key_at<T>(key), row_at<T>(row)};
      if constexpr (std::is_same_v<T, Posts>) {
        const auto& source = row_at<T>(row).source;
        packed.source_is_word = source && source->is_word();
        if (source) packed.source = words_.id_of(*source);
      }
      std::get<SortedTable<T>>(packed_).put(packed);
    });
  }
}

std::size_t Memory::bytes() const {
  constexpr std::size_t kOtherBytes = 300;
  const std::size_t packed =
      std::apply([](const auto&... table) { return (table.bytes() + ...); }, packed_);
  return packed + edges_.bytes() + others_.size() * kOtherBytes;
}

}  // namespace chirp::cli::rehearsal
