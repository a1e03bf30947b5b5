// Goal: a transaction of a load copies few pages, however many edges wait and however they lie.
// Method: a store of many users who follow somebody each; edges in order and scattered.
#include "store/lmdb/page_budget.h"

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "store/lmdb/env.h"
#include "store/lmdb/storage.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_folder.h"

namespace chirp {
namespace {

constexpr std::uint32_t kUsers = 60'000;

class Store {
 public:
  Store() {
    const auto lock = folder_ / "write.lock";
    std::filesystem::create_directory(folder_ / "engine");
    lmdb::create_store(folder_ / "engine", lock, {1, "pages", snowflake::kMachineDefault});
    env_ = lmdb::Env::open(folder_ / "engine", lock, lmdb::OpenMode::kOpen);
    storage_ = lmdb::open_storage(env_);
    std::vector<AuthorCard> cards;
    std::vector<LoadedEdge> edges;
    for (std::uint32_t i = 1; i <= kUsers; ++i) {
      AuthorCard card;
      card.number = UserNumber{i};
      card.id = UserId{i};
      card.username = card.display_name = "u" + std::to_string(i);
      cards.push_back(card);
      edges.push_back({UserNumber{i}, UserNumber{i % kUsers + 1}});
    }
    const test::FakeClock clock;
    storage_->load_cards(cards, clock.now());
    load(edges);
  }
  // Stores all; returns how many a call took.
  std::vector<std::size_t> load(std::span<const LoadedEdge> edges) {
    const test::FakeClock clock;
    std::vector<std::size_t> taken;
    for (; !edges.empty(); edges = edges.subspan(taken.back())) {
      taken.push_back(storage_->load_edges(edges, clock.now()).taken);
    }
    return taken;
  }
  [[nodiscard]] std::size_t within(std::span<const LoadedEdge> edges, std::size_t pages) const {
    const lmdb::Env::Reader reader(env_);
    return lmdb::edges_within(reader.txn(), edges, pages);
  }
  [[nodiscard]] std::size_t leaf_pages() const {
    const lmdb::Env::Reader reader(env_);
    std::size_t pages = 0;
    for (const auto table :
         {lmdb::Table::kFollowing, lmdb::Table::kFollowers, lmdb::Table::kCounters}) {
      pages += reader.txn().stat(table).ms_leaf_pages;
    }
    return pages;
  }

 private:
  test::TempFolder folder_;
  std::shared_ptr<lmdb::Env> env_;
  std::unique_ptr<Storage> storage_;
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

}  // namespace chirp
