// Unpacks gzip, with its check sums and lengths checked, and zstd, frame by frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cli/input/byte_stream.h"

namespace chirp::cli::input {

// Consecutive members form one stream, and zeros may pad the end. Throws Error{kBadInput} for data
// that is damaged, cut off, or followed by something else.
class GzipStream : public ByteStream {
 public:
  // `packed` starts with a gzip header; `name` is for messages.
  GzipStream(ByteStream& packed, std::string name);
  ~GzipStream() override;

  std::size_t read(std::span<char> into) override;

 private:
  struct State;

  bool refill();
  bool next_member();
  [[noreturn]] void fail(const char* what) const;

  ByteStream& packed_;
  std::string name_;
  std::unique_ptr<State> state_;
};

// The default limit of the window, in bytes: the format recommends that every decoder support it.
inline constexpr std::uint64_t kZstdWindow = std::uint64_t{128} << 20;

// Throws Error{kBadInput} for data that is damaged or cut off, and for a frame whose window is
// larger than `window_max` bytes, before it reads the frame: a decoder holds a whole window in
// memory.
class ZstdStream : public ByteStream {
 public:
  // `packed` starts with a frame; `name` is for messages.
  ZstdStream(ByteStream& packed, std::string name, std::uint64_t window_max);
  ~ZstdStream() override;

  std::size_t read(std::span<char> into) override;

 private:
  struct State;

  bool refill();
  [[noreturn]] void fail(std::size_t code) const;

  ByteStream& packed_;
  std::string name_;
  std::unique_ptr<State> state_;
};

}  // namespace chirp::cli::input
