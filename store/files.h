// Files and folders of a data directory: opened by descriptor, written durably, with our errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace chirp::store {

// Throws our Error for an errno: kStorageFull, kReadOnly or kIo. `doing` and `path` begin the
// message: "Writing /data/chirp.format failed: …".
[[noreturn]] void throw_errno(std::string_view doing, const std::filesystem::path& path, int error);

// An open descriptor; closed on exec, never 0, 1 or 2.
class File {
 public:
  // `flags` of open(2); new files get mode 0600. Throws as throw_errno does, and Error{kCorrupt}
  // for a pipe, a device or a socket, without waiting for it.
  static File open(const std::filesystem::path& path, int flags);
  // Returns an empty handle and keeps errno, instead of throwing.
  static File try_open(const std::filesystem::path& path, int flags) noexcept;
  // The same for a name in an open folder.
  static File try_open_at(int folder, const std::filesystem::path& name, int flags) noexcept;

  File() = default;
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  [[nodiscard]] int fd() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  explicit File(int fd) : fd_(fd) {}
  int fd_ = -1;
};

// Throws Error{kCorrupt} if the path is not a regular file.
void check_regular(const std::filesystem::path& path);
// Throws the error for a path that is not a regular file.
[[noreturn]] void throw_irregular(const std::filesystem::path& path);

void write_all(const File& file, std::string_view bytes, const std::filesystem::path& path);
void sync(const File& file, const std::filesystem::path& path);
// Makes the creation, renaming and removal of names in a folder durable.
void sync_folder(const std::filesystem::path& folder);
// Syncs `root` and every file and folder below it.
void sync_tree(const std::filesystem::path& root);

// Reads a file of at most `most` bytes. Throws {kIo}; {kCorrupt} if it is longer.
[[nodiscard]] std::string read_small_file(const std::filesystem::path& path, std::size_t most);

// Makes a folder with mode 0700. Throws as throw_errno does.
void make_folder(const std::filesystem::path& path);
// The same, with its missing parents.
void make_folders(const std::filesystem::path& path);
// Renames a file, replacing an existing one. Durable only after sync_folder.
void move_file(const std::filesystem::path& from, const std::filesystem::path& to);
// Removes what it can and skips the rest. Never throws, for cleaning up.
void remove_tree(const std::filesystem::path& path) noexcept;

// Visits everything below a folder, which must exist, in no order. Skips what disappears meanwhile.
// Does not follow links. Throws {kIo}.
void walk(
    const std::filesystem::path& folder,
    const std::function<void(const std::filesystem::path&, std::filesystem::file_type)>& visit);

// Returns the regular files below `folder`, as relative paths in ascending order; empty if the
// folder is missing. Does not follow links. Throws {kIo}.
[[nodiscard]] std::vector<std::string> files_below(const std::filesystem::path& folder);

// Returns the bytes of the files below `folder`; 0 if it is missing. Throws {kIo}.
[[nodiscard]] std::uint64_t bytes_below(const std::filesystem::path& folder);

// 128 bits of XXH3 in hexadecimal.
struct FileHash {
  std::string hash;
  std::uint64_t bytes = 0;

  bool operator==(const FileHash&) const = default;
};
[[nodiscard]] FileHash hash_of(const std::filesystem::path& path);
// Copies into a file that must not exist; durable, except for the entry in its folder. Returns the
// hash of the bytes read.
FileHash copy_hashed(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace chirp::store
