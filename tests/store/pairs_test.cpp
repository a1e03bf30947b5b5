// Goal: which table of a pair is in use is a matter of the state alone: whoever reads or writes
// finds the right one, also where the directory was open before the exchange; and what is left in
// spare tables is found and emptied. Method: a small ring of users; the tables are exchanged by
// hand.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/rules/writing.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/spare_rows.h"
#include "store/lmdb/storage.h"
#include "tests/support/ring_store.h"

namespace chirp::test::pairs_test {
namespace {

using lmdb::Table;

constexpr std::uint32_t kUsers = 40;

struct Ring {
  RingStore store{kUsers};

  void change(const std::function<void(lmdb::Batch&)>& body) {
    store.env()->write([&](lmdb::WriteTxn& txn) {
      lmdb::Batch batch(txn, {});
      body(batch);
      batch.finish();
    });
  }
  // Copies the tables in use into the spare ones, and has those used instead.
  void exchange() {
    change([](lmdb::Batch& batch) {
      for (const lmdb::TablePair& pair : lmdb::kPairs) {
        std::vector<std::pair<std::string, std::string>> rows;
        {
          lmdb::Cursor cursor(batch.txn, pair.in_use);
          for (auto item = cursor.first(); item; item = cursor.next()) {
            rows.emplace_back(item->key, item->value);
          }
        }
        for (const auto& [key, value] : rows) batch.txn.append(pair.spare, key, value);
      }
      batch.state.pairs.second = !batch.state.pairs.second;
    });
  }
  [[nodiscard]] std::uint64_t spare() const {
    const lmdb::Env::Reader reader(store.env());
    return lmdb::spare_rows(reader.txn());
  }
  [[nodiscard]] std::vector<std::string> problems() {
    return store.storage().snapshot()->problems();
  }
  [[nodiscard]] bool follows(std::uint32_t follower, std::uint32_t followee) {
    const tables::Following::Key key{UserNumber{follower}, UserNumber{followee}};
    return store.storage().snapshot()->find(key).has_value();
  }
};

}  // namespace

TEST_CASE("pairs: an exchange is seen by every transaction that begins after it") {
  Ring ring;
  const auto before = ring.store.storage().snapshot();
  ring.exchange();
  const Change unfollow = Unfollow{UserNumber{1}, UserNumber{2}};
  ring.store.storage().write({&unfollow, 1}, Time{});
  CHECK_FALSE(ring.follows(1, 2));
  CHECK(ring.follows(2, 3));
  CHECK(before->find(tables::Following::Key{UserNumber{1}, UserNumber{2}}));
  CHECK(before->table_rows().at("following") == kUsers);
  CHECK(ring.store.storage().snapshot()->table_rows().count("following_2") == 0);
}

TEST_CASE("pairs: rows without a mark are a problem, and repairing removes them") {
  Ring ring;
  CHECK(ring.problems().empty());
  CHECK(ring.store.storage().repair_indexes(Time{}) == 0);
  ring.exchange();
  CHECK(ring.problems().size() == 1);
  CHECK(ring.store.storage().repair_indexes(Time{}) == 1);
  CHECK(ring.problems().empty());
  CHECK(ring.spare() == 0);
  CHECK(ring.follows(1, 2));
}

TEST_CASE("pairs: stale rows and those of a dead build are no problem, and settling removes them") {
  for (const bool built : {false, true}) {
    CAPTURE(built);
    Ring ring;
    ring.exchange();
    ring.change([&](lmdb::Batch& batch) {
      (built ? batch.state.pairs.built : batch.state.pairs.stale) = true;
    });
    CHECK(ring.problems().empty());
    const std::uint64_t rows = ring.spare();
    const Change unfollow = Unfollow{UserNumber{1}, UserNumber{2}};
    ring.store.storage().write({&unfollow, 1}, Time{});
    CHECK((ring.spare() > rows) == built);
    ring.store.storage().settle();
    CHECK(ring.spare() == 0);
    CHECK(ring.problems().empty());
    CHECK_FALSE(ring.follows(1, 2));
    const std::uint64_t settled = ring.store.storage().version();
    ring.store.storage().settle();
    CHECK(ring.store.storage().version() == settled);
  }
}

TEST_CASE("pairs: a table is emptied at once, or from its end") {
  Ring ring;
  ring.exchange();
  ring.store.env()->write([&](lmdb::WriteTxn& txn) {
    while (!lmdb::empty_some(txn, 3)) continue;
    CHECK(txn.stat(Table::kFollowing).ms_entries == kUsers);
  });
  CHECK(ring.spare() == 0);
}

}  // namespace chirp::test::pairs_test
