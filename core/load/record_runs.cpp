#include "core/load/record_runs.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/load/bytes.h"

namespace chirp::load {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{256} << 10;
// Bytes read ahead for each run. More do not make a merge faster; fewer make many small reads.
constexpr std::size_t kReadMost = std::size_t{1} << 20;
constexpr std::size_t kReadLeast = std::size_t{16} << 10;
// The numbers before a record's bytes.
constexpr std::size_t kHeadMax = 3 * kVarintMax;

}  // namespace

void RecordRuns::begin(std::uint64_t first) {
  last_key_ = 0;
  buffer_.clear();
  const std::uint64_t place = scratch_.append({});
  runs_.push_back({first, place, place});
}

void RecordRuns::add(std::uint64_t key, std::uint64_t number, std::string_view bytes) {
  put_varint(buffer_, key - last_key_);
  put_varint(buffer_, number - runs_.back().first);
  put_text(buffer_, bytes);
  last_key_ = key;
  if (buffer_.size() >= kWriteBytes) write();
}

void RecordRuns::end() { write(); }

void RecordRuns::write() {
  runs_.back().end = scratch_.append(buffer_) + buffer_.size();
  buffer_.clear();
}

RecordMerge::RecordMerge(const RecordRuns& runs, std::size_t memory)
    : scratch_(runs.scratch_),
      read_ahead_(
          std::clamp(memory / std::max<std::size_t>(1, runs.size()), kReadLeast, kReadMost)) {
  cursors_.reserve(runs.size());  // cursors point into their buffers, which must not move
  for (const RecordRuns::Run& run : runs.runs_) {
    cursors_.push_back({.first = run.first, .place = run.begin, .end = run.end});
    if (step(cursors_.back())) heap_.push_back(cursors_.size() - 1);
  }
  // A sorted list is a heap.
  std::ranges::sort(heap_, [this](std::size_t a, std::size_t b) { return is_before(a, b); });
}

bool RecordMerge::is_before(std::size_t a, std::size_t b) const {
  const Cursor& one = cursors_[a];
  const Cursor& other = cursors_[b];
  return one.key != other.key ? one.key < other.key : one.number < other.number;
}

// Moves the unread bytes to the front of the buffer and reads more after them.
void RecordMerge::fill(Cursor& cursor, std::size_t least) {
  const std::size_t kept = cursor.unread.size();
  std::string buffer(std::max(read_ahead_, least), '\0');
  cursor.unread.copy(buffer.data(), kept);
  const std::uint64_t left = cursor.end - cursor.place;
  const std::size_t room = std::min<std::uint64_t>(buffer.size() - kept, left);
  const std::size_t got = scratch_.read(cursor.place, std::span(buffer).subspan(kept, room),
                                        std::min(least - kept, room));
  cursor.place += got;
  cursor.buffer = std::move(buffer);
  cursor.unread = std::string_view(cursor.buffer).substr(0, kept + got);
}

bool RecordMerge::step(Cursor& cursor) {
  if (cursor.unread.size() < kHeadMax && cursor.place < cursor.end) fill(cursor, kHeadMax);
  if (cursor.unread.empty()) return false;
  cursor.key += take_varint(cursor.unread);
  cursor.number = cursor.first + take_varint(cursor.unread);
  const auto size = static_cast<std::size_t>(take_varint(cursor.unread));
  if (cursor.unread.size() < size) fill(cursor, size);
  cursor.bytes = cursor.unread.substr(0, size);
  cursor.unread.remove_prefix(size);
  return true;
}

void RecordMerge::next() {
  if (!step(cursors_[heap_.front()])) {
    heap_.front() = heap_.back();
    heap_.pop_back();
  }
  if (!heap_.empty()) sink();
}

void RecordMerge::sink() {
  const std::size_t moved = heap_.front();
  std::size_t at = 0;
  for (;;) {
    std::size_t child = 2 * at + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
    if (!is_before(heap_[child], moved)) break;
    heap_[at] = heap_[child];
    at = child;
  }
  heap_[at] = moved;
}

}  // namespace chirp::load
