// Goal: how many follows there are is known without a walk over all of them, also where a program
// has written that does not keep their number.
// Method: a store whose state record is cut to what such a program writes, with edges of its own,
// between changes of today's. What the record says is held against the table.
#include <doctest/doctest.h>

#include "core/rules/writing.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/env.h"
#include "store/lmdb/storage.h"
#include "tests/support/ring_store.h"

namespace chirp::test {
namespace {

constexpr std::uint32_t kUsers = 100;

class Store {
 public:
  [[nodiscard]] lmdb::StoredState state() const {
    return lmdb::read_state(lmdb::Env::Reader(ring_.env()).txn());
  }
  [[nodiscard]] bool is_kept() const { return state().follows_since == 0; }
  [[nodiscard]] std::uint64_t said() const {
    return ring_.storage().snapshot()->table_rows().at("follows");
  }
  [[nodiscard]] std::uint64_t there() const {
    return lmdb::counted_rows(ring_.env()).at("follows");
  }
  [[nodiscard]] Storage& storage() const { return ring_.storage(); }

  void follow(std::uint32_t follower, std::uint32_t followee) {
    const Change change = Follow{UserNumber{follower}, UserNumber{followee}};
    CHECK(storage().write({&change, 1}, ring_.now()).front().result == Result::kDone);
  }
  void unfollow(std::uint32_t follower, std::uint32_t followee) {
    const Change change = Unfollow{UserNumber{follower}, UserNumber{followee}};
    CHECK(storage().write({&change, 1}, ring_.now()).front().result == Result::kDone);
  }
  // An edge by a program that ends the record where the number starts.
  void follow_as_before(std::uint32_t follower, std::uint32_t followee) {
    ring_.env()->write([&](lmdb::WriteTxn& txn) {
      lmdb::Batch batch(txn, {});
      const auto add = [&](lmdb::Table table, std::uint32_t user, std::uint32_t other) {
        const Edge edge{UserNumber{other}, ring_.now()};
        lmdb::EdgeMerger(batch, table).add(UserNumber{user}, {&edge, 1});
      };
      add(lmdb::Table::kFollowing, follower, followee);
      add(lmdb::Table::kFollowers, followee, follower);
      const auto key = lmdb::meta_key("state");
      lmdb::RecordReader in(lmdb::Table::kMeta, key, *txn.get(lmdb::Table::kMeta, key));
      const std::string payload(in.rest());
      lmdb::RecordWriter record;
      record.raw(payload.substr(0, 185));
      txn.put(lmdb::Table::kMeta, key, record.seal(lmdb::Table::kMeta, key));
    });
  }
  // Says another number than there is.
  void miscount() {
    ring_.env()->write([](lmdb::WriteTxn& txn) {
      lmdb::Batch batch(txn, {});
      batch.state.follows += 7;
      batch.finish();
    });
  }

 private:
  RingStore ring_{kUsers};
};

}  // namespace

TEST_CASE("kept follows: are counted along by every change of an edge") {
  Store store;
  CHECK(store.is_kept());
  CHECK(store.state().follows == kUsers);
  store.follow(1, 50);
  store.follow(2, 50);
  store.unfollow(1, 50);
  CHECK(store.state().follows == kUsers + 1);
  const Change leave = MarkRemoved{UserNumber{50}};
  store.storage().write({&leave, 1}, Time{});
  while (!rules::remove_traces(store.storage(), UserNumber{50}, 1, Time{})) continue;
  CHECK(store.is_kept());
  CHECK(store.state().follows == store.there());
  CHECK(store.there() == kUsers - 2);
  const std::uint64_t before = store.storage().version();
  store.storage().settle();
  CHECK(store.storage().version() == before);
}

TEST_CASE(
    "kept follows: a program that does not count them is noticed, and they are counted once") {
  Store store;
  store.follow_as_before(1, 50);
  CHECK_FALSE(store.is_kept());
  CHECK(store.said() == kUsers + 1);
  CHECK(store.storage().snapshot()->problems().empty());
  store.storage().settle();
  CHECK(store.is_kept());
  CHECK(store.state().follows == kUsers + 1);

  // What is written before the count is kept as a difference.
  store.follow_as_before(2, 50);
  store.follow(3, 50);
  store.unfollow(1, 50);
  CHECK_FALSE(store.is_kept());
  CHECK(store.said() == kUsers + 2);
  store.storage().settle();
  CHECK(store.is_kept());
  CHECK(store.state().follows == kUsers + 2);
  store.follow(4, 50);
  CHECK(store.said() == store.there());
}

TEST_CASE("kept follows: doctor sees another number than there are, and mends it") {
  Store store;
  store.miscount();
  const auto problems = store.storage().snapshot()->problems();
  REQUIRE(problems.size() == 1);
  CHECK(problems.front() == "there are 100 follows instead of 107");
  CHECK(store.storage().repair_indexes(Time{}) == 1);
  CHECK(store.storage().snapshot()->problems().empty());
  CHECK(store.is_kept());
  CHECK(store.said() == kUsers);
  // Not known is nothing wrong.
  store.follow_as_before(1, 50);
  CHECK(store.storage().repair_indexes(Time{}) == 0);
  CHECK(store.is_kept());
}

}  // namespace chirp::test
