// Goal: a transaction of a load copies few pages, however many edges wait and however they lie.
// Method: a store of many users who follow somebody each; edges in order and scattered.
#include "store/lmdb/page_budget.h"

#include <vector>

#include <doctest/doctest.h>

#include "store/lmdb/env.h"
#include "tests/support/ring_store.h"

namespace chirp::page_budget_test {
namespace {

constexpr std::uint32_t kUsers = 60'000;

class Store {
 public:
  [[nodiscard]] std::size_t within(std::span<const LoadedEdge> edges, std::size_t pages) const {
    const lmdb::Env::Reader reader(ring_.env());
    return lmdb::edges_within(reader.txn(), edges, pages);
  }
  [[nodiscard]] std::size_t leaf_pages() const {
    const lmdb::Env::Reader reader(ring_.env());
    std::size_t pages = 0;
    for (const auto table :
         {lmdb::Table::kFollowing, lmdb::Table::kFollowers, lmdb::Table::kCounters}) {
      pages += reader.txn().stat(table).ms_leaf_pages;
    }
    return pages;
  }

 private:
  test::RingStore ring_{kUsers};
};

// Edges from users a stride apart to others.
std::vector<LoadedEdge> edges_of(std::uint32_t stride) {
  std::vector<LoadedEdge> edges;
  for (std::uint64_t i = 0; i < kUsers; ++i) {
    const auto follower = static_cast<std::uint32_t>(i * stride % kUsers);
    edges.push_back({UserNumber{follower + 1}, UserNumber{(follower + 2) % kUsers + 1}});
  }
  return edges;
}

}  // namespace

TEST_CASE("page budget: edges that lie together go together, scattered ones by few") {
  const Store store;
  const std::size_t pages = store.leaf_pages();
  REQUIRE(pages > 1'000);
  const auto ordered = edges_of(1);
  const auto scattered = edges_of(7'919);  // a prime: everybody once
  CHECK(store.within(ordered, pages) == kUsers);
  CHECK(store.within(scattered, pages) == kUsers);
  // A tenth of the pages: a tenth of the edges, or about one edge for four pages.
  const std::size_t together = store.within(ordered, pages / 10);
  CHECK(together > kUsers / 12);
  CHECK(together < kUsers / 8);
  const std::size_t apart = store.within(scattered, pages / 10);
  CHECK(apart >= pages / 10 / 4);
  CHECK(apart < pages / 10);
  CHECK(apart * 4 < together);
}

TEST_CASE("page budget: a load takes something, however little may be touched") {
  const Store store;
  const auto edges = edges_of(7'919);
  CHECK(store.within(edges, 0) == 1);
  CHECK(store.within({}, 0) == 0);
}

}  // namespace chirp::page_budget_test
