// Streams of bytes: files, and decompressors around them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
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

// The bytes of a file, a pipe or standard input, still packed.
class RawFile : public ByteStream {
 public:
  // The accepted files: kAny is anything readable except a named pipe; kRegular is a regular file.
  enum class Kind : std::uint8_t { kAny, kRegular };
  // `-` is standard input. Throws Error{kBadInput} with the reason if it can't be opened.
  explicit RawFile(const std::string& path, Kind kind = Kind::kAny);
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;
  ~RawFile() override;

  std::size_t read(std::span<char> into) override;

  [[nodiscard]] std::string name() const override { return name_; }
  // Any thread may call it.
  [[nodiscard]] std::uint64_t bytes_read() const { return read_.load(std::memory_order_relaxed); }
  // The size of a regular file; empty for a pipe.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }

  // For regular files only: moves the read position, like lseek. Returns -1 on failure.
  std::int64_t seek(std::int64_t offset, int whence);
  // Returns up to `most` bytes from `offset` on. Does not move the read position or count the
  // bytes.
  [[nodiscard]] std::string look(std::uint64_t offset, std::size_t most) const;

 private:
  std::string name_;
  int fd_ = -1;
  bool owned_ = false;
  std::optional<std::uint64_t> size_;
  std::atomic<std::uint64_t> read_{0};
};

}  // namespace chirp::cli::input
