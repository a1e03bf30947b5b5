#include "cli/input/lines.h"

#include <cstring>
#include <span>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::cli::input {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF"sv;

}  // namespace

TextBuffer::TextBuffer() : bytes_(new char[kCapacity + kPadding]()) {}

void TextBuffer::open(ByteStream& stream) {
  stream_ = &stream;
  begin_ = 0;
  end_ = 0;
  while (end_ < kByteOrderMark.size() && fill() == Filled::kMore) continue;
  if (unread().starts_with(kByteOrderMark)) consume(kByteOrderMark.size());
}

TextBuffer::Filled TextBuffer::fill() {
  if (begin_ > 0) {
    std::memmove(bytes_.get(), bytes_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == kCapacity) return Filled::kFull;
  const std::size_t got = stream_->read(std::span(bytes_.get() + end_, kCapacity - end_));
  end_ += got;
  return got > 0 ? Filled::kMore : Filled::kEnd;
}

// Passes over the rest of a line of which the buffer is full.
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
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}: line {} goes on for more than 1 GiB: this is no text",
                              buffer_.name(), line_));
    }
    buffer_.consume(text.size());
    if (buffer_.fill() == TextBuffer::Filled::kEnd) return;
  }
}

std::optional<Line> Lines::next() {
  buffer_.consume(returned_);
  returned_ = 0;
  std::size_t searched = 0;
  for (;;) {
    std::string_view text = buffer_.unread();
    std::size_t end = text.find('\n', searched);
    if (end == std::string_view::npos) {
      searched = text.size();
      const auto filled = buffer_.fill();
      if (filled == TextBuffer::Filled::kMore) continue;
      if (filled == TextBuffer::Filled::kFull) {
        skip_long_line();
        return Line{.text = {}, .number = line_++, .kind = LineKind::kTooLong};
      }
      text = buffer_.unread();
      if (text.empty()) return std::nullopt;
      end = text.size();
      returned_ = end;
      unended_ = true;
    } else {
      returned_ = end + 1;
    }
    text = text.substr(0, end);
    if (text.size() > kRecordMax) {
      return Line{.text = {}, .number = line_++, .kind = LineKind::kTooLong};
    }
    if (text.ends_with('\r')) text.remove_suffix(1);
    return Line{.text = text, .number = line_++, .kind = LineKind::kWhole};
  }
}

std::optional<Lines::Block> Lines::next_block(Long what) {
  buffer_.consume(returned_);
  returned_ = 0;
  auto filled = TextBuffer::Filled::kMore;
  for (;;) {
    const std::string_view text = buffer_.unread();
    const std::size_t last = text.rfind('\n');
    if (last != std::string_view::npos) {
      returned_ = last + 1;
      parts_ = 0;
      return Block{.text = text.substr(0, last + 1), .first = line_, .kind = LineKind::kWhole};
    }
    if (filled == TextBuffer::Filled::kEnd) {
      if (text.empty()) return std::nullopt;
      returned_ = text.size();
      return Block{.text = text, .first = line_, .kind = LineKind::kWhole};
    }
    if (filled == TextBuffer::Filled::kFull) {
      const std::size_t cut = text.find_last_of(" \t,;");
      if (what == Long::kInParts && cut != std::string_view::npos && parts_ + cut < kLineMax) {
        returned_ = cut + 1;
        parts_ += returned_;
        return Block{.text = text.substr(0, returned_), .first = line_, .kind = LineKind::kPart};
      }
      skip_long_line();
      parts_ = 0;
      return Block{.text = {}, .first = line_++, .kind = LineKind::kTooLong};
    }
    filled = buffer_.fill();
  }
}

}  // namespace chirp::cli::input
