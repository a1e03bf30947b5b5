// Goal: repairing a big store holds no writer up: it goes in short transactions.
// Method: a store of many users, whose index and followers are taken away; the transactions that
// bring them back are counted.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/rules/writing.h"
#include "store/lmdb/env.h"
#include "tests/support/ring_store.h"

namespace chirp::repair_test {
namespace {

constexpr std::uint32_t kUsers = 10'000;

class Store {
 public:
  // Takes all rows of a table away.
  void empty(lmdb::Table table) {
    ring_.env()->write([&](lmdb::WriteTxn& txn) {
      lmdb::Cursor cursor(txn, table);
      while (const auto item = cursor.first()) txn.erase(table, std::string(item->key));
    });
  }
  void put(lmdb::Table table, std::string_view key, std::string_view value) {
    ring_.env()->write([&](lmdb::WriteTxn& txn) { txn.put(table, key, value); });
  }
  void load(const AuthorCard& card) { rules::load_cards(ring_.storage(), {&card, 1}, ring_.now()); }
  std::uint64_t repair() { return ring_.storage().repair_indexes(ring_.now()); }
  [[nodiscard]] std::vector<std::string> problems() const {
    return ring_.storage().snapshot()->problems();
  }
  [[nodiscard]] std::uint64_t rows(lmdb::Table table) const {
    return lmdb::Env::Reader(ring_.env()).txn().stat(table).ms_entries;
  }
  [[nodiscard]] std::uint64_t transactions() const {
    return lmdb::Env::Reader(ring_.env()).txn().id();
  }

 private:
  test::RingStore ring_{kUsers};
};

}  // namespace

TEST_CASE("repair: brings words back, and takes away those of nobody") {
  Store store;
  AuthorCard card{.number = UserNumber{kUsers + 1},
                  .id = UserId{kUsers + 1},
                  .username = "worded",
                  .display_name = "worded",
                  .source = SourceKey(std::string("mira@example.org"))};
  store.load(card);
  REQUIRE(store.problems().empty());
  REQUIRE(store.rows(lmdb::Table::kUserWords) == 1);
  store.empty(lmdb::Table::kUserWords);
  CHECK_FALSE(store.problems().empty());
  CHECK(store.repair() == 1);
  CHECK(store.rows(lmdb::Table::kUserWords) == 1);
  CHECK(store.problems().empty());

  store.put(lmdb::Table::kUserWords, "Mira@example.org", lmdb::key(card.number));
  store.put(lmdb::Table::kPostWords, "mira@example.org", lmdb::key(PostId{9}));
  CHECK_FALSE(store.problems().empty());
  CHECK(store.repair() == 2);
  CHECK(store.rows(lmdb::Table::kUserWords) == 1);
  CHECK(store.rows(lmdb::Table::kPostWords) == 0);
  CHECK(store.problems().empty());
}

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

}  // namespace chirp::repair_test
