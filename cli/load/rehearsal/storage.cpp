#include "cli/load/rehearsal/storage.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "core/far/overlay.h"
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
}  // namespace

// The rows of one transaction of a dry run.
class RehearsedRows final : public far::Overlay {
 public:
  // The caller holds the storage's turn.
  RehearsedRows(RehearsedStorage& storage, const Snapshot& snapshot, const Turn& turn)
      : Overlay(storage.state_, turn), storage_(storage), snapshot_(snapshot) {}

  // Fetches the rows that a run lacked.
  void fetch(const far::MissingRows& lacked, far::Known& known) const;
  // New follows, sorted.
  [[nodiscard]] const std::vector<std::uint64_t>& added() const { return added_; }

  [[nodiscard]] std::optional<Presence> presence(UserNumber user) const override;
  // Fetches all rows that the rules will read for these edges.
  [[nodiscard]] std::size_t edges_that_fit(std::span<const LoadedEdge> edges) const override;
  std::span<const UserNumber> add_edges(EdgeSide side, UserNumber user,
                                        std::span<const Edge> others) override;

  void find_rows(const TableType& type, std::span<const void* const> keys,
                 std::span<void* const> found) const override {
    if (!is_unread(type)) Overlay::find_rows(type, keys, found);
  }
  std::size_t find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                          Direction direction, std::uint32_t limit, std::uint64_t enough,
                          std::span<void* const> found) const override;
  void put_row(const TableType& type, const void* key, const void* row) override {
    if (Memory::keeps(type)) Overlay::put_row(type, key, row);
  }
  bool erase_row(const TableType& type, const void* key) override {
    return Memory::keeps(type) && Overlay::erase_row(type, key);
  }
  void discard_row(const TableType& type, const void* key) override {
    if (Memory::keeps(type)) Overlay::discard_row(type, key);
  }

 private:
  void find_present(std::span<const LoadedEdge> edges) const;
  void find_there(std::span<const std::uint64_t> keys) const;
  void find_blocking() const;

  RehearsedStorage& storage_;
  const Snapshot& snapshot_;
  mutable std::vector<std::uint64_t> there_;  // among the given edges, sorted
  mutable std::vector<std::uint64_t> added_;
  std::vector<UserNumber> fresh_;
};

// Dry runs read no feeds and repeat no requests.
void RehearsedRows::fetch(const far::MissingRows& lacked, far::Known& known) const {
  [&]<class... T>(TableList<T...> /*tables*/) {
    (answer_table<T>(snapshot_, lacked, known), ...);
  }(AllTables{});
  for (const CommentId from : lacked.chains) known.chains.insert(from);
  for (const UserNumber viewer : lacked.timelines) known.timelines[viewer] = std::nullopt;
  for (const far::RequestKey& key : lacked.requests) known.requests[key] = std::nullopt;
  for (const auto& [which, limit] : lacked.stale_requests) known.stale_requests[which] = {limit, 0};
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

namespace {

// The rows that loads read: those in memory, and the existing ones.
class RehearsedSnapshot final : public Snapshot {
 public:
  // `rows` change under `mutex` while the snapshot lives.
  RehearsedSnapshot(const StoreState& state, std::unique_ptr<Snapshot> below, const Memory& rows,
                    std::mutex& mutex)
      : state_(state), below_(std::move(below)), rows_(rows), mutex_(mutex) {}

  [[nodiscard]] StoreState state() const override { return state_; }
  // Posts of the dry run have digests in place of texts.
  [[nodiscard]] std::vector<std::optional<Post>> posts_at(
      std::span<const PostId> ids) const override;
  [[nodiscard]] std::vector<ViewerRelation> bonds(
      UserNumber viewer, std::span<const UserNumber> others) const override;
  void find_rows(const TableType& type, std::span<const void* const> keys,
                 std::span<void* const> found) const override;
  std::size_t find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                          Direction direction, std::uint32_t limit, std::uint64_t enough,
                          std::span<void* const> found) const override;

  // ---- without the rows of the dry run: loads query these only about older posts, or not at all
  [[nodiscard]] std::vector<Entry> author_entries(const LogsOf& logs, IdRange range,
                                                  Direction direction,
                                                  std::uint32_t limit) const override {
    return below_ ? below_->author_entries(logs, range, direction, limit) : std::vector<Entry>();
  }
  [[nodiscard]] std::vector<UserCounters> counters(
      std::span<const UserNumber> numbers) const override {
    return std::vector<UserCounters>(numbers.size());
  }
  [[nodiscard]] std::vector<ContentCounters> content_counters(
      std::span<const ContentId> contents) const override {
    return std::vector<ContentCounters>(contents.size());
  }
  [[nodiscard]] FeedSources feed_sources(UserNumber /*viewer*/) const override { return {}; }
  [[nodiscard]] std::vector<Entry> timeline_entries(UserNumber /*viewer*/, IdRange /*range*/,
                                                    Direction /*direction*/,
                                                    std::uint32_t /*limit*/) const override {
    return {};
  }
  [[nodiscard]] std::optional<Timeline> timeline(UserNumber /*viewer*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::vector<UserNumber> scan_timelines(UserNumber /*after*/,
                                                       std::uint32_t /*limit*/) const override {
    return {};
  }
  [[nodiscard]] std::optional<Time> oldest_key() const override { return std::nullopt; }
  [[nodiscard]] std::vector<std::string_view> traces_of(UserNumber /*user*/) const override {
    return {};
  }
  [[nodiscard]] std::map<std::string, std::uint64_t> table_rows() const override { return {}; }
  [[nodiscard]] std::vector<std::string> problems() const override { return {}; }

 private:
  StoreState state_;
  std::unique_ptr<Snapshot> below_;  // may be null
  const Memory& rows_;
  std::mutex& mutex_;
};

void RehearsedSnapshot::find_rows(const TableType& type, std::span<const void* const> keys,
                                  std::span<void* const> found) const {
  std::vector<const void*> others;
  std::vector<void*> others_found;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (rows_.find(type, keys[i], found[i]) != Memory::Known::kNothing) continue;
      others.push_back(keys[i]);
      others_found.push_back(found[i]);
    }
  }
  if (below_ && !others.empty()) below_->find_rows(type, others, others_found);
}

std::size_t RehearsedSnapshot::find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                                           Direction direction, std::uint32_t limit,
                                           std::uint64_t /*enough*/,
                                           std::span<void* const> found) const {
  if (limit == 0) return wanted.size();
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    rows_.range(type, wanted[i], direction, limit, below_.get(), found[i]);
  }
  return wanted.size();
}

std::vector<std::optional<Post>> RehearsedSnapshot::posts_at(std::span<const PostId> ids) const {
  std::vector<Posts::Key> keys;
  for (const PostId id : ids) keys.push_back({id});
  auto posts = find_all(keys);
  std::vector<UserNumber> authors;
  for (const auto& post : posts) authors.push_back(post ? post->author : kNobody);
  const auto cards = reads::cards(*this, authors);
  for (std::size_t i = 0; i < posts.size(); ++i) {
    const bool kept = cards[i] && cards[i]->presence != Presence::kRemoved;
    if (!kept) posts[i].reset();
  }
  return posts;
}

std::vector<ViewerRelation> RehearsedSnapshot::bonds(UserNumber viewer,
                                                     std::span<const UserNumber> others) const {
  std::vector<Relations::Key> keys;
  for (const UserNumber other : others) {
    keys.push_back({viewer, Relation::kBlock, other});
    keys.push_back({other, Relation::kBlock, viewer});
    keys.push_back({viewer, Relation::kMute, other});
    keys.push_back({viewer, Relation::kRepostsOff, other});
  }
  const auto set = find_all(keys);
  std::vector<ViewerRelation> bonds;
  for (std::size_t i = 0; i < set.size(); i += 4) {
    bonds.push_back({.blocks = set[i].has_value(),
                     .blocked_by = set[i + 1].has_value(),
                     .mutes = set[i + 2].has_value(),
                     .reposts_off = set[i + 3].has_value()});
  }
  return bonds;
}

}  // namespace

RehearsedStorage::RehearsedStorage(const Storage* below, const Newcomers& users, load::Words& words,
                                   std::size_t most_bytes)
    : below_(below), users_(users), most_bytes_(most_bytes), rows_(users, words) {
  if (below_ != nullptr) state_ = below_->snapshot()->state();
}

StoreState RehearsedStorage::state() const {
  const std::lock_guard lock(memory_);
  return state_;
}

std::unique_ptr<Snapshot> RehearsedStorage::snapshot() const {
  return std::make_unique<RehearsedSnapshot>(
      state(), below_ == nullptr ? nullptr : below_->snapshot(), rows_, memory_);
}

bool RehearsedStorage::decide(Time now, Purpose /*purpose*/, const Decision& decision) {
  const std::lock_guard turn(turn_);
  const auto snapshot = this->snapshot();
  RehearsedRows rows(*this, *snapshot, {now, snowflake::kMachineDefault});
  const bool changed = far::settle(
      rows, decision,
      [&](const far::MissingRows& lacked, far::Known& known) { rows.fetch(lacked, known); });
  if (changed) keep(rows);
  return changed;
}

void RehearsedStorage::keep(const RehearsedRows& rows) {
  const std::lock_guard lock(memory_);
  state_ = rows.written().state;
  full_ = full_ || rows_.bytes() > most_bytes_;
  if (full_) return;
  for (const auto& [bytes, row] : rows.written().rows) {
    rows_.put(*row.type, row.key, row.row);
    if (row.type == &table_type<tables::Relations>()) blocking_.reset();
  }
  rows_.edges().add(rows.added());
}

}  // namespace chirp::cli::rehearsal
