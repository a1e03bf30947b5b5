// The text of an input: a bounded buffer over its bytes, and the lines in it with their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/byte_stream.h"

namespace chirp::cli::input {

// Nothing that is read as a whole (a line, a row, a JSON value) is longer.
inline constexpr std::size_t kRecordMax = std::size_t{1} << 20;
// A longer line is passed over, but not for ever: /dev/zero is one line without an end.
inline constexpr std::size_t kLineMax = std::size_t{1} << 30;

// Holds up to two records of unread bytes, and leaves room behind them for a parser that reads
// ahead. A byte order mark of UTF-8 at the start is passed over. In a text whose lines end in CR
// alone, as its first lines tell, each CR is read as LF.
class TextBuffer {
 public:
  static constexpr std::size_t kCapacity = 2 * kRecordMax;
  static constexpr std::size_t kPadding = 64;  // readable bytes behind unread()

  TextBuffer();
  // Starts with a new stream, which outlives its use here.
  void open(ByteStream& stream);

  // Valid until the next fill().
  [[nodiscard]] std::string_view unread() const { return {bytes_.get() + begin_, end_ - begin_}; }
  void consume(std::size_t size) { begin_ += size; }
  // Of the stream, as a person would name it.
  [[nodiscard]] std::string name() const { return stream_->name(); }
  // Adds to what is unread: kMore if there is more now, kEnd at the end, kFull without room.
  enum class Filled : std::uint8_t { kMore, kEnd, kFull };
  Filled fill();

 private:
  std::unique_ptr<char[]> bytes_;
  ByteStream* stream_ = nullptr;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool ends_in_returns_ = false;  // its lines do
};

enum class LineKind : std::uint8_t { kWhole, kTooLong, kPart };

struct Line {
  std::string_view text;     // without its end, LF or CR LF; empty if too long
  std::uint64_t number = 0;  // from 1
  LineKind kind = LineKind::kWhole;
};

// What is said of such a line.
inline constexpr std::string_view kUnended =
    "the last line has no end: if the file was cut off there, what it says is, too";

// Throws Error{kBadInput} for a line longer than kLineMax.
class Lines {
 public:
  // Starts at the beginning of what `buffer` has open.
  explicit Lines(TextBuffer& buffer) : buffer_(buffer) {}

  // The text is valid until the next call.
  std::optional<Line> next();
  // Keeps the line that came last, and those that follow, so that reading can go back to it. With
  // lines kept, one for which there is no room comes as kTooLong, and is not passed over.
  void keep();
  void release() { kept_.reset(); }
  // The first line that is kept comes once more; what follows it is read again.
  Line back();
  // Whether the line that came last had no end, as the last one of a file that was cut off.
  [[nodiscard]] bool unended() const { return unended_; }

  // As many whole lines as there are at hand, ends included, for a parser that looks for the ends
  // itself: pass() says how much of it has been read, and returns the number of the last line. The
  // last one of all may have no end. Empty where next() has to say what comes: the end, or a line
  // that is too long.
  std::string_view at_hand();
  std::uint64_t pass(std::size_t bytes, std::uint64_t lines);

  // The same for lines that may be in parts: a line that is too long comes as some of kPart, cut
  // behind a blank, a comma or a semicolon, and not counted: the rest of it is the first line of
  // the block that follows them. One that can't be cut comes as a block of its own, already
  // counted.
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
  std::size_t parts_ = 0;  // bytes of the line that comes in parts
  struct Kept {
    std::size_t end;       // of its first line
    std::uint64_t number;  // of that line
    bool unended;
  };
  std::optional<Kept> kept_;
};

}  // namespace chirp::cli::input
