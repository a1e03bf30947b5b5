#include "cli/load/rehearsal/rows.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/load/edge_window.h"
#include "core/ports/reads.h"

namespace chirp::cli::rehearsal {

using namespace tables;

namespace {

// Rows of one query.
constexpr std::size_t kAskRows = 65'536;
constexpr std::uint32_t kWalkRows = 10'000;
// The edges of one transaction. What the rules gather about them, such as counters, takes ten times
// their memory.
constexpr std::size_t kMostEdges = std::size_t{1} << 18;

// Tables that loads write and never read.
bool is_unread(const TableType& type) {
  return type.index == kIndexOf<UserCounts> || type.index == kIndexOf<ContentCounts> ||
         type.index == kIndexOf<Marks>;
}

template <class T>
void answer_table(const RowReader& reader, const far::MissingRows& lacked, far::Known& known) {
  std::vector<typename T::Key> keys;
  const auto [begin, end] = rows_of_table(lacked.keys, table_type<T>());
  for (auto at = begin; at != end; ++at) keys.push_back(key_of<T>(at->second));
  if (!keys.empty()) {
    const auto rows = TableReader<T>(reader).find_all(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) known.rows.learn<T>(keys[i], rows[i]);
  }
  for (const auto& [stretch, range] : lacked.ranges) {
    if (range.first.type != &table_type<T>()) continue;
    std::vector<AnyRow> rows;
    for (const auto& [key, row] : TableReader<T>(reader).range(
             key_of<T>(range.first), key_of<T>(range.last), stretch.direction, range.limit)) {
      rows.push_back(any_row<T>(key, &row));
    }
    known.rows.learn(stretch, range.limit, rows);
  }
}
template <class... T>
void answer_tables(const RowReader& reader, const far::MissingRows& lacked, far::Known& known,
                   TableList<T...> /*tables*/) {
  (answer_table<T>(reader, lacked, known), ...);
}

}  // namespace

// Dry runs read no feeds and repeat no requests.
void RehearsedRows::fetch(const far::MissingRows& lacked, far::Known& known) const {
  answer_tables(snapshot_, lacked, known, AllTables{});
  for (const CommentId from : lacked.chains) known.chains.insert(from);
  for (const UserNumber viewer : lacked.timelines) known.timelines[viewer] = std::nullopt;
  for (const far::RequestKey& key : lacked.requests) known.requests[key] = std::nullopt;
  for (const auto& [which, limit] : lacked.stale_requests) known.stale_requests[which] = {limit, 0};
}

// ---------------------------------------------------------------- rows

void RehearsedRows::find_rows(const TableType& type, std::span<const void* const> keys,
                              std::span<void* const> found) const {
  if (!is_unread(type)) Overlay::find_rows(type, keys, found);
}

std::size_t RehearsedRows::find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                                       Direction direction, std::uint32_t limit,
                                       std::uint64_t enough, std::span<void* const> found) const {
  if (type.index == kIndexOf<Relations> && storage_.blocking_ && wanted.size() == 1) {
    const auto& first = *static_cast<const Relations::Key*>(wanted.front().first);
    const auto& last = *static_cast<const Relations::Key*>(wanted.front().last);
    const bool of_blocks = first.relation == Relation::kBlock && last.relation == Relation::kBlock;
    // Most users have blocked no one.
    if (of_blocks && first.user == last.user &&
        !std::ranges::binary_search(*storage_.blocking_, first.user)) {
      return 1;
    }
  }
  return Overlay::find_ranges(type, wanted, direction, limit, enough, found);
}

void RehearsedRows::put_row(const TableType& type, const void* key, const void* row) {
  if (Memory::keeps(type)) Overlay::put_row(type, key, row);
}

bool RehearsedRows::erase_row(const TableType& type, const void* key) {
  return Memory::keeps(type) && Overlay::erase_row(type, key);
}

void RehearsedRows::discard_row(const TableType& type, const void* key) {
  if (Memory::keeps(type)) Overlay::discard_row(type, key);
}

// ---------------------------------------------------------------- edges

std::optional<Presence> RehearsedRows::presence(UserNumber user) const {
  if (storage_.users_.is_new(user)) return Presence::kPresent;
  const auto& known = storage_.presence_;
  if (user.value < known.size() && known[user.value]) return known[user.value];
  return Overlay::presence(user);
}

void RehearsedRows::find_present(std::span<const LoadedEdge> edges) const {
  auto& known = storage_.presence_;
  std::vector<Cards::Key> keys;
  const auto ask = [&] {
    const auto cards = snapshot_.find_all(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (cards[i]) known[keys[i].user.value] = cards[i]->presence;
    }
    keys.clear();
  };
  const auto look = [&](UserNumber user) {
    if (storage_.users_.is_new(user)) return;
    if (known.size() <= user.value) known.resize(user.value + std::size_t{1});
    if (known[user.value]) return;
    known[user.value] = Presence::kRemoved;  // unless a later row says otherwise
    keys.push_back({user});
    if (keys.size() == kAskRows) ask();
  };
  for (const LoadedEdge& edge : edges) {
    look(edge.follower);
    look(edge.followee);
  }
  ask();
}

void RehearsedRows::find_there(std::span<const std::uint64_t> keys) const {
  there_ = storage_.rows_.edges().among(keys);
  if (storage_.below_ == nullptr) return;
  const std::size_t here = there_.size();
  std::vector<Following::Key> follows;
  const auto ask = [&] {
    const auto found = snapshot_.find_all(follows);
    for (std::size_t i = 0; i < follows.size(); ++i) {
      if (found[i]) there_.push_back(load::edge_key(follows[i].follower, follows[i].followee));
    }
    follows.clear();
  };
  for (const std::uint64_t key : keys) {
    const UserNumber follower{static_cast<std::uint32_t>(key >> 32)};
    const UserNumber followee{static_cast<std::uint32_t>(key)};
    if (storage_.users_.is_new(follower) || storage_.users_.is_new(followee)) continue;
    follows.push_back({follower, followee});
    if (follows.size() == kAskRows) ask();
  }
  ask();
  std::inplace_merge(there_.begin(), there_.begin() + static_cast<std::ptrdiff_t>(here),
                     there_.end());
}

void RehearsedRows::find_blocking() const {
  if (state().relations == 0 || storage_.blocking_) return;
  std::vector<UserNumber>& blocking = storage_.blocking_.emplace();
  constexpr Relations::Key kLast{{~std::uint32_t{0}}, Relation{0xFF}, {~std::uint32_t{0}}};
  Relations::Key after{};
  for (bool more = true; more;) {
    const auto rows = snapshot_.range(after, kLast, Direction::kUp, kWalkRows);
    for (const auto& [key, since] : rows) {
      const bool is_another = blocking.empty() || blocking.back() != key.user;
      if (key.relation == Relation::kBlock && is_another) blocking.push_back(key.user);
    }
    more = rows.size() == kWalkRows && rows.back().first != after;
    if (more) after = rows.back().first;
  }
}

std::size_t RehearsedRows::edges_that_fit(std::span<const LoadedEdge> all) const {
  const auto edges = all.first(std::min(all.size(), kMostEdges));
  find_present(edges);
  find_blocking();
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> scratch;
  keys.reserve(edges.size());
  for (const auto& [follower, followee] : edges) {
    keys.push_back(load::edge_key(follower, followee));
  }
  load::sort_edges(keys, scratch);
  find_there(keys);
  added_.clear();
  return edges.size();
}

std::span<const UserNumber> RehearsedRows::add_edges(EdgeSide side, UserNumber user,
                                                     std::span<const Edge> others) {
  fresh_.clear();
  auto there = side == EdgeSide::kFollowing
                   ? std::ranges::lower_bound(there_, load::edge_key(user, {}))
                   : there_.end();
  for (const Edge& edge : others) {
    const std::uint64_t key = load::edge_key(user, edge.other);
    while (there != there_.end() && *there < key) ++there;
    if (there != there_.end() && *there == key) continue;
    fresh_.push_back(edge.other);
    if (side == EdgeSide::kFollowing) added_.push_back(key);
  }
  return fresh_;
}

}  // namespace chirp::cli::rehearsal
