// A file, a pipe or standard input, as it lies on the disk.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/input/byte_stream.h"

namespace chirp::cli::input {

class RawFile : public ByteStream {
 public:
  // What may be named: anything that can be read but a pipe with a name of its own, or a file on a
  // disk alone.
  enum class Kind : std::uint8_t { kAny, kRegular };
  // `-` is standard input. Throws Error{kBadInput} saying why it can't be opened.
  explicit RawFile(const std::string& path, Kind kind = Kind::kAny);
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;
  ~RawFile() override;

  std::size_t read(std::span<char> into) override;

  [[nodiscard]] std::string name() const override { return name_; }
  // From any thread.
  [[nodiscard]] std::uint64_t bytes_read() const { return read_.load(std::memory_order_relaxed); }
  // Of a regular file; empty for a pipe.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }

  // For regular files alone: where the next read starts, as lseek has it. -1 on failure.
  std::int64_t seek(std::int64_t offset, int whence);
  // The bytes from `offset` on, as many as there are and `most` at most, without moving where the
  // next read starts, or counting them.
  [[nodiscard]] std::string look(std::uint64_t offset, std::size_t most) const;

 private:
  std::string name_;
  int fd_ = -1;
  bool owned_ = false;
  std::optional<std::uint64_t> size_;
  std::atomic<std::uint64_t> read_{0};
};

}  // namespace chirp::cli::input
