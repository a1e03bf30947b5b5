// What has been fetched from a store that is far away, in one state of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/far/lacked.h"

namespace chirp::far {

// Of one table: rows, keys that have none, and from where to where all rows are known.
template <class T>
class KnownOf {
 public:
  using Table = T;
  using Key = typename T::Key;
  using Row = typename T::Row;
  using Rows = std::map<Key, std::optional<Row>>;

  // What is known of a key: nothing (null), that there is no row, or its row.
  [[nodiscard]] const std::optional<Row>* find(const Key& key) const {
    static const std::optional<Row> kNone;
    const auto found = rows_.find(key);
    if (found != rows_.end()) return &found->second;
    return covering(key) == covered_.end() ? nullptr : &kNone;
  }
  // How far, from the end where it begins, all rows of the range are known.
  [[nodiscard]] std::optional<Key> reach(const Stretch<T>& range) const {
    const bool up = range.direction == Direction::kUp;
    const auto at = covering(up ? range.first : range.last);
    if (at == covered_.end()) return std::nullopt;
    return up ? std::min(at->second, range.last) : std::max(at->first, range.first);
  }
  [[nodiscard]] const Rows& rows() const { return rows_; }

  void learn(const Key& key, std::optional<Row> row) {
    rows_.insert_or_assign(key, std::move(row));
  }
  // The rows that a store gave for a range with this limit.
  void learn(const Stretch<T>& range, std::uint32_t limit,
             const std::vector<std::pair<Key, Row>>& rows) {
    if (limit == 0 || range.last < range.first) return;
    for (const auto& [key, row] : rows) learn(key, row);
    const bool all = rows.size() < limit;
    const bool up = range.direction == Direction::kUp;
    cover(up || all ? range.first : rows.back().first, !up || all ? range.last : rows.back().first);
  }

 private:
  using Covered = std::map<Key, Key>;

  [[nodiscard]] typename Covered::const_iterator covering(const Key& key) const {
    const auto after = covered_.upper_bound(key);
    if (after == covered_.begin()) return covered_.end();
    const auto at = std::prev(after);
    return key <= at->second ? at : covered_.end();
  }

  void cover(Key first, Key last) {
    auto at = covered_.upper_bound(first);
    if (at != covered_.begin() && first <= std::prev(at)->second) --at;
    while (at != covered_.end() && at->first <= last) {
      first = std::min(first, at->first);
      last = std::max(last, at->second);
      at = covered_.erase(at);
    }
    covered_.emplace(first, last);
  }

  Rows rows_;
  Covered covered_;  // from where to where, both included; none touches another
};

struct Known {
  PerTable<KnownOf> tables;
  std::set<CommentId> chains;
  std::map<UserNumber, std::optional<TimelineHead>> timelines;
  std::map<RequestKey, std::optional<EarlierRequest>> requests;
  // Up to the limit they were asked with.
  struct Counted {
    std::uint32_t limit = 0;
    std::uint32_t count = 0;
  };
  std::map<StaleRequests, Counted> stale_requests;
};

template <class T>
[[nodiscard]] KnownOf<T>& of(Known& known) {
  return std::get<KnownOf<T>>(known.tables);
}
template <class T>
[[nodiscard]] const KnownOf<T>& of(const Known& known) {
  return std::get<KnownOf<T>>(known.tables);
}

}  // namespace chirp::far
