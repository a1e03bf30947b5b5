#include "store/lmdb/readers.h"

#include "store/lmdb/cards.h"
#include "store/lmdb/lmdb_storage.h"

namespace chirp::lmdb {
namespace {

constexpr std::uint8_t kHasFeed = 1;

}  // namespace

Reader decode_reader(Bytes key, Bytes value) {
  RecordReader in(Table::kReaders, key, value);
  Reader reader;
  reader.notified = {in.varint()};
  reader.notifications = in.varint();
  if (in.flags() & kHasFeed) reader.feed = PostId{in.fixed<std::uint64_t>()};
  return reader;
}

Reader read_reader(const Txn& txn, UserNumber user) {
  const auto k = key(user);
  const auto value = txn.get(Table::kReaders, k);
  return value ? decode_reader(k, *value) : Reader{};
}

void put_reader(Batch& batch, UserNumber user, const Reader& reader) {
  const auto k = key(user);
  batch.record.start();
  batch.record.varint(reader.notified.value);
  batch.record.varint(reader.notifications);
  if (reader.feed) batch.record.fixed(reader.feed->value);
  batch.txn.put(Table::kReaders, k,
                batch.record.seal(Table::kReaders, k, reader.feed ? kHasFeed : std::uint8_t{0}));
}

bool LmdbStorage::mark_feed(UserNumber user, PostId up_to) {
  bool marked = false;
  run({}, [&](Batch& batch) {
    marked = is_present(batch.txn, user);
    if (!marked) return Verdict::kNothing;
    Reader reader = read_reader(batch.txn, user);
    if (reader.feed == up_to) return Verdict::kNothing;
    reader.feed = up_to;
    put_reader(batch, user, reader);
    return Verdict::kCommit;
  });
  return marked;
}

}  // namespace chirp::lmdb
