#include "store/lmdb/entries.h"

namespace chirp::lmdb {
namespace {

constexpr std::uint64_t kLow = (std::uint64_t{1} << snowflake::kTimeShift) - 1;

void put_author(RecordWriter& out, const Entry& entry) {
  out.varint((std::uint64_t{entry.author.value} << 1) |
             (entry.origin == Origin::kBackfilled ? 1u : 0u));
}

void put_below(RecordWriter& out, PostId above, const Entry& entry) {
  const std::uint64_t ticks = snowflake::ticks(above.value) - snowflake::ticks(entry.id.value);
  const bool differs = (above.value & kLow) != (entry.id.value & kLow);
  out.varint((ticks << 1) | (differs ? 1u : 0u));
  if (differs) out.varint(entry.id.value & kLow);
  put_author(out, entry);
}

void put_run(RecordWriter& out, std::span<const Entry> entries) {
  out.fixed(entries.front().id.value);
  put_author(out, entries.front());
  for (std::size_t i = 1; i < entries.size(); ++i) put_below(out, entries[i - 1].id, entries[i]);
}

}  // namespace

void encode_entries(RecordWriter& out, std::span<const Entry> entries) {
  out.varint(entries.size());
  if (!entries.empty()) put_run(out, entries);
}

Entry EntryReader::next() {
  if (left_ == 0) in_.broken();
  if (left_ == count_) {
    id_ = in_.fixed<std::uint64_t>();
  } else {
    const std::uint64_t step = in_.varint();
    const std::uint64_t low = step & 1 ? in_.varint() & kLow : id_ & kLow;
    const std::uint64_t below = step >> 1;
    if (below > snowflake::ticks(id_)) in_.broken();
    id_ = ((snowflake::ticks(id_) - below) << snowflake::kTimeShift) | low;
  }
  --left_;
  const std::uint64_t author = in_.varint();
  if (author >> 33 != 0) in_.broken();
  return {PostId{id_}, UserNumber{static_cast<std::uint32_t>(author >> 1)},
          author & 1 ? Origin::kBackfilled : Origin::kPushed};
}

std::vector<Entry> EntryReader::all() {
  std::vector<Entry> entries;
  entries.reserve(left_);
  while (left_ != 0) entries.push_back(next());
  return entries;
}

void encode_in_front(RecordWriter& out, std::span<const Entry> newer, RecordReader& run) {
  EntryReader old(run);
  out.varint(newer.size() + old.count());
  put_run(out, newer);
  if (old.left() == 0) return;
  put_below(out, newer.back().id, old.next());
  out.raw(run.rest());
}

}  // namespace chirp::lmdb
