// A file or standard input, as it lies on the disk.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/input/byte_stream.h"

namespace chirp::cli::input {

class RawFile : public ByteStream {
 public:
  // `-` is standard input. Throws Error{kBadInput} saying why it can't be opened.
  explicit RawFile(const std::string& path);
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;
  ~RawFile() override;

  std::size_t read(std::span<char> into) override;

  // As a person would name it.
  [[nodiscard]] const std::string& name() const { return name_; }
  // From any thread.
  [[nodiscard]] std::uint64_t bytes_read() const { return read_.load(std::memory_order_relaxed); }
  // Of a regular file; empty for a pipe.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }

  // For regular files alone: where the next read starts, as lseek has it. -1 on failure.
  std::int64_t seek(std::int64_t offset, int whence);

 private:
  std::string name_;
  int fd_ = -1;
  bool owned_ = false;
  std::optional<std::uint64_t> size_;
  std::atomic<std::uint64_t> read_{0};
};

}  // namespace chirp::cli::input
