// Whether the names of a data directory still lead to the files that this process has open.
//
// A directory that is moved, replaced or removed leaves the open files behind: writes to them
// succeed and nobody ever finds them. So every write is followed by a look at the names, before it
// is acknowledged. Safe to call from any thread.
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
  // What the file system says; tests bring their own.
  struct Looks {
    // The file that `name` leads to from an open folder; of an absolute one the folder does not
    // count. Empty if there is none.
    std::function<std::optional<FileId>(int folder, const std::filesystem::path& name)> named;
    std::function<std::optional<FileId>(int file)> opened;
  };
  static Looks usual_looks();

  // Notes what is at the names of `layout` now, before it is opened. Throws Error{kIo} if the
  // directory is not there.
  explicit DirectoryWatch(const Layout& layout, Looks looks = usual_looks());

  // Notes what SQLite and LMDB have made when they opened theirs, and checks that they have opened
  // what was noted before. Without those of SQLite if what is open of it is a copy. Throws as
  // check() does.
  void note_opened(bool users);

  // Throws Error{kReadOnly} that says what became of the directory, if a name leads elsewhere.
  void check();
  // The same, but costs nothing unless the last look found something.
  void before_write();
  // After a write, and before it is acknowledged. Throws Error{kUnavailable} of the field
  // "outcome".
  void after_write();

 private:
  struct Watched {
    std::filesystem::path name;  // within the directory; its own whole path
    File file;                   // for looking at alone: closing it ends no lock
    FileId id;
  };

  void note(const std::filesystem::path& name);
  // Empty if all is as it was.
  [[nodiscard]] std::optional<std::string> look();
  [[nodiscard]] bool holds(Watched& watched) const;
  [[nodiscard]] std::string fate_of(const Watched& watched) const;
  [[nodiscard]] std::optional<FileId> named(const Watched& watched) const;

  std::filesystem::path root_;
  Looks looks_;
  std::mutex mutex_;
  std::vector<Watched> watched_;  // the directory first
  std::atomic<bool> lost_{false};
};

}  // namespace chirp::store
