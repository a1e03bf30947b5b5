// Records of the store. As they are: refused, unless their sum is right. With the sum made right,
// whatever the payload says: read, or called damaged. The first byte says as what, the second are
// the record's flags.
#include "store/lmdb/records.h"

#include <array>
#include <cstring>
#include <string>

#include "core/error.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/entries.h"
#include "tests/fuzz/targets.h"

namespace chirp::fuzz {
namespace {

using namespace lmdb;

// A key of any table: those with shorter keys read the front of it.
constexpr Bytes kKey("\0\0\0\x07\0\0\0\x09\0\0\0\x0b\0\0\0\x0d\0\0\0\x0f\0\0\0\x11", 24);

template <class Read>
void read_or_refuse(Read read) {
  try {
    read();
  } catch (const Error& error) {
    holds(error.code() == ErrorCode::kCorrupt, "a record that makes no sense is damage");
  }
}

// A run of entries is written as it was read.
void read_entries(Bytes key, Bytes record) {
  RecordReader in(Table::kTimelineParts, key, record);
  const std::vector<Entry> entries = EntryReader(in).all();
  RecordWriter out;
  encode_entries(out, entries);
  RecordReader again(Table::kTimelineParts, key, out.seal(Table::kTimelineParts, key));
  holds(EntryReader(again).all() == entries, "entries are read as they were written");
}

// A row that makes sense is written as it was read.
template <Table kTable, auto kEncode, auto kDecode>
void read_row(Bytes key, Bytes record) {
  const auto row = kDecode(key, record);
  RecordWriter out;
  const std::uint8_t flags = kEncode(out, row);
  const std::string written(out.seal(kTable, key, flags));
  holds(kDecode(key, written) == row, "a row is read as it was written");
}

void read_post(Bytes key, Bytes record) {
  holds(!name(decode_post(key, record).privacy).empty(), "a post has one of the privacies");
  read_row<Table::kPosts, encode_post, decode_post>(key, record);
}

void read_numbers(Bytes key, Bytes record) {
  RecordReader in(Table::kMeta, key, record);
  while (!in.done()) {
    RecordReader other = in;
    const std::int64_t number = in.zigzag();
    RecordWriter out;
    out.zigzag(number);
    RecordReader again(Table::kMeta, key, out.seal(Table::kMeta, key));
    holds(again.zigzag() == number && again.done(), "a number is read as it was written");
    read_or_refuse([&] { (void)other.text(); });
  }
}

struct Kind {
  Table table;
  std::size_t key_bytes;
  void (*read)(Bytes key, Bytes record);
};

constexpr std::array<Kind, 14> kKinds{{
    {Table::kCards, 4, read_row<Table::kCards, encode_card, decode_card>},
    {Table::kPosts, 8, read_post},
    {Table::kFollowing, 8,
     [](Bytes key, Bytes record) {
       (void)decode_chunk(Table::kFollowing, {key, record});
     }},
    {Table::kFollowers, 8,
     [](Bytes key, Bytes record) {
       (void)decode_chunk(Table::kFollowers, {key, record});
     }},
    {Table::kTimelineParts, 12, read_entries},
    {Table::kEvents, 8, [](Bytes key, Bytes record) { (void)decode_event(key, record); }},
    {Table::kCounters, 4, [](Bytes key, Bytes record) { (void)decode_counters(key, record); }},
    {Table::kMarks, 4, [](Bytes key, Bytes record) { (void)decode_mark(key, record); }},
    {Table::kReactions, 12, [](Bytes key, Bytes record) { (void)decode_reaction(key, record); }},
    {Table::kComments, 8, read_row<Table::kComments, encode_comment, decode_comment>},
    {Table::kContentCounters, 8,
     [](Bytes key, Bytes record) { (void)decode_content_counters(key, record); }},
    {Table::kNotifications, 12,
     [](Bytes key, Bytes record) { (void)decode_notification(key, record); }},
    {Table::kReaders, 4, [](Bytes key, Bytes record) { (void)decode_reader(key, record); }},
    {Table::kMeta, 24, read_numbers},
}};

}  // namespace

void records(Bytes input) {
  if (input.size() < 2) return;
  const Kind& kind = kKinds[static_cast<unsigned char>(input[0]) % kKinds.size()];
  const auto flags = static_cast<std::uint8_t>(input[1]);
  const Bytes key = kKey.substr(0, kind.key_bytes);
  const Bytes payload = input.substr(2, lmdb::kRecordMax);
  read_or_refuse([&] { kind.read(key, payload); });

  RecordWriter writer;
  writer.raw(payload);
  const std::string record(writer.seal(kind.table, key, flags));
  RecordReader sealed(kind.table, key, record);
  holds(sealed.rest() == payload && sealed.flags() == flags, "a record is read as it was written");
  read_or_refuse([&] { kind.read(key, record); });
}

}  // namespace chirp::fuzz
