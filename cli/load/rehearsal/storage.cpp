#include "cli/load/rehearsal/storage.h"

#include "cli/load/rehearsal/rows.h"
#include "core/ports/reads.h"

namespace chirp::cli::rehearsal {

using namespace tables;

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
