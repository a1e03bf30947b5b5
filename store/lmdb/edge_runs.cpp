#include "store/lmdb/edge_runs.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/load/bytes.h"

namespace chirp::lmdb {
namespace {

using load::put_varint;

constexpr std::size_t kPieceBytes = std::size_t{16} << 10;
constexpr std::size_t kMergeAhead = std::size_t{32} << 20;  // bytes, of all runs together

// Encodes small differences of either sign as small numbers.
constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

}  // namespace

EdgeRuns::EdgeRuns(std::filesystem::path folder, std::size_t memory, std::optional<Time> since)
    : memory_(memory),
      memory_left_(memory),
      since_(since),
      file_(std::move(folder), "A bulk load (--bulk never needs less)") {}

void EdgeRuns::add_run(std::span<const std::uint64_t> edges) {
  if (edges.empty()) return;
  check(since_.has_value(), "edges of these runs have times of their own");
  begin_run();
  for (const std::uint64_t edge : edges) add(edge, *since_);
  end_run();
}

void EdgeRuns::add_run(std::span<const TimedEdge> edges) {
  if (edges.empty()) return;
  begin_run();
  for (const TimedEdge& edge : edges) add(edge.key, edge.since);
  end_run();
}

void EdgeRuns::begin_run() { runs_.emplace_back(); }

void EdgeRuns::add(std::uint64_t edge, Time since) {
  ++edges_;
  if (is_begun_ && piece_.size() >= kPieceBytes) end_piece();
  if (!is_begun_) {
    is_begun_ = true;
    first_ = last_ = edge;
    first_since_ = last_since_ = since;
    return;
  }
  if (edge >> 32 == last_ >> 32) {
    put_varint(piece_, (edge - last_) << 1);
  } else {
    put_varint(piece_, (((edge >> 32) - (last_ >> 32)) << 1) | 1);
    put_varint(piece_, static_cast<std::uint32_t>(edge));
  }
  if (!since_) put_varint(piece_, zigzag(since.ms - last_since_.ms));
  last_ = edge;
  last_since_ = since;
}

void EdgeRuns::end_run() {
  if (is_begun_) end_piece();
  if (runs_.back().empty()) runs_.pop_back();
}

void EdgeRuns::end_piece() {
  Piece piece;
  piece.first = first_;
  piece.since = first_since_;
  piece.size = static_cast<std::uint32_t>(piece_.size());
  bytes_ += piece_.size() + sizeof first_;
  if (piece_.size() <= memory_left_) {
    memory_left_ -= piece_.size();
    piece.bytes = piece_;
  } else if (piece.size != 0) {
    piece.at = file_.append(piece_);
  }
  runs_.back().push_back(std::move(piece));
  piece_.clear();
  is_begun_ = false;
}

void EdgeRuns::clear() {
  runs_.clear();
  runs_.shrink_to_fit();
  piece_ = {};
  file_.clear();
  edges_ = bytes_ = 0;
  memory_left_ = memory_;
  is_begun_ = false;
}

// ---------------------------------------------------------------- reading

EdgeRuns::Cursor::Cursor(const EdgeRuns& runs, std::size_t run, std::uint64_t from,
                         std::size_t ahead)
    : runs_(&runs), run_(&runs.runs_[run]), ahead_(ahead) {
  // The last piece that begins at or before `from`.
  const auto after = std::ranges::upper_bound(*run_, from, {}, &Piece::first);
  if (after != run_->begin()) piece_ = static_cast<std::size_t>(after - run_->begin()) - 1;
  next_piece();
  while (!done_ && edge_ < from) next();
}

void EdgeRuns::Cursor::next_piece() {
  done_ = piece_ == run_->size();
  if (done_) return;
  const Piece& piece = (*run_)[piece_++];
  edge_ = piece.first;
  since_ = piece.since;
  load(piece);
}

void EdgeRuns::Cursor::load(const Piece& piece) {
  if (piece.size == 0 || !piece.bytes.empty()) {
    at_ = piece.bytes.data();
    end_ = at_ + piece.size;
    return;
  }
  if (piece.at < buffer_at_ || piece.at + piece.size > buffer_at_ + buffer_.size()) {
    buffer_.resize(std::max<std::size_t>(piece.size, ahead_));
    buffer_.resize(runs_->file_.read(piece.at, buffer_, piece.size));
    buffer_at_ = piece.at;
  }
  at_ = buffer_.data() + (piece.at - buffer_at_);
  end_ = at_ + piece.size;
}

std::uint64_t EdgeRuns::Cursor::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at_++);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
}

void EdgeRuns::Cursor::step() {
  const std::uint64_t difference = varint();
  if ((difference & 1) == 0) {
    edge_ += difference >> 1;
  } else {
    const std::uint64_t upper = (edge_ >> 32) + (difference >> 1);
    edge_ = upper << 32 | varint();
  }
  if (!runs_->since_) since_.ms += unzigzag(varint());
}

// ---------------------------------------------------------------- merging

EdgeMerge::EdgeMerge(const EdgeRuns& runs) {
  cursors_.reserve(runs.runs());
  const std::size_t ahead =
      std::min(EdgeRuns::Cursor::kReadAhead, kMergeAhead / std::max<std::size_t>(runs.runs(), 1));
  for (std::size_t i = 0; i < runs.runs(); ++i) {
    cursors_.emplace_back(runs, i, 0, ahead);
    if (!cursors_.back().done()) heap_.push_back({cursors_.back().edge(), i});
  }
  std::ranges::sort(heap_, {}, &Head::edge);  // a sorted list is a heap
}

void EdgeMerge::next() {
  const std::uint64_t edge = heap_.front().edge;
  move_first();
  for (; !heap_.empty() && heap_.front().edge == edge; move_first()) ++repeated_;
}

void EdgeMerge::move_first() {
  EdgeRuns::Cursor& cursor = cursors_[heap_.front().cursor];
  cursor.next();
  if (cursor.done()) {
    heap_.front() = heap_.back();
    heap_.pop_back();
  } else {
    heap_.front().edge = cursor.edge();
  }
  if (!heap_.empty()) sink();
}

void EdgeMerge::sink() {
  const Head moved = heap_.front();
  std::size_t at = 0;
  for (;;) {
    std::size_t child = 2 * at + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1].edge < heap_[child].edge) ++child;
    if (moved.edge <= heap_[child].edge) break;
    heap_[at] = heap_[child];
    at = child;
  }
  heap_[at] = moved;
}

}  // namespace chirp::lmdb
