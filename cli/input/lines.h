// A bounded buffer over an input, its lines with their numbers, and lines that can't be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/byte_stream.h"

namespace chirp::cli::input {

// A position in an input.
struct InputPlace {
  std::string_view name;   // of the file, and in an archive of the member
  std::uint64_t line = 0;  // from 1
};

// Handles lines that can't be used: reports them, and stops when there are too many.
class BadLines {
 public:
  using Report = std::function<void(const std::string&)>;

  // Reports and skips up to `most` bad lines. Remarks that are not faults go to `note`, if given.
  BadLines(std::uint64_t most, Report report, Report note = {});

  // Throws Error{kBadInput} with position and text if there are more than `most`.
  void add(const InputPlace& place, std::string_view what);
  // Reports a remark about a position that is not a fault.
  void note(const InputPlace& place, std::string_view what) const;
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::uint64_t most_;
  Report report_;
  Report note_;
  std::uint64_t count_ = 0;
};

// The maximum size of a line, a row or a JSON value.
inline constexpr std::size_t kRecordMax = std::size_t{1} << 20;
// The same for pages of posts.
inline constexpr std::size_t kPageMax = std::size_t{16} << 20;
// Longer lines are an error (/dev/zero is one endless line). Above kRecordMax they are skipped.
inline constexpr std::size_t kLineMax = std::size_t{1} << 30;

// Holds up to two records of unread bytes, and leaves room after them for a parser that reads
// ahead. Grows for pages only where that is allowed and needed. Skips a UTF-8 byte order mark at
// the start. If the first lines of a text end in a bare CR, each CR of the text is read as LF.
class TextBuffer {
 public:
  static constexpr std::size_t kCapacity = 2 * kRecordMax;
  static constexpr std::size_t kPadding = 64;  // readable bytes after unread()

  TextBuffer();
  // Starts on a new stream, which must outlive its use here.
  void open(ByteStream& stream);

  // Valid until the next fill().
  [[nodiscard]] std::string_view unread() const { return {bytes_.get() + begin_, end_ - begin_}; }
  void consume(std::size_t size) { begin_ += size; }
  // The stream's name in messages.
  [[nodiscard]] std::string name() const { return stream_->name(); }
  // Allows records of kPageMax until the next open().
  void allow_pages() { record_max_ = kPageMax; }
  [[nodiscard]] std::size_t record_max() const { return record_max_; }
  // Reads more: kMore if there is more now, kEnd at the end, kFull if there is no room.
  enum class Filled : std::uint8_t { kMore, kEnd, kFull };
  Filled fill();

 private:
  void resize(std::size_t capacity);

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t record_max_ = kRecordMax;
  ByteStream* stream_ = nullptr;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool ends_in_returns_ = false;  // whether lines end in a bare CR
};

enum class LineKind : std::uint8_t { kWhole, kTooLong, kPart };

struct Line {
  std::string_view text;     // without its end, LF or CR LF; empty if too long
  std::uint64_t number = 0;  // from 1
  LineKind kind = LineKind::kWhole;
};

// The note about such a line.
inline constexpr std::string_view kUnended =
    "the last line has no newline: if the file was cut off there, the last row may be incomplete";

// Throws Error{kBadInput} for a line longer than kLineMax.
class Lines {
 public:
  // Starts at the current position of `buffer`.
  explicit Lines(TextBuffer& buffer) : buffer_(buffer) {}

  // The text is valid until the next call.
  std::optional<Line> next();
  // Keeps the last line returned and all later ones, so that back() can return to it. While lines
  // are kept, a line that does not fit is returned as kTooLong and is not skipped.
  void keep();
  void release() { kept_.reset(); }
  // Returns the first kept line again. The lines after it are read again too.
  Line back();
  // Whether the last line returned had no line end, as in a file that was cut off.
  [[nodiscard]] bool unended() const { return unended_; }

  // Returns all whole lines in memory, with their ends, for a parser that finds the ends itself.
  // Only the last line of the text may lack its end. Returns empty if next() must be called: at the
  // end of the text, or at a line that is too long. After parsing, call pass() with the number of
  // bytes read; it returns the number of the last line.
  std::string_view at_hand();
  std::uint64_t pass(std::size_t bytes, std::uint64_t lines);

  // The same, but splits a line that is too long into several blocks of kind kPart. Each part ends
  // after a blank, a comma or a semicolon, and is not counted as a line. The rest of the line is
  // the first line of the next block. A line that can't be split is returned as a block of its own,
  // which is already counted.
  struct Block {
    std::string_view text;
    std::uint64_t first = 0;
    LineKind kind = LineKind::kWhole;
  };
  std::optional<Block> next_block();
  void end_block(std::uint64_t lines) { line_ += lines; }

 private:
  void skip_long_line();

  TextBuffer& buffer_;
  std::uint64_t line_ = 1;    // of the next one
  std::size_t returned_ = 0;  // bytes handed out by the last call
  bool unended_ = false;
  std::size_t parts_ = 0;  // bytes of the line that is returned in parts
  struct Kept {
    std::size_t end;       // of the first kept line
    std::uint64_t number;  // of the first kept line
    bool unended;
  };
  std::optional<Kept> kept_;
};

}  // namespace chirp::cli::input
