// A file of an export.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "store/disk_reserve.h"

namespace chirp::cli {

// A new file, written once from front to back, readable by its owner only.
class NewFile {
 public:
  // Throws Error{kIo}, {kReadOnly} or {kStorageFull} if it can't be made, as the others do. They
  // keep `reserve`, which outlives it, unless that is null.
  explicit NewFile(const std::filesystem::path& path, store::DiskReserve* reserve = nullptr);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  void write(std::string_view text);
  // Durable when it returns, its name aside. The size in bytes.
  std::uint64_t finish();

 private:
  void flush();
  void send_to_disk();
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  int fd_;
  store::DiskReserve* reserve_;
  std::string pending_;
  std::uint64_t bytes_ = 0;
  std::uint64_t written_ = 0;  // to the file
  std::uint64_t sent_ = 0;     // bytes whose writing to disk has begun
};

}  // namespace chirp::cli
