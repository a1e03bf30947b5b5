// A folder for temporary files, for its owner alone, gone with all that is in it at the end.
//
// It is marked and locked as a folder in the making (store/build_folder.h). What a process that was
// killed has left is removed by the next one of the same user that makes such a folder there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "store/lock_file.h"

namespace chirp::store {

class PrivateFolder {
 public:
  // Below $TMPDIR, else /tmp, else /dev/shm: the first that can be written and has room for
  // `bytes`. Throws Error{kStorageFull} if none has.
  explicit PrivateFolder(std::uint64_t bytes);
  // In `place`, with a name that begins so. Throws Error{kIo} if it can't be made.
  PrivateFolder(const std::filesystem::path& place, std::string_view prefix);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  // False, and errno says why, if it can't be made.
  bool make(const std::filesystem::path& place, std::string_view prefix);

  std::filesystem::path path_;
  std::optional<LockFile> mark_;
};

}  // namespace chirp::store
