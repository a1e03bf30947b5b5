// A folder for temporary files. Only its owner may use it, and it is removed with its content at
// the end.
//
// It is marked and locked like an unfinished folder (store/build_folder.h). If a process is killed,
// the user's next process that makes such a folder in the same place removes what was left.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "store/lock_file.h"

namespace chirp::store {

class PrivateFolder {
 public:
  // Makes the folder below $TMPDIR, /tmp or /dev/shm: the first that is writable and has room for
  // `bytes`. Throws Error{kStorageFull} without room.
  explicit PrivateFolder(std::uint64_t bytes);
  // Makes the folder in `place`; its name begins with `prefix`. Throws Error{kIo} if it can't be
  // made.
  PrivateFolder(const std::filesystem::path& place, std::string_view prefix);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  // Returns false and sets errno if the folder can't be made.
  bool make(const std::filesystem::path& place, std::string_view prefix);

  std::filesystem::path path_;
  std::optional<LockFile> mark_;
};

}  // namespace chirp::store
