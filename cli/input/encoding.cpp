#include "cli/input/encoding.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/cells.h"
#include "core/model/utf8.h"

namespace chirp::cli::input {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kPiece = std::size_t{64} << 10;
// The size of the start of a text that is decoded before any of it is read.
constexpr std::size_t kLookedAt = std::size_t{4} << 20;
constexpr std::uint32_t kReplacement = 0xFFFD;

// Windows-1252's characters for the bytes 0x80 to 0x9F; 0 for undefined bytes.
constexpr std::array<std::uint32_t, 32> kWindows{
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::uint32_t windows_point(unsigned char byte) {
  if (byte < 0x80 || byte >= 0xA0) return byte;
  const std::uint32_t point = kWindows[byte - 0x80u];
  return point == 0 ? kReplacement : point;
}

std::uint32_t unit_at(std::string_view bytes, std::size_t at, Encoding encoding) {
  const std::uint32_t first = static_cast<unsigned char>(bytes[at]);
  const std::uint32_t second = static_cast<unsigned char>(bytes[at + 1]);
  return encoding == Encoding::kUtf16Little ? first | second << 8 : first << 8 | second;
}

// Appends the complete characters of `bytes`. Returns the number of bytes used.
std::size_t append_utf16(std::string& out, std::string_view bytes, Encoding encoding) {
  std::size_t at = 0;
  while (at + 2 <= bytes.size()) {
    const std::uint32_t unit = unit_at(bytes, at, encoding);
    const bool high = unit >= 0xD800 && unit < 0xDC00;
    if (high && at + 4 > bytes.size()) break;
    const std::uint32_t next = high ? unit_at(bytes, at + 2, encoding) : 0;
    const bool pair = next >= 0xDC00 && next < 0xE000;
    const bool lone = unit >= 0xD800 && unit < 0xE000 && !pair;
    utf8::append(out, pair   ? 0x10000 + ((unit - 0xD800) << 10) + (next - 0xDC00)
                      : lone ? kReplacement
                             : unit);
    at += pair ? 4 : 2;
  }
  return at;
}

// Whether these bytes may be the start of an incomplete character.
bool may_go_on(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = lead < 0xC2   ? 1
                           : lead < 0xE0 ? 2
                           : lead < 0xF0 ? 3
                           : lead < 0xF5 ? 4
                                         : 1;
  const auto follows = [](char c) { return (c & 0xC0) == 0x80; };
  return size > text.size() && std::ranges::all_of(text.substr(1), follows);
}

// The number of bytes up to the first invalid one.
std::size_t valid_bytes(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (at + size > text.size() || !simdjson::validate_utf8(text.data() + at, size)) return at;
    at += size;
  }
  return at;
}

// Appends UTF-8 unchanged, and any other byte as Windows-1252. Returns the number of bytes used; an
// incomplete character at the end is left.
std::size_t append_mixed(std::string& out, std::string_view bytes) {
  constexpr std::size_t kLongest = 4;  // bytes of a character
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t valid = valid_bytes(bytes.substr(at));
    out.append(bytes.substr(at, valid));
    at += valid;
    if (at == bytes.size() || may_go_on(bytes.substr(at, kLongest))) break;
    utf8::append(out, windows_point(static_cast<unsigned char>(bytes[at])));
    ++at;
  }
  return at;
}

// Detects UTF-16 without a byte order mark from the first bytes: two ASCII characters, each beside
// a zero. No other text begins like this.
std::optional<Encoding> unmarked_utf16(std::string_view head) {
  if (head.size() < 4) return std::nullopt;
  const auto is_pair = [&](std::size_t character, std::size_t zero) {
    const auto byte = static_cast<unsigned char>(head[character]);
    return byte > 0 && byte < 0x80 && head[zero] == '\0';
  };
  if (is_pair(0, 1) && is_pair(2, 3)) return Encoding::kUtf16Little;
  if (is_pair(1, 0) && is_pair(3, 2)) return Encoding::kUtf16Big;
  return std::nullopt;
}

// Whether a byte is beyond ASCII; checks eight bytes at a time.
bool has_high(std::string_view text) {
  std::uint64_t all = 0;
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    all |= word;
  }
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return (all & 0x8080'8080'8080'8080u) != 0;
}

std::string guess(std::string_view rest) {
  const auto byte = static_cast<unsigned char>(rest.front());
  if (rest.starts_with("\xFF\xFE\0\0"sv)) return "it looks like UTF-32, which is not read here";
  if (rest.starts_with("\xFF\xFE"sv) || rest.starts_with("\xFE\xFF"sv)) {
    return "it looks like UTF-16: --encoding utf-16 reads it";
  }
  const std::uint32_t point = windows_point(byte);
  if (byte < 0x80 || point == kReplacement) return "it is not in an encoding that chirp knows";
  std::string character;
  utf8::append(character, point);
  return fmt::format(
      "it looks like Windows-1252 ({}): --encoding windows-1252 reads it, or mixed "
      "if other files are UTF-8",
      character);
}

}  // namespace

std::optional<Encoding> encoding_named(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Encoding>, 9> kNames{
      {{"mixed", Encoding::kMixed},
       {"utf-8", Encoding::kUtf8},
       {"utf8", Encoding::kUtf8},
       {"windows-1252", Encoding::kWindows1252},
       {"cp1252", Encoding::kWindows1252},
       {"latin-1", Encoding::kWindows1252},
       {"latin1", Encoding::kWindows1252},
       {"iso-8859-1", Encoding::kWindows1252},
       {"utf-16", Encoding::kUtf16Little}}};
  const std::string small = utf8::ascii_lower(name);
  if (const auto encoding = meaning_in(kNames, small)) return encoding;
  return Charset::is_known(small) ? std::optional(Encoding::kNamed) : std::nullopt;
}

std::string_view encoding_name(Encoding encoding) {
  switch (encoding) {
    case Encoding::kUtf8:
      return "utf-8";
    case Encoding::kWindows1252:
      return "windows-1252";
    case Encoding::kMixed:
      return "mixed";
    case Encoding::kUtf16Little:
    case Encoding::kUtf16Big:
      return "utf-16";
    case Encoding::kNamed:
      return "as named";
  }
  return "?";
}

void Utf8Watch::take(std::string_view piece) {
  if (!valid_) return;
  rest_ += piece;
  // An incomplete character waits for the next piece.
  std::size_t whole = rest_.size();
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, rest_.size()); ++back) {
    const auto byte = static_cast<unsigned char>(rest_[rest_.size() - back]);
    if (byte < 0x80) break;
    if (byte < 0xC0) continue;
    const std::size_t size = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    if (size > back) whole -= back;
    break;
  }
  valid_ = simdjson::validate_utf8(rest_.data(), whole);
  high_ = high_ || has_high(rest_);
  rest_.erase(0, whole);
}

DecodedStream::DecodedStream(ByteStream& inner, Encoding encoding, std::string name)
    : inner_(inner),
      peeked_(inner),
      encoding_(encoding),
      charset_(encoding == Encoding::kNamed ? std::make_unique<Charset>(name) : nullptr) {}
DecodedStream::~DecodedStream() = default;

void DecodedStream::begin() {
  const std::string_view mark = peeked_.peek(4);
  const auto unmarked = unmarked_utf16(mark);
  if (unmarked && encoding_ == Encoding::kUtf8) {
    zero_of_utf16_ = unmarked == Encoding::kUtf16Little ? 2 : 1;
  }
  if (unmarked && encoding_ == Encoding::kUtf16Little) encoding_ = *unmarked;
  const bool said_utf32 = charset_ && charset_->unit() == 4;
  is_utf32_ = !said_utf32 && (mark == "\xFF\xFE\0\0"sv || mark == "\0\0\xFE\xFF"sv);
  if (mark.starts_with("\xEF\xBB\xBF"sv)) encoding_ = Encoding::kUtf8;
  if (mark.starts_with("\xFF\xFE"sv) && !is_utf32_ && !said_utf32) {
    encoding_ = Encoding::kUtf16Little;
  }
  if (mark.starts_with("\xFE\xFF"sv)) encoding_ = Encoding::kUtf16Big;
  if (encoding_ != Encoding::kNamed) return;
  std::string first;
  for (std::size_t pieces = 0; pieces < kLookedAt / kPiece && decode_more(); ++pieces) {
    first += text_;
  }
  text_ = std::move(first);
  not_as_named_ = no_utf8(text_);
}

std::size_t DecodedStream::read(std::span<char> into) {
  if (!std::exchange(begun_, true)) begin();
  if (encoding_ == Encoding::kUtf8) {
    const std::size_t got = peeked_.read(into);
    watch_.take({into.data(), got});
    return got;
  }
  while (taken_ == text_.size()) {
    if (!decode_more()) return 0;
  }
  const std::size_t size = std::min(into.size(), text_.size() - taken_);
  std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(taken_), size, into.begin());
  taken_ += size;
  return size;
}

bool DecodedStream::decode_more() {
  text_.clear();
  taken_ = 0;
  const std::size_t had = packed_.size();
  packed_.resize(had + kPiece);
  const std::size_t got = peeked_.read(std::span(packed_).subspan(had));
  packed_.resize(had + got);
  if (got == 0) {
    const bool is_first = !std::exchange(ended_, true);
    if (is_first && encoding_ == Encoding::kNamed) charset_->finish(text_);
    if (packed_.empty()) return !text_.empty();
    if (encoding_ == Encoding::kMixed) {
      for (const char c : packed_)
        utf8::append(text_, windows_point(static_cast<unsigned char>(c)));
    } else if (encoding_ == Encoding::kNamed) {
      text_ += kNoCharacter;
    } else {
      utf8::append(text_, kReplacement);  // half a character
    }
    packed_.clear();
    return true;
  }
  if (encoding_ == Encoding::kMixed) {
    packed_.erase(0, append_mixed(text_, packed_));
    return true;
  }
  if (encoding_ == Encoding::kNamed) {
    packed_.erase(0, charset_->append(text_, packed_));
    return true;
  }
  if (encoding_ != Encoding::kWindows1252) {
    packed_.erase(0, append_utf16(text_, packed_, encoding_));
    return true;
  }
  watch_.take(packed_);
  for (const char c : packed_) utf8::append(text_, windows_point(static_cast<unsigned char>(c)));
  packed_.clear();
  return true;
}

namespace {

// LF, CR LF or CR.
std::uint64_t line_ends(std::string_view text) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if ((text[i] == '\n' || text[i] == '\r') && !is_pair) ++count;
  }
  return count;
}

}  // namespace

std::optional<NoUtf8> no_utf8(std::string_view text, std::size_t column) {
  if (simdjson::validate_utf8(text.data(), text.size())) return std::nullopt;
  const std::size_t at = valid_bytes(text);
  const std::string_view before = text.substr(0, at);
  const std::size_t feed = before.rfind('\n');
  const std::size_t inside = feed == std::string_view::npos ? column + at : at - feed - 1;
  const std::string_view rest = text.substr(at);
  const std::uint64_t lines = line_ends(before);
  if (rest.starts_with(kNoCharacter)) {
    // The bytes before it are decoded, not those of the file.
    const std::size_t begin = before.find_last_of("\r\n") + 1;
    return NoUtf8{lines, fmt::format("character {} of the line: a byte has no meaning in the "
                                     "encoding that --encoding names",
                                     utf8::length(before.substr(begin)) + 1)};
  }
  return NoUtf8{lines,
                fmt::format("column {}, byte 0x{:02X}: the text is not valid UTF-8; {}", inside + 1,
                            static_cast<unsigned char>(rest.front()), guess(rest))};
}

}  // namespace chirp::cli::input
