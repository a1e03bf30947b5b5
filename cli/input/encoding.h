// Texts in other encodings than UTF-8: decodes them as declared, and describes invalid ones.
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

// Parses `utf-8`, `windows-1252` (`cp1252`, `latin-1`, `iso-8859-1`), `mixed` or `utf-16`, in any
// case, or a name that iconv knows.
[[nodiscard]] std::optional<Encoding> encoding_named(std::string_view name);

[[nodiscard]] std::string_view encoding_name(Encoding encoding);

// The position at which a text stops being UTF-8, and its likely encoding.
struct NoUtf8 {
  std::uint64_t lines = 0;  // line ends before it
  std::string words;
};

// Checks whether a text that arrives in pieces is UTF-8.
class Utf8Watch {
 public:
  void take(std::string_view piece);
  // Whether the text so far is UTF-8 and has characters beyond ASCII.
  [[nodiscard]] bool is_utf8() const { return valid_ && high_ && rest_.empty(); }
  [[nodiscard]] bool is_valid() const { return valid_; }

 private:
  std::string rest_;  // an incomplete character
  bool valid_ = true;
  bool high_ = false;
};

// Decodes a stream to UTF-8. A byte order mark overrides the declared encoding. An undecodable byte
// becomes U+FFFD. The byte order of UTF-16 without a mark comes from its first characters.
class DecodedStream : public ByteStream {
 public:
  // `name` is the name of a kNamed encoding.
  DecodedStream(ByteStream& inner, Encoding encoding, std::string name = {});
  ~DecodedStream() override;

  std::size_t read(std::span<char> into) override;
  [[nodiscard]] std::string name() const override { return inner_.name(); }
  // The actual encoding, after the first read.
  [[nodiscard]] Encoding encoding() const { return encoding_; }
  // Whether the text begins with a byte order mark of UTF-32, which is not supported. That mark
  // begins like one of UTF-16, but a UTF-16 text does not continue with a zero character.
  [[nodiscard]] bool is_utf32() const { return is_utf32_; }
  // If a text declared as UTF-8 begins like UTF-16 without a mark: the position of the first zero,
  // from 1; else 0.
  [[nodiscard]] std::size_t zero_of_utf16() const { return zero_of_utf16_; }
  // Whether the whole text was read as Windows-1252, but is valid UTF-8 beyond ASCII.
  [[nodiscard]] bool is_utf8_after_all() const {
    return encoding_ == Encoding::kWindows1252 && ended_ && watch_.is_utf8();
  }
  // Whether what was read so far as UTF-8 is valid and has characters beyond ASCII.
  [[nodiscard]] bool is_utf8() const { return encoding_ == Encoding::kUtf8 && watch_.is_utf8(); }
  // Whether what was read so far as UTF-8 is not valid.
  [[nodiscard]] bool is_other() const { return encoding_ == Encoding::kUtf8 && !watch_.is_valid(); }
  // The first undecodable byte in the named encoding, within the first 4 MiB of the text. These are
  // decoded before anything is read.
  [[nodiscard]] const std::optional<NoUtf8>& not_as_named() const { return not_as_named_; }

 private:
  void begin();
  // Decodes more of the text; false at the end.
  bool decode_more();

  ByteStream& inner_;
  PeekStream peeked_;
  Encoding encoding_;
  std::unique_ptr<Charset> charset_;  // for kNamed
  std::optional<NoUtf8> not_as_named_;
  bool is_utf32_ = false;
  std::size_t zero_of_utf16_ = 0;
  bool begun_ = false;
  bool ended_ = false;
  Utf8Watch watch_;     // for UTF-8 and Windows-1252
  std::string packed_;  // bytes of an incomplete character
  std::string text_;
  std::size_t taken_ = 0;  // bytes of `text_` already returned
};

// Empty if all of it is UTF-8. `column` is the number of bytes in its line before the text.
[[nodiscard]] std::optional<NoUtf8> no_utf8(std::string_view text, std::size_t column = 0);

}  // namespace chirp::cli::input
