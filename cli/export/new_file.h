// A file of an export.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "core/engine.h"
#include "store/copied.h"
#include "store/disk_reserve.h"

namespace chirp::cli {

// The files of an export: uploads that a post or a profile in it names, each under its id.
class ExportMedia {
 public:
  // Makes the folder. What it writes is added to `copied`, and keeps `reserve`; both outlive it.
  ExportMedia(const MediaStore& media, std::filesystem::path folder, store::DiskReserve& reserve,
              store::Copied& copied);

  // Writes a file once, even if several rows name it. Skips an upload that is being removed with
  // its owner. Throws Error{kCorrupt} for damaged bytes.
  void add(MediaId upload);

 private:
  const MediaStore& media_;
  std::filesystem::path folder_;
  store::DiskReserve& reserve_;
  store::Copied& copied_;
  std::set<MediaId> written_;
};

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
