// Advisory locks on files of a data directory, between processes and within one.
//
// They are open-file-description locks: a lock belongs to its handle, ends with it or with the
// process, and excludes other handles of the same process too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "store/files.h"

namespace chirp::store {

class LockFile {
 public:
  enum class Kind : std::uint8_t { kShared, kExclusive };

  // Returns empty if another handle holds a conflicting lock. Makes the file if it is missing. A
  // shared lock on an existing file works in a read-only directory. Throws as throw_errno does.
  static std::optional<LockFile> try_lock(const std::filesystem::path& path, Kind kind);
  // Waits for at most limits::kBusyMs.
  static std::optional<LockFile> lock(const std::filesystem::path& path, Kind kind);

  // Whether another process holds a lock of either kind; takes none. False for a missing file. If
  // the caller may not open the file, reads the system's list of locks. Throws as throw_errno does.
  static bool is_held(const std::filesystem::path& path);

  [[nodiscard]] const File& file() const { return file_; }

 private:
  explicit LockFile(File file) : file_(std::move(file)) {}
  File file_;
};

}  // namespace chirp::store
