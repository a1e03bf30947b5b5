// A copy of the users' file to read from where SQLite can't keep its locks: in a directory that may
// not be written, or on a disk that is full.
//
// The file and its log are taken as a crash at one moment would leave them, which SQLite knows how
// to read. That it was one moment is told by the times of their last change: both were at rest when
// they were looked at first, and are the same when they are looked at last.
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
  // Copies `file` into `folder`, which has nothing of its name. Throws Error{kUnavailable} if it is
  // never at rest before the deadline, {kIo}, {kStorageFull}, {kCorrupt} if it is missing.
  PrivateCopy(std::filesystem::path file, const std::filesystem::path& folder,
              const store::Deadline& deadline);

  [[nodiscard]] const std::filesystem::path& path() const { return copy_; }
  // Whether nobody has changed the file since it was copied.
  [[nodiscard]] bool is_current() const;

 private:
  // The file and its log; a file that is not there is all zeros.
  using Look = std::array<struct stat, 2>;

  [[nodiscard]] Look look() const;
  void take(const Look& before) const;

  std::filesystem::path file_;
  std::filesystem::path log_;
  std::filesystem::path copy_;
  Look taken_{};
};

// Bytes that a copy takes.
[[nodiscard]] std::uint64_t bytes_to_copy(const std::filesystem::path& file);

// Who waits for a directory that is being written asks again so often.
inline constexpr auto kLookAgain = std::chrono::milliseconds(1);

}  // namespace chirp::sqlite
