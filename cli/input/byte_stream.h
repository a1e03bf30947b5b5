// Streams of bytes: a file, and what unpacks it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace chirp::cli::input {

// Every failure is an Error{kBadInput} that names the input.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // At least one byte, up to the size of `into`; 0 at the end alone. `into` is not empty.
  virtual std::size_t read(std::span<char> into) = 0;
  // As a person would name it.
  [[nodiscard]] virtual std::string name() const { return "the input"; }
};

// A stream whose first bytes can be looked at before they are read.
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
