// Goal: repairing a big store holds no writer up: it goes in short transactions.
// Method: a store of many users, whose index and followers are taken away; the transactions that
// bring them back are counted.
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

constexpr std::uint32_t kUsers = 10'000;

class Store {
 public:
  Store() {
    const auto lock = folder_ / "write.lock";
    std::filesystem::create_directory(folder_ / "engine");
    lmdb::create_store(folder_ / "engine", lock, {1, "repair", snowflake::kMachineDefault});
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
    storage_->load_cards(cards, clock_.now());
    for (std::span<const LoadedEdge> rest = edges; !rest.empty();) {
      rest = rest.subspan(storage_->load_edges(rest, clock_.now()).taken);
    }
  }

  // Takes all rows of a table away.
  void empty(lmdb::Table table) {
    env_->write([&](lmdb::WriteTxn& txn) {
      lmdb::Cursor cursor(txn, table);
      while (const auto item = cursor.first()) txn.erase(table, std::string(item->key));
    });
  }
  std::uint64_t repair() { return storage_->repair_indexes(clock_.now()); }
  [[nodiscard]] std::vector<std::string> problems() const {
    return storage_->snapshot()->problems();
  }
  [[nodiscard]] std::uint64_t rows(lmdb::Table table) const {
    return lmdb::Env::Reader(env_).txn().stat(table).ms_entries;
  }
  [[nodiscard]] std::uint64_t transactions() const { return lmdb::Env::Reader(env_).txn().id(); }

 private:
  test::TempFolder folder_;
  test::FakeClock clock_;
  std::shared_ptr<lmdb::Env> env_;
  std::unique_ptr<Storage> storage_;
};

}  // namespace

TEST_CASE("repair: goes in short transactions, and what is sound takes none") {
  Store store;
  const std::uint64_t sound = store.transactions();
  CHECK(store.repair() == 0);
  CHECK(store.transactions() == sound);

  for (const auto table : {lmdb::Table::kUserIds, lmdb::Table::kFollowers}) {
    CAPTURE(std::string(lmdb::kTableNames[static_cast<unsigned>(table)]));
    REQUIRE(store.rows(table) == kUsers);
    store.empty(table);
    REQUIRE(store.rows(table) == 0);
    const std::uint64_t broken = store.transactions();
    CHECK(store.repair() == kUsers);
    CHECK(store.transactions() - broken >= 10);
    CHECK(store.rows(table) == kUsers);
    CHECK(store.problems().empty());
  }
}

}  // namespace chirp
