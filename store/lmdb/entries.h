// A run of feed entries, newest first, packed to six or seven bytes each.
//
//   count varint | first id u64 LE | author of the first | then for each other entry:
//   (milliseconds below the previous << 1 | its low 22 bits differ) varint | low 22 bits varint,
//   if they differ | author
//
// An author is (number << 1 | backfilled) as a varint. Adding newer entries in front changes no
// bytes of the older ones, except of the first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/post.h"
#include "store/lmdb/record.h"

namespace chirp::lmdb {

void encode_entries(RecordWriter& out, std::span<const Entry> entries);

// Reads entries in order.
class EntryReader {
 public:
  explicit EntryReader(RecordReader& in) : in_(in), left_(in.count()), count_(left_) {}
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t left() const { return left_; }
  // Returns the next entry. Call only while left() is not 0.
  Entry next();
  [[nodiscard]] std::vector<Entry> all();

 private:
  RecordReader& in_;
  std::uint64_t left_;
  std::uint64_t count_;
  std::uint64_t id_ = 0;
};

// Writes `newer` (newest first, all above the run's first) in front of a run, without unpacking it.
void encode_in_front(RecordWriter& out, std::span<const Entry> newer, RecordReader& run);

}  // namespace chirp::lmdb
