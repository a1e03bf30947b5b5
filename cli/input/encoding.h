// Texts in other encodings than UTF-8: read as they are said to be, and told by a look at what is
// wrong with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/byte_stream.h"
#include "cli/input/charset.h"

namespace chirp::cli::input {

// kMixed is UTF-8 in which invalid bytes are read as Windows-1252. kNamed is any encoding of iconv.
enum class Encoding : std::uint8_t {
  kUtf8,
  kWindows1252,
  kMixed,
  kUtf16Little,
  kUtf16Big,
  kNamed,
};

// `utf-8`, `windows-1252` (`cp1252`, `latin-1`, `iso-8859-1`), `mixed`, `utf-16`, in any case, or a
// name that iconv knows.
[[nodiscard]] std::optional<Encoding> encoding_named(std::string_view name);

[[nodiscard]] std::string_view encoding_name(Encoding encoding);

// Where a text stops being UTF-8, and what it looks like.
struct NoUtf8 {
  std::uint64_t lines = 0;  // line ends before it
  std::string words;
};

// Follows whether a text that comes in pieces is UTF-8.
class Utf8Watch {
 public:
  void take(std::string_view piece);
  // So far, and it has characters that are not ASCII.
  [[nodiscard]] bool is_utf8() const { return valid_ && high_ && rest_.empty(); }
  [[nodiscard]] bool is_valid() const { return valid_; }

 private:
  std::string rest_;  // the start of a character
  bool valid_ = true;
  bool high_ = false;
};

// A stream as UTF-8. A byte order mark goes before what is said; a byte without a meaning
// becomes U+FFFD. UTF-16 without a mark is read in the order in which its first characters stand.
class DecodedStream : public ByteStream {
 public:
  // `name` is that of a kNamed encoding.
  DecodedStream(ByteStream& inner, Encoding encoding, std::string name = {});
  ~DecodedStream() override;

  std::size_t read(std::span<char> into) override;
  [[nodiscard]] std::string name() const override { return inner_.name(); }
  // As it turned out to be, once something has been read.
  [[nodiscard]] Encoding encoding() const { return encoding_; }
  // It begins with a byte order mark of UTF-32, which nothing here reads. UTF-16 has the first half
  // of one of them for its own, but no text of it goes on with a character of zeros.
  [[nodiscard]] bool is_utf32() const { return is_utf32_; }
  // Said to be UTF-8, and begins as UTF-16 does without a mark: where the first zero stands,
  // counted from 1; else 0.
  [[nodiscard]] std::size_t zero_of_utf16() const { return zero_of_utf16_; }
  // All of it has been read as Windows-1252, and it is UTF-8 throughout, beyond ASCII.
  [[nodiscard]] bool is_utf8_after_all() const {
    return encoding_ == Encoding::kWindows1252 && ended_ && watch_.is_utf8();
  }
  // Whether what was read so far as UTF-8 is valid and has characters beyond ASCII.
  [[nodiscard]] bool is_utf8() const { return encoding_ == Encoding::kUtf8 && watch_.is_utf8(); }
  // Whether what was read so far as UTF-8 is not valid.
  [[nodiscard]] bool is_other() const { return encoding_ == Encoding::kUtf8 && !watch_.is_valid(); }
  // The first byte without a meaning in the named encoding, among the first 4 MiB of the text. They
  // are decoded before anything is read.
  [[nodiscard]] const std::optional<NoUtf8>& not_as_named() const { return not_as_named_; }

 private:
  void begin();
  // Makes more of the text, and is false at the end.
  bool decode_more();

  ByteStream& inner_;
  PeekStream peeked_;
  Encoding encoding_;
  std::unique_ptr<Charset> charset_;  // of kNamed
  std::optional<NoUtf8> not_as_named_;
  bool is_utf32_ = false;
  std::size_t zero_of_utf16_ = 0;
  bool begun_ = false;
  bool ended_ = false;
  Utf8Watch watch_;     // of what is read as UTF-8 or Windows-1252
  std::string packed_;  // bytes of a character that is not complete
  std::string text_;
  std::size_t taken_ = 0;  // of the text
};

// Empty if all of it is UTF-8. `column` is how many bytes of its line stand before the text.
[[nodiscard]] std::optional<NoUtf8> no_utf8(std::string_view text, std::size_t column = 0);

}  // namespace chirp::cli::input
