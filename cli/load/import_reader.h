// The files of an export, row by row.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

#include <simdjson.h>

#include "cli/input/lines.h"
#include "cli/input/raw_file.h"
#include "cli/load/import_row.h"
#include "core/error.h"

namespace chirp::cli {

// Rows that are stored together.
struct ImportedLines {
  const char* file;
  std::uint64_t last;  // line
  std::size_t count;
};

class ImportReader {
 public:
  explicit ImportReader(std::filesystem::path from) : from_(std::move(from)) {}

  // Calls `take` with each row, and `hand_on` with the lines after every `batch` of them and at the
  // end. Throws Error{kBadInput} with the line of a row that `take` refuses.
  template <class Take, class HandOn>
  void read(const char* name, std::size_t batch, Take take, HandOn hand_on) {
    input::RawFile file((from_ / name).string(), input::RawFile::Kind::kRegular);
    buffer_.open(file);
    input::Lines lines(buffer_);
    const std::uint64_t earlier = bytes_;
    ImportedLines held{name, 0, 0};
    for (auto line = lines.next(); line; line = lines.next()) {
      held.last = line->number;
      try {
        take(parsed(*line));
      } catch (const BadRow& bad) {
        fail(name, line->number, bad.what);
      } catch (const Error& error) {
        fail(name, line->number, error.what());
      }
      ++rows_;
      if (++held.count < batch) continue;
      bytes_ = earlier + file.bytes_read();
      hand_on(std::as_const(held));
      held.count = 0;
    }
    bytes_ = earlier + file.bytes_read();
    if (held.count > 0) hand_on(std::as_const(held));
  }

  // Stores lines. Throws Error{kBadInput} with the refused lines: a single one, if `store` throws
  // RefusedRow. From one thread at a time.
  void store(const ImportedLines& lines, const std::function<void()>& store);

  // Whether some of the lines may be stored.
  [[nodiscard]] bool has_stored() const { return has_stored_; }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  // From any thread.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  // Restarts the count of rows.
  void forget_rows() { rows_ = 0; }
  void forget_all() { bytes_ = rows_ = 0; }

 private:
  [[nodiscard]] Row parsed(const input::Line& line);
  [[noreturn]] void fail(const char* name, std::uint64_t line, std::string_view what) const;

  std::filesystem::path from_;
  simdjson::dom::parser parser_;
  input::TextBuffer buffer_;
  std::uint64_t rows_ = 0;
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<bool> has_stored_{false};
};

}  // namespace chirp::cli
