#include "store/lmdb/edge_runs.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/varint.h"

namespace chirp::lmdb {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{16} << 10;
constexpr std::size_t kMergeAhead = std::size_t{32} << 20;  // bytes, of all runs together

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
    unread_ = piece.bytes;
    return;
  }
  if (piece.at < buffer_at_ || piece.at + piece.size > buffer_at_ + buffer_.size()) {
    buffer_.resize(std::max<std::size_t>(piece.size, ahead_));
    buffer_.resize(runs_->file_.read(piece.at, buffer_, piece.size));
    buffer_at_ = piece.at;
  }
  unread_ = std::string_view(buffer_).substr(piece.at - buffer_at_, piece.size);
}

void EdgeRuns::Cursor::step() {
  const std::uint64_t difference = take_varint(unread_);
  if ((difference & 1) == 0) {
    edge_ += difference >> 1;
  } else {
    const std::uint64_t upper = (edge_ >> 32) + (difference >> 1);
    edge_ = upper << 32 | take_varint(unread_);
  }
  if (!runs_->since_) since_.ms += unzigzag(take_varint(unread_));
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
