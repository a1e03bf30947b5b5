#include "cli/input/lines.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::cli::input {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF"sv;
// The number of bytes searched to find out how lines end.
constexpr std::size_t kLookedAt = 65'536;

}  // namespace

TextBuffer::TextBuffer() { resize(kCapacity); }

void TextBuffer::resize(std::size_t capacity) {
  std::unique_ptr<char[]> bytes(new char[capacity + kPadding]());
  if (end_ > 0) std::memcpy(bytes.get(), bytes_.get(), end_);
  bytes_ = std::move(bytes);
  capacity_ = capacity;
}

void TextBuffer::open(ByteStream& stream) {
  stream_ = &stream;
  begin_ = 0;
  end_ = 0;
  record_max_ = kRecordMax;
  if (capacity_ > kCapacity) resize(kCapacity);
  ends_in_returns_ = false;
  std::size_t feed = std::string_view::npos;
  do {
    feed = unread().find('\n');
  } while ((end_ < kByteOrderMark.size() || (feed == std::string_view::npos && end_ < kLookedAt)) &&
           fill() == Filled::kMore);
  if (unread().starts_with(kByteOrderMark)) consume(kByteOrderMark.size());
  // A CR at the end of the bytes may be the first half of CR LF.
  const std::size_t first = unread().find('\r');
  ends_in_returns_ = feed == std::string_view::npos && first != std::string_view::npos &&
                     first + 1 < unread().size();
  if (!ends_in_returns_) return;
  std::replace(bytes_.get() + begin_, bytes_.get() + end_, '\r', '\n');
}

TextBuffer::Filled TextBuffer::fill() {
  if (begin_ > 0) {
    std::memmove(bytes_.get(), bytes_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity_ && capacity_ < 2 * record_max_) resize(2 * capacity_);
  if (end_ == capacity_) return Filled::kFull;
  const std::size_t got = stream_->read(std::span(bytes_.get() + end_, capacity_ - end_));
  if (ends_in_returns_) std::replace(bytes_.get() + end_, bytes_.get() + end_ + got, '\r', '\n');
  end_ += got;
  return got > 0 ? Filled::kMore : Filled::kEnd;
}

// Skips the rest of a line that fills the buffer.
void Lines::skip_long_line() {
  std::size_t passed = 0;
  for (;;) {
    const std::string_view text = buffer_.unread();
    const std::size_t end = text.find('\n');
    if (end != std::string_view::npos) {
      buffer_.consume(end + 1);
      return;
    }
    passed += text.size();
    if (passed > kLineMax) {
      throw Error(
          ErrorCode::kBadInput,
          fmt::format("{}: line {} is longer than 1 GiB: this is not text", buffer_.name(), line_));
    }
    buffer_.consume(text.size());
    if (buffer_.fill() == TextBuffer::Filled::kEnd) return;
  }
}

std::optional<Line> Lines::next() {
  if (!kept_) {
    buffer_.consume(returned_);
    returned_ = 0;
  }
  const std::size_t begin = returned_;
  std::size_t searched = begin;
  for (;;) {
    std::string_view text = buffer_.unread();
    std::size_t end = text.find('\n', searched);
    if (end == std::string_view::npos) {
      searched = text.size();
      const auto filled = buffer_.fill();
      if (filled == TextBuffer::Filled::kMore) continue;
      if (filled == TextBuffer::Filled::kFull) {
        if (!kept_) skip_long_line();
        return Line{.text = {}, .number = line_++, .kind = LineKind::kTooLong};
      }
      text = buffer_.unread();
      if (text.size() == begin) return std::nullopt;
      end = text.size();
      returned_ = end;
      unended_ = true;
    } else {
      returned_ = end + 1;
    }
    text = text.substr(begin, end - begin);
    if (text.size() > buffer_.record_max()) {
      return Line{.text = {}, .number = line_++, .kind = LineKind::kTooLong};
    }
    if (text.ends_with('\r')) text.remove_suffix(1);
    return Line{.text = text, .number = line_++, .kind = LineKind::kWhole};
  }
}

void Lines::keep() { kept_ = Kept{.end = returned_, .number = line_ - 1, .unended = unended_}; }

Line Lines::back() {
  returned_ = kept_->end;
  line_ = kept_->number + 1;
  unended_ = kept_->unended;
  std::string_view text = buffer_.unread().substr(0, returned_);
  for (const char end : {'\n', '\r'}) {
    if (text.ends_with(end)) text.remove_suffix(1);
  }
  kept_.reset();
  return {.text = text, .number = line_ - 1, .kind = LineKind::kWhole};
}

std::string_view Lines::at_hand() {
  pass(0, 0);
  for (;;) {
    const std::string_view text = buffer_.unread();
    const std::size_t last = text.rfind('\n');
    if (last != std::string_view::npos) return text.substr(0, last + 1);
    const auto filled = buffer_.fill();
    if (filled == TextBuffer::Filled::kMore) continue;
    if (filled == TextBuffer::Filled::kFull) return {};
    unended_ = unended_ || !buffer_.unread().empty();
    return buffer_.unread();
  }
}

std::uint64_t Lines::pass(std::size_t bytes, std::uint64_t lines) {
  buffer_.consume(returned_ + bytes);
  returned_ = 0;
  line_ += lines;
  return line_ - 1;
}

std::optional<Lines::Block> Lines::next_block() {
  if (const std::string_view whole = at_hand(); !whole.empty()) {
    returned_ = whole.size();
    parts_ = 0;
    return Block{.text = whole, .first = line_, .kind = LineKind::kWhole};
  }
  const std::string_view text = buffer_.unread();
  if (text.empty()) return std::nullopt;
  const std::size_t cut = text.find_last_of(" \t,;");
  if (cut != std::string_view::npos && parts_ + cut < kLineMax) {
    returned_ = cut + 1;
    parts_ += returned_;
    return Block{.text = text.substr(0, returned_), .first = line_, .kind = LineKind::kPart};
  }
  skip_long_line();
  parts_ = 0;
  return Block{.text = {}, .first = line_++, .kind = LineKind::kTooLong};
}

BadLines::BadLines(std::uint64_t most, Report report, Report note)
    : most_(most), report_(std::move(report)), note_(std::move(note)) {}

void BadLines::note(const InputPlace& place, std::string_view what) const {
  if (note_) note_(fmt::format("{}:{}: {}", place.name, place.line, what));
}

void BadLines::add(const InputPlace& place, std::string_view what) {
  ++count_;
  const std::string words = fmt::format("{}:{}: {}", place.name, place.line, what);
  if (count_ > most_) throw Error(ErrorCode::kBadInput, words);
  report_(words);
}

}  // namespace chirp::cli::input
