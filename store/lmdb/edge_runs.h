// Sorted edges outside the store: in memory while they are few, then in an unnamed file.
//
// An edge is a number: one user in the upper 32 bits, the other in the lower. A run is a list of
// edges in ascending order, in pieces of about 16 KiB, each readable independently:
//
//   for each edge except the first, whose number is kept in memory:
//   (difference << 1) varint while the upper user is the same;
//   (difference of the upper users << 1 | 1) varint, the lower user varint otherwise
//   if edges have their own times: zigzag varint, the difference from the previous time, in ms
//
// Edges take three to five bytes, and their times one to seven. Use from one thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/bulk_edges.h"
#include "store/scratch_file.h"

namespace chirp::lmdb {

constexpr std::uint64_t edge_number(UserNumber upper, UserNumber lower) {
  return (std::uint64_t{upper.value} << 32) | lower.value;
}
constexpr UserNumber upper_of(std::uint64_t edge) {
  return {static_cast<std::uint32_t>(edge >> 32)};
}
constexpr UserNumber lower_of(std::uint64_t edge) { return {static_cast<std::uint32_t>(edge)}; }

class EdgeRuns {
 public:
  // Keeps up to `memory` bytes in memory, the rest in a file in `folder`, which is made when
  // needed. `since` is the time of all edges; empty if each has its own.
  EdgeRuns(std::filesystem::path folder, std::size_t memory, std::optional<Time> since = Time{});

  // Throws Error{kStorageFull}, {kIo}.
  void add_run(std::span<const std::uint64_t> edges);
  void add_run(std::span<const TimedEdge> edges);
  // Begins a run to which edges are added one by one, in ascending order.
  void begin_run();
  void add(std::uint64_t edge, Time since);
  void end_run();
  // Deletes all runs and frees memory and file.
  void clear();

  [[nodiscard]] std::size_t runs() const { return runs_.size(); }
  [[nodiscard]] std::uint64_t edges() const { return edges_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  struct Piece {
    std::uint64_t first = 0;  // edge
    std::uint64_t at = 0;     // offset in the file, unless `bytes` has the piece
    std::uint32_t size = 0;
    Time since;  // of the first edge
    std::string bytes;
  };
  using Run = std::vector<Piece>;

  void end_piece();

  std::size_t memory_;
  std::size_t memory_left_;
  std::optional<Time> since_;
  std::vector<Run> runs_;
  std::string piece_;  // being written
  std::uint64_t last_ = 0;
  std::uint64_t first_ = 0;
  Time last_since_;
  Time first_since_;
  bool is_begun_ = false;  // piece_ contains its first edge
  store::ScratchFile file_;
  std::uint64_t edges_ = 0;
  std::uint64_t bytes_ = 0;

 public:
  // Reads a run from an edge on. The runs must outlive it and not grow meanwhile.
  class Cursor {
   public:
    static constexpr std::size_t kReadAhead = std::size_t{128} << 10;

    // Begins at the first edge not below `from`. Reads `ahead` bytes at once, at least a piece.
    Cursor(const EdgeRuns& runs, std::size_t run, std::uint64_t from = 0,
           std::size_t ahead = kReadAhead);
    Cursor(Cursor&&) = default;  // its buffer does not move
    [[nodiscard]] bool done() const { return done_; }
    [[nodiscard]] std::uint64_t edge() const { return edge_; }
    [[nodiscard]] Time since() const { return since_; }
    void next() {
      if (unread_.empty()) return next_piece();
      step();
    }

   private:
    void next_piece();
    void load(const Piece& piece);
    void step();

    const EdgeRuns* runs_;
    const Run* run_;
    std::size_t piece_ = 0;  // the next piece to read
    std::string buffer_;
    std::uint64_t buffer_at_ = 0;
    std::size_t ahead_;
    std::string_view unread_;  // of the piece
    std::uint64_t edge_ = 0;
    Time since_;
    bool done_ = false;
  };
};

// Merges all runs in ascending order: each edge once, with the time of one of its copies.
class EdgeMerge {
 public:
  explicit EdgeMerge(const EdgeRuns& runs);

  [[nodiscard]] bool done() const { return heap_.empty(); }
  [[nodiscard]] std::uint64_t edge() const { return heap_.front().edge; }
  [[nodiscard]] Time since() const { return cursors_[heap_.front().cursor].since(); }
  void next();
  // Returns the number of repeated edges.
  [[nodiscard]] std::uint64_t repeated() const { return repeated_; }

 private:
  struct Head {
    std::uint64_t edge;
    std::size_t cursor;
  };
  void move_first();
  void sink();

  std::vector<EdgeRuns::Cursor> cursors_;
  std::vector<Head> heap_;  // the lowest edge first
  std::uint64_t repeated_ = 0;
};

}  // namespace chirp::lmdb
