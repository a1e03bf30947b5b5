// Texts in other encodings than UTF-8: read as they are said to be, and told by a look at what is
// wrong with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/byte_stream.h"

namespace chirp::cli::input {

enum class Encoding : std::uint8_t { kUtf8, kWindows1252, kUtf16Little, kUtf16Big };

// `utf-8`, `windows-1252` (`cp1252`, `latin-1`, `iso-8859-1`), `utf-16`, in any case.
[[nodiscard]] std::optional<Encoding> encoding_named(std::string_view name);

// A stream as UTF-8. A byte order mark of UTF-16 goes before what is said; a byte without a meaning
// becomes U+FFFD.
class DecodedStream : public ByteStream {
 public:
  DecodedStream(ByteStream& inner, Encoding encoding)
      : inner_(inner), peeked_(inner), encoding_(encoding) {}

  std::size_t read(std::span<char> into) override;
  [[nodiscard]] std::string name() const override { return inner_.name(); }

 private:
  // Makes more of the text, and is false at the end.
  bool decode_more();

  ByteStream& inner_;
  PeekStream peeked_;
  Encoding encoding_;
  bool begun_ = false;
  std::string packed_;  // bytes of a character that is not complete
  std::string text_;
  std::size_t taken_ = 0;  // of the text
};

// Where a text stops being UTF-8, and what it looks like.
struct NoUtf8 {
  std::uint64_t lines = 0;  // line ends before it
  std::string words;
};
// Empty if all of it is UTF-8. `column` is how many bytes of its line stand before the text.
[[nodiscard]] std::optional<NoUtf8> no_utf8(std::string_view text, std::size_t column = 0);

}  // namespace chirp::cli::input
