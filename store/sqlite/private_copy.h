// A copy of the users' file, to read where SQLite can't keep its locks: in a directory that can't
// be written, or on a full disk.
//
// The file and its log are copied as a crash at one moment would leave them, which SQLite can
// recover. The times of their last change show that it was one moment: both were at rest before the
// copy, and have the same times after it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <sys/stat.h>

#include "store/deadline.h"

namespace chirp::sqlite {

class PrivateCopy {
 public:
  // Copies `file` into `folder`, under its name, which must be free. Throws Error{kUnavailable} if
  // it is not at rest before the deadline, {kIo}, {kStorageFull}, {kCorrupt} if it is missing.
  PrivateCopy(std::filesystem::path file, const std::filesystem::path& folder,
              const store::Deadline& deadline);

  [[nodiscard]] const std::filesystem::path& path() const { return copy_; }
  // Whether the file is unchanged since it was copied.
  [[nodiscard]] bool is_current() const;

 private:
  // The file and its log; all zeros for a missing file.
  using Look = std::array<struct stat, 2>;

  [[nodiscard]] Look look() const;
  void take(const Look& before) const;

  std::filesystem::path file_;
  std::filesystem::path log_;
  std::filesystem::path copy_;
  Look taken_{};
};

// Returns the bytes that a copy takes.
[[nodiscard]] std::uint64_t bytes_to_copy(const std::filesystem::path& file);

// The interval between checks of a directory that is being written.
inline constexpr auto kLookAgain = std::chrono::milliseconds(1);

}  // namespace chirp::sqlite
