#include "store/lmdb/readers.h"

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

std::uint8_t encode_reader(RecordWriter& out, const Reader& reader) {
  out.varint(reader.notified.value);
  out.varint(reader.notifications);
  if (reader.feed) out.fixed(reader.feed->value);
  return reader.feed ? kHasFeed : std::uint8_t{0};
}

}  // namespace chirp::lmdb
