#include "store/lmdb/rows.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "store/lmdb/early_entries.h"
#include "store/lmdb/idempotency_keys.h"
#include "store/lmdb/joined.h"
#include "store/lmdb/page_budget.h"
#include "store/lmdb/table_rows.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

// Pages of 4 KiB: 32 MiB, which a disk with 300 MB/s writes in about a hundred milliseconds.
constexpr std::size_t kPagesAtOnceMax = 8'192;

class LmdbRows final : public Rows {
 public:
  LmdbRows(Batch& batch, EdgeBudget* budget) : batch_(batch), budget_(budget) {}

  [[nodiscard]] StoreState& state() override { return batch_.state; }
  [[nodiscard]] const StoreState& state() const override { return batch_.state; }
  [[nodiscard]] const Turn& turn() const override { return batch_.turn; }
  [[nodiscard]] std::optional<Presence> presence(UserNumber user) const override;

  [[nodiscard]] std::optional<chirp::TimelineHead> timeline(UserNumber viewer) const override;
  void put_timeline(UserNumber viewer, const Timeline& timeline) override;
  bool deliver(UserNumber viewer, std::span<const Entry> entries) override;
  void note_read(UserNumber viewer, Time day) override;
  bool erase_timeline(UserNumber viewer) override;

  [[nodiscard]] std::int64_t entries_without_post(UserNumber author) const override {
    return lmdb::entries_without_post(batch_.txn, batch_.state, author);
  }

  std::span<const UserNumber> add_edges(EdgeSide side, UserNumber user,
                                        std::span<const Edge> others) override;
  [[nodiscard]] std::size_t edges_that_fit(std::span<const LoadedEdge> edges) const override;

  [[nodiscard]] std::optional<EarlierRequest> earlier(const KeyedRequest& request) const override;
  void remember(const KeyedRequest& request, PostId post) override;
  std::uint32_t forget_requests(const StaleRequests& which, std::uint32_t limit) override;

  void find_rows(const TableType& type, std::span<const void* const> keys,
                 std::span<void* const> found) const override {
    lmdb::find_rows(batch_.txn, batch_.state, &batch_, type, keys, found);
  }
  std::size_t find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                          Direction direction, std::uint32_t limit, std::uint64_t enough,
                          std::span<void* const> found) const override {
    return lmdb::find_ranges(batch_.txn, batch_.state, type, wanted, direction, limit, enough,
                             found);
  }
  void put_row(const TableType& type, const void* key, const void* row) override;
  bool erase_row(const TableType& type, const void* key) override;
  void discard_row(const TableType& type, const void* key) override { erase_row(type, key); }

 private:
  EdgeMerger& merger(EdgeSide side);

  Batch& batch_;
  EdgeBudget* budget_;
  // Created on first use: each walks its table from one user to the next.
  std::optional<Deliverer> deliverer_;
  std::optional<EdgeMerger> following_;
  std::optional<EdgeMerger> followers_;
};

// Lists authors with a push-from mark, because pages ask only for them.
void list_pulled(Batch& batch, UserNumber author, PostId push_from) {
  const auto k = key(author);
  if (push_from == feed::kAlwaysPushed) {
    if (batch.txn.erase(Table::kPulled, k)) --batch.state.pulled;
    return;
  }
  if (!batch.txn.get(Table::kPulled, k)) ++batch.state.pulled;
  batch.txn.put(Table::kPulled, k, key(push_from));
}

// ---------------------------------------------------------------- tables

void LmdbRows::put_row(const TableType& type, const void* key, const void* row) {
  if (const auto at = edge_of(type, key)) {
    // add_edges() leaves an existing edge and its time unchanged, so the edge is removed and added
    // again.
    const Edge edge{at->other, *static_cast<const Time*>(row)};
    if (add_edges(at->side, at->user, {&edge, 1}).empty()) {
      erase_row(type, key);
      add_edges(at->side, at->user, {&edge, 1});
    }
    return;
  }
  if (tagged_by(type, key)) return put_tags(batch_, *static_cast<const TaggedPost*>(row));
  if (type.index == kIndexOf<tables::Marks>) {
    const auto& mark = *static_cast<const feed::AuthorMark*>(row);
    list_pulled(batch_, static_cast<const tables::Marks::Key*>(key)->author, mark.push_from);
  }
  const TableCodec& codec = codec_of(type);
  KeyRoom room;
  codec.put(batch_, codec.key(key, room), row);
}

bool LmdbRows::erase_row(const TableType& type, const void* key) {
  if (const auto at = edge_of(type, key)) {
    return erase_edge(batch_, at->table, at->user, at->other);
  }
  if (const auto post = tagged_by(type, key)) return erase_tags(batch_, *post);
  if (type.index == kIndexOf<tables::Marks>) {
    const auto author = static_cast<const tables::Marks::Key*>(key)->author;
    list_pulled(batch_, author, feed::kAlwaysPushed);
  }
  const TableCodec& codec = codec_of(type);
  KeyRoom room;
  batch_.leave(codec.table);
  return batch_.txn.erase(codec.table, codec.key(key, room));
}

// ---------------------------------------------------------------- the rest

std::optional<Presence> LmdbRows::presence(UserNumber user) const {
  const auto card = batch_.walk(Table::kCards).at(key(user));
  return card ? std::optional(presence_of(*card)) : std::nullopt;
}

std::optional<chirp::TimelineHead> LmdbRows::timeline(UserNumber viewer) const {
  const auto head = read_head(batch_.txn, viewer);
  if (!head) return std::nullopt;
  return chirp::TimelineHead{head->complete_from, head->generation,
                             time_of_day(head->last_read_day)};
}

void LmdbRows::put_timeline(UserNumber viewer, const Timeline& timeline) {
  lmdb::put_timeline(batch_, viewer, timeline);
}

bool LmdbRows::deliver(UserNumber viewer, std::span<const Entry> entries) {
  if (!deliverer_) deliverer_.emplace(batch_);
  return deliverer_->deliver(viewer, entries);
}

void LmdbRows::note_read(UserNumber viewer, Time day) { put_last_read(batch_, viewer, day); }

bool LmdbRows::erase_timeline(UserNumber viewer) { return lmdb::erase_timeline(batch_, viewer); }

EdgeMerger& LmdbRows::merger(EdgeSide side) {
  const bool following = side == EdgeSide::kFollowing;
  std::optional<EdgeMerger>& merger = following ? following_ : followers_;
  if (!merger) merger.emplace(batch_, following ? Table::kFollowing : Table::kFollowers);
  return *merger;
}

std::span<const UserNumber> LmdbRows::add_edges(EdgeSide side, UserNumber user,
                                                std::span<const Edge> others) {
  return merger(side).add(user, others);
}

std::size_t LmdbRows::edges_that_fit(std::span<const LoadedEdge> edges) const {
  const std::size_t at_most = budget_ == nullptr ? edges.size() : budget_->at_most;
  const auto some = edges.first(std::min(edges.size(), at_most));
  const std::size_t taken = edges_within(batch_.txn, some, kPagesAtOnceMax);
  if (budget_ != nullptr) budget_->taken = taken;
  return taken;
}

std::optional<EarlierRequest> LmdbRows::earlier(const KeyedRequest& request) const {
  return earlier_request(batch_.txn, request);
}

void LmdbRows::remember(const KeyedRequest& request, PostId post) {
  put_key(batch_, request, post);
}

std::uint32_t LmdbRows::forget_requests(const StaleRequests& which, std::uint32_t limit) {
  if (const auto* user = std::get_if<UserNumber>(&which)) {
    return erase_keys_of(batch_, *user, limit);
  }
  return erase_old_keys(batch_, std::get<Time>(which), limit);
}

}  // namespace

std::unique_ptr<Rows> rows_of(Batch& batch, EdgeBudget* budget) {
  return std::make_unique<LmdbRows>(batch, budget);
}

}  // namespace chirp::lmdb
