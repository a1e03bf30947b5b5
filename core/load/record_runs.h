// Runs of records in a Scratch, each in ascending order, and all of them merged.
//
// A record has a key, the number by which it arrived, and bytes:
//   varint (key - key before), varint (number - first number of the run), varint size, bytes
//
// Use it from one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/scratch.h"

namespace chirp::load {

class RecordRuns {
 public:
  // `scratch` must outlive it. Others may write there between runs.
  explicit RecordRuns(Scratch& scratch) : scratch_(scratch) {}

  // Begins a run of records with this number or a higher one.
  void begin(std::uint64_t first);
  // Ascending by key, and by number for equal keys. Throws as Scratch does.
  void add(std::uint64_t key, std::uint64_t number, std::string_view bytes);
  void end();

  [[nodiscard]] std::size_t size() const { return runs_.size(); }

 private:
  friend class RecordMerge;
  struct Run {
    std::uint64_t first = 0;
    std::uint64_t begin = 0;  // in the scratch
    std::uint64_t end = 0;
  };

  void write();

  Scratch& scratch_;
  std::vector<Run> runs_;
  std::string buffer_;
  std::uint64_t last_key_ = 0;
};

// All records of all runs, by key, and by number for equal keys. The runs must outlive it.
class RecordMerge {
 public:
  // Reads ahead about so many bytes of all runs together.
  RecordMerge(const RecordRuns& runs, std::size_t memory);

  [[nodiscard]] bool done() const { return heap_.empty(); }
  [[nodiscard]] std::uint64_t key() const { return first().key; }
  [[nodiscard]] std::uint64_t number() const { return first().number; }
  // Valid until next().
  [[nodiscard]] std::string_view bytes() const { return first().bytes; }
  void next();

 private:
  struct Cursor {
    std::uint64_t first = 0;  // number
    std::uint64_t place = 0;  // in the scratch, of what is read next
    std::uint64_t end = 0;
    std::string buffer{};
    std::string_view unread{};  // of the buffer
    std::uint64_t key = 0;
    std::uint64_t number = 0;
    std::string_view bytes{};
  };

  [[nodiscard]] const Cursor& first() const { return cursors_[heap_.front()]; }
  // Moves to the next record. False at the end.
  bool step(Cursor& cursor);
  void fill(Cursor& cursor, std::size_t least);
  [[nodiscard]] bool is_before(std::size_t a, std::size_t b) const;
  void sink();

  const Scratch& scratch_;
  std::size_t read_ahead_;
  std::vector<Cursor> cursors_;
  std::vector<std::size_t> heap_;  // of cursors, the least first
};

}  // namespace chirp::load
