// Advisory locks on files of a data directory, between processes and within one.
//
// They are open-file-description locks: they belong to the handle, end with it or with the process,
// and exclude other handles of the same process too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "store/files.h"

namespace chirp::store {

class LockFile {
 public:
  enum class Kind : std::uint8_t { kShared, kExclusive };

  // Empty if somebody else holds it in the way. Makes the file if it is missing. A shared lock on a
  // file that is there works in a directory that can't be written. Throws as throw_errno does.
  static std::optional<LockFile> try_lock(const std::filesystem::path& path, Kind kind);
  // Waits for at most limits::kBusyMs.
  static std::optional<LockFile> lock(const std::filesystem::path& path, Kind kind);

  // Whether somebody holds a lock of either kind; takes none. False for a file that is not there.
  // Whoever may not open the file is told what the system lists.
  // Throws as throw_errno does.
  static bool is_held(const std::filesystem::path& path);

  [[nodiscard]] const File& file() const { return file_; }

 private:
  explicit LockFile(File file) : file_(std::move(file)) {}
  File file_;
};

}  // namespace chirp::store
