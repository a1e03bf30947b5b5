#include "store/lmdb/rows.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "store/lmdb/idempotency_keys.h"
#include "store/lmdb/joined.h"
#include "store/lmdb/page_budget.h"
#include "store/lmdb/table_rows.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

// Of 4 KiB: 32 MiB, which a disk of 300 MB/s takes in in about a hundred milliseconds.
constexpr std::size_t kPagesAtOnceMax = 8'192;

template <class T>
constexpr bool kIsMarks = std::is_same_v<T, tables::Marks>;
// Tables of which a load asks for many rows in the order of their keys.
template <class T>
constexpr bool kIsWalked =
    std::is_same_v<T, tables::Cards> || std::is_same_v<T, tables::UserCounts> ||
    std::is_same_v<T, tables::PostSources>;

class LmdbRows final : public EachTable<LmdbRows> {
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

  std::span<const UserNumber> add_edges(EdgeSide side, UserNumber user,
                                        std::span<const Edge> others) override;
  [[nodiscard]] std::size_t edges_that_fit(std::span<const LoadedEdge> edges) const override;

  [[nodiscard]] std::optional<EarlierRequest> earlier(const KeyedRequest& request) const override;
  void remember(const KeyedRequest& request, PostId post) override;
  std::uint32_t forget_requests(const StaleRequests& which, std::uint32_t limit) override;

  // ---- for EachTable
  template <class T>
  [[nodiscard]] auto find_row(const typename T::Key& key) const {
    if constexpr (kIsWalked<T>) {
      using Found = std::optional<typename T::Row>;
      const auto item = batch_.walk(Codec<T>::kTable).at(Codec<T>::key(key));
      return item ? Found(Codec<T>::row(item->key, item->value)) : Found();
    } else {
      return lmdb::find_row<T>(batch_.txn, key);
    }
  }
  template <class T>
  [[nodiscard]] auto find_rows(std::span<const typename T::Key> keys) const {
    return lmdb::find_rows<T>(batch_.txn, keys);
  }
  template <class T>
  [[nodiscard]] auto range_rows(const typename T::Key& first, const typename T::Key& last,
                                Direction direction, std::uint32_t limit) const {
    return lmdb::range_rows<T>(batch_.txn, first, last, direction, limit);
  }
  template <class T>
  void put_row(const typename T::Key& key, const typename T::Row& row);
  template <class T>
  bool erase_row(const typename T::Key& key);
  template <class T>
  void discard_row(const typename T::Key& key) {
    erase_row<T>(key);
  }

 private:
  EdgeMerger& merger(EdgeSide side);

  Batch& batch_;
  EdgeBudget* budget_;
  // Made when first needed: each walks its table from one user to the next.
  std::optional<Deliverer> deliverer_;
  std::optional<EdgeMerger> following_;
  std::optional<EdgeMerger> followers_;
};

// Authors with a push-from mark of their own are listed, since pages ask for them alone.
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

template <class T>
void LmdbRows::put_row(const typename T::Key& at, const typename T::Row& row) {
  if constexpr (kIsEdges<T>) {
    // What is there keeps its time, so the old one goes first.
    const Edge edge{Side<T>::other(at), row};
    if (add_edges(Side<T>::kSide, Side<T>::user(at), {&edge, 1}).empty()) {
      erase_row<T>(at);
      add_edges(Side<T>::kSide, Side<T>::user(at), {&edge, 1});
    }
  } else if constexpr (kIsTags<T>) {
    put_tags(batch_, row);
  } else {
    if constexpr (kIsMarks<T>) list_pulled(batch_, at.author, row.push_from);
    Codec<T>::put(batch_, Codec<T>::key(at), row);
  }
}

template <class T>
bool LmdbRows::erase_row(const typename T::Key& at) {
  if constexpr (kIsEdges<T>) {
    return erase_edge(batch_, Side<T>::kTable, Side<T>::user(at), Side<T>::other(at));
  } else if constexpr (kIsTags<T>) {
    return erase_tags(batch_, at.post);
  } else {
    if constexpr (kIsMarks<T>) list_pulled(batch_, at.author, feed::kAlwaysPushed);
    batch_.leave(Codec<T>::kTable);
    return batch_.txn.erase(Codec<T>::kTable, Codec<T>::key(at));
  }
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
