// Checks that the names of a data directory still lead to the files that this process has open.
//
// If the directory is moved, replaced or removed, writes to the open files still succeed, but the
// data are lost. So the names are checked after every write, before it is acknowledged. Safe to
// call from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "store/files.h"
#include "store/layout.h"

namespace chirp::store {

struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  bool operator==(const FileId&) const = default;
};

class DirectoryWatch {
 public:
  // Looks up files in the file system; tests supply their own.
  struct Looks {
    // Returns the file that `name` leads to in an open folder; empty if it is missing. An absolute
    // name ignores the folder.
    std::function<std::optional<FileId>(int folder, const std::filesystem::path& name)> named;
    std::function<std::optional<FileId>(int file)> opened;
  };
  static Looks usual_looks();

  // Records the files at the names of `layout`, before they are opened. `given` is the user's name
  // for the directory, which may be a link to it. Throws Error{kIo} if the directory is missing.
  DirectoryWatch(const Layout& layout, const std::filesystem::path& given,
                 Looks looks = usual_looks());

  // Records the files that SQLite and LMDB made when opening their stores, and checks that they
  // opened the files recorded before. With `users` false, SQLite's files are skipped, because a
  // copy of them is open. Throws as check() does.
  void note_opened(bool users);

  // Throws Error{kReadOnly} with the reason if a name leads elsewhere.
  void check();
  // Likewise, but does nothing unless the last check found a problem.
  void before_write();
  // Checks after a write, before it is acknowledged. Throws Error{kUnavailable} with field
  // "outcome".
  void after_write();

 private:
  struct Watched {
    std::filesystem::path name;  // within the directory; the directory's own names are absolute
    File file;                   // for checking only: closing it releases no lock
    FileId id;
  };

  void note_directory(const std::filesystem::path& name);
  void note(const std::filesystem::path& name);
  // Returns what changed, or empty.
  [[nodiscard]] std::optional<std::string> look();
  [[nodiscard]] bool holds(Watched& watched) const;
  [[nodiscard]] std::string fate_of(const Watched& watched) const;
  [[nodiscard]] std::optional<FileId> named(const Watched& watched) const;

  std::filesystem::path root_;
  std::filesystem::path given_;  // empty if it is root_
  Looks looks_;
  std::mutex mutex_;
  std::vector<Watched> watched_;  // the directory comes first
  std::atomic<bool> lost_{false};
};

}  // namespace chirp::store
