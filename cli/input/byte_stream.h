// Streams of bytes: files, and decompressors around them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace chirp::cli::input {

// Every failure throws Error{kBadInput} with the input's name.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Reads at least one byte into `into`, which is not empty. Returns 0 only at the end.
  virtual std::size_t read(std::span<char> into) = 0;
  // The name in messages.
  [[nodiscard]] virtual std::string name() const { return "the input"; }
};

// A stream with lookahead.
class PeekStream : public ByteStream {
 public:
  explicit PeekStream(ByteStream& inner) : inner_(inner) {}

  // The next `size` bytes, or fewer at the end. Valid until the next call.
  std::string_view peek(std::size_t size);
  std::size_t read(std::span<char> into) override;

 private:
  ByteStream& inner_;
  std::string ahead_;
  std::size_t taken_ = 0;
};

}  // namespace chirp::cli::input
