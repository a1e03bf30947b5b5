#include "store/lmdb/page_budget.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace chirp::lmdb {
namespace {

// Counts the pages of a table with some users' rows.
class TablePages {
 public:
  TablePages(const Txn& txn, Table table, UserNumber highest, std::uint64_t more = 0)
      : users_(std::uint64_t{highest.value} + 1), seen_(txn.stat(table).ms_leaf_pages + more) {}

  // Returns 1 if the user's row is on a page not counted before.
  std::size_t touch(UserNumber user) {
    if (seen_.empty()) return 0;
    const std::uint64_t at = std::min<std::uint64_t>(user.value, users_ - 1);
    const std::size_t page = static_cast<std::size_t>(at * seen_.size() / users_);
    if (seen_[page]) return 0;
    seen_[page] = true;
    return 1;
  }

 private:
  std::uint64_t users_;
  std::vector<bool> seen_;
};

UserNumber highest_user(const Txn& txn) {
  Cursor cards(txn, Table::kCards);
  const auto last = cards.last();
  return last ? user_at(last->key) : kNobody;
}

}  // namespace

std::size_t edges_within(const Txn& txn, std::span<const LoadedEdge> edges, std::size_t pages) {
  const UserNumber highest = highest_user(txn);
  TablePages following(txn, Table::kFollowing, highest);
  TablePages followers(txn, Table::kFollowers, highest);
  TablePages counters(txn, Table::kCounters, highest);
  std::size_t touched = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    touched += following.touch(edges[i].follower) + followers.touch(edges[i].followee) +
               counters.touch(edges[i].follower) + counters.touch(edges[i].followee);
    if (touched > pages) return std::max<std::size_t>(i, 1);
  }
  return edges.size();
}

std::uint64_t pages_written(const Txn& txn, std::span<const LoadedEdge> edges, std::size_t at_once,
                            std::uint64_t growth) {
  const UserNumber highest = highest_user(txn);
  std::uint64_t written = 0;
  while (!edges.empty()) {
    TablePages following(txn, Table::kFollowing, highest, growth);
    TablePages followers(txn, Table::kFollowers, highest, growth);
    TablePages counters(txn, Table::kCounters, highest);
    const auto some = edges.first(std::min(edges.size(), at_once));
    edges = edges.subspan(some.size());
    for (const LoadedEdge& edge : some) {
      written += following.touch(edge.follower) + followers.touch(edge.followee) +
                 counters.touch(edge.follower) + counters.touch(edge.followee);
    }
  }
  return written;
}

}  // namespace chirp::lmdb
