// A new directory of files that appears under its name when it is complete, or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace chirp::cli {

// A folder for whoever makes it and nobody else. Throws as NewDirectory does.
void make_private_folder(const std::filesystem::path& path);

// Gathers in `<path>.tmp.<pid>` beside `path`. Throws Error{kConflict} if there is something at
// `path` other than an empty directory, {kIo}, {kReadOnly} or {kStorageFull} if it can't be made.
class NewDirectory {
 public:
  explicit NewDirectory(std::filesystem::path path);
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;
  ~NewDirectory();  // removes what was not committed

  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }
  // Durable when it returns.
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

// A file that is written once, front to back, for whoever makes it and nobody else.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  void write(std::string_view text);
  // Durable when it returns, its name aside. The size in bytes.
  std::uint64_t finish();

 private:
  void flush();
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  int fd_;
  std::string pending_;
  std::uint64_t bytes_ = 0;
};

}  // namespace chirp::cli
