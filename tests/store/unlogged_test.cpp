// Goal: what an older program has written, which keeps no number of changes without an event, reads
// as another number each time, and one that was never there before.
// Method: the state record of a store, cut to what such a program writes, between changes of
// today's.
#include <set>

#include <doctest/doctest.h>

#include "core/rules/writing.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/env.h"
#include "store/lmdb/storage.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

// A commit of a program that ends the record where the number starts.
void write_as_before(lmdb::Env& env) {
  env.write([](lmdb::WriteTxn& txn) {
    const auto key = lmdb::meta_key("state");
    lmdb::RecordReader in(lmdb::Table::kMeta, key, *txn.get(lmdb::Table::kMeta, key));
    const std::string payload(in.rest());
    lmdb::RecordWriter record;
    record.raw(payload.substr(0, 177));
    txn.put(lmdb::Table::kMeta, key, record.seal(lmdb::Table::kMeta, key));
  });
}

}  // namespace

TEST_CASE("lmdb: a commit of a program that does not count changes without an event is one") {
  const TempFolder folder;
  lmdb::create_store(folder.path(), folder / "write.lock", {2, "test", 7});
  const auto env = lmdb::Env::open(folder.path(), folder / "write.lock", lmdb::OpenMode::kOpen);
  const auto storage = lmdb::open_storage(env);
  const auto number = [&] { return storage->snapshot()->state().unlogged; };
  std::set<std::uint64_t> seen{number()};
  CHECK(number() == 0);
  for (int i = 0; i < 3; ++i) {
    write_as_before(*env);
    const std::uint64_t before = *seen.rbegin();
    CHECK(number() > before);
    write_as_before(*env);
    CHECK(number() > before + 1);
    seen.insert(number());
    // Today's program keeps the number, and goes on from it.
    rules::set_plain(*storage, "key", "value");
    const std::uint64_t kept = number();
    CHECK(kept > *seen.rbegin());
    rules::set_plain(*storage, "key", "other");
    CHECK(number() == kept);
    rules::repair_content_counters(*storage, ContentId{5}, {}, Time{});
    CHECK(number() == kept + 1);
    seen.insert(number());
  }
}

}  // namespace chirp::test
