#include "store/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/error.h"
#include "store/room.h"

namespace chirp::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = 1 << 20;

class Hasher {
 public:
  Hasher() : state_(XXH3_createState()) {
    check(state_ != nullptr && XXH3_128bits_reset(state_.get()) == XXH_OK, "a hash can be begun");
  }
  void add(std::string_view bytes) {
    XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
    total_ += bytes.size();
  }
  [[nodiscard]] FileHash result() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return {fmt::format("{:016x}{:016x}", hash.high64, hash.low64), total_};
  }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_;
  std::uint64_t total_ = 0;
};

// Passes the file to `take`, block by block.
void read_blocks(const fs::path& path, const std::function<void(std::string_view)>& take) {
  const File file = File::open(path, O_RDONLY);
  // Not zero-filled: most files are far smaller, and each page touched causes a fault.
  const auto block = std::make_unique_for_overwrite<char[]>(kBlock);
  for (;;) {
    const ssize_t got = ::read(file.fd(), block.get(), kBlock);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno("Reading", path, errno);
    if (got == 0) return;
    take({block.get(), static_cast<std::size_t>(got)});
  }
}

}  // namespace

void throw_irregular(const fs::path& path) {
  throw Error(ErrorCode::kCorrupt,
              fmt::format("{} is no regular file, as it has to be. Take it away and restore a "
                          "backup with `chirp restore`.",
                          path.string()));
}

void throw_errno(std::string_view doing, const fs::path& path, int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      throw Error(ErrorCode::kStorageFull,
                  fmt::format("{} {} failed: {}. {}", doing, path.string(), std::strerror(error),
                              room_advice(error, path)));
    case EROFS:
    case EACCES:
    case EPERM:
      throw Error(ErrorCode::kReadOnly,
                  fmt::format("{} {} failed: {}. Check who owns it, or choose another place with "
                              "--data.",
                              doing, path.string(), std::strerror(error)));
    default: {
      const std::string advice = limit_advice(error);
      throw Error(ErrorCode::kIo,
                  fmt::format("{} {} failed: {}.{}{}", doing, path.string(), std::strerror(error),
                              advice.empty() ? "" : " ", advice));
    }
  }
}

File File::try_open(const fs::path& path, int flags) noexcept {
  return try_open_at(AT_FDCWD, path, flags);
}

File File::try_open_at(int folder, const fs::path& name, int flags) noexcept {
  // Opening a pipe in the file's place must not block, nor a terminal become ours.
  int fd = ::openat(folder, name.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
  // Even if standard streams are closed, never uses 0, 1 or 2: output would go into the store.
  while (fd >= 0 && fd <= STDERR_FILENO) {
    const int above = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(fd);
    fd = above;
  }
  return File(fd);
}

File File::open(const fs::path& path, int flags) {
  File file = try_open(path, flags);
  if (!file) throw_errno((flags & O_CREAT) != 0 ? "Making" : "Opening", path, errno);
  struct stat facts {};
  if (::fstat(file.fd(), &facts) != 0) throw_errno("Opening", path, errno);
  if (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode)) return file;
  throw_irregular(path);
}

void check_regular(const fs::path& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0 || S_ISREG(facts.st_mode)) return;
  if (!S_ISLNK(facts.st_mode)) throw_irregular(path);
  throw Error(
      ErrorCode::kCorrupt,
      fmt::format("{} is a link to another file, which would be left behind with all that is "
                  "in it when this one is written anew. Put the file itself in its place.",
                  path.string()));
}

File::~File() {
  if (fd_ >= 0) ::close(fd_);
}

File::File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

void write_all(const File& file, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file.fd(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw_errno("Writing", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

void sync(const File& file, const fs::path& path) {
  if (::fsync(file.fd()) != 0) throw_errno("Writing", path, errno);
}

void sync_folder(const fs::path& folder) {
  const File file = File::open(folder, O_RDONLY | O_DIRECTORY);
  // Some file systems (vboxsf, 9p, some FUSE ones) can't sync a folder, and return EINVAL.
  if (::fsync(file.fd()) != 0 && errno != EINVAL) throw_errno("Writing", folder, errno);
}

void sync_tree(const fs::path& root) {
  walk(root, [](const fs::path& path, fs::file_type type) {
    if (type == fs::file_type::regular) sync(File::open(path, O_RDONLY), path);
    if (type == fs::file_type::directory) sync_folder(path);
  });
  sync_folder(root);
}

void walk(const fs::path& folder,
          const std::function<void(const fs::path&, fs::file_type)>& visit) {
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  while (!error && at != fs::recursive_directory_iterator()) {
    const fs::file_type type = at->symlink_status(error).type();
    if (type == fs::file_type::not_found) error.clear();
    if (error) break;
    if (type != fs::file_type::not_found) visit(at->path(), type);
    at.increment(error);
  }
  if (error) throw_errno("Reading", folder, error.value());
}

std::uint64_t bytes_below(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const std::string& file : files_below(folder)) {
    std::error_code gone;
    const auto size = fs::file_size(folder / file, gone);
    if (!gone) bytes += size;
  }
  return bytes;
}

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  if (!fs::exists(folder, error) && !error) return files;
  walk(folder, [&](const fs::path& path, fs::file_type type) {
    if (type == fs::file_type::regular) files.push_back(path.lexically_relative(folder).string());
  });
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_small_file(const fs::path& path, std::size_t most) {
  std::string text;
  read_blocks(path, [&](std::string_view block) {
    if (text.size() + block.size() > most) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("{} is not what it should be: it has more than {} bytes.",
                              path.string(), most));
    }
    text += block;
  });
  return text;
}

void make_folder(const fs::path& path) {
  if (::mkdir(path.c_str(), 0700) != 0) throw_errno("Making", path, errno);
}

void make_folders(const fs::path& path) {
  std::error_code error;
  if (path.empty() || fs::is_directory(path, error)) return;
  make_folders(path.parent_path());
  make_folder(path);
}

void move_file(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw_errno("Replacing", to, errno);
}

void remove_tree(const fs::path& path) noexcept {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

FileHash hash_of(const fs::path& path) {
  Hasher hasher;
  read_blocks(path, [&](std::string_view block) { hasher.add(block); });
  return hasher.result();
}

FileHash copy_hashed(const fs::path& from, const fs::path& to) {
  const File file = File::open(to, O_WRONLY | O_CREAT | O_EXCL);
  Hasher hasher;
  read_blocks(from, [&](std::string_view block) {
    hasher.add(block);
    write_all(file, block, to);
  });
  sync(file, to);
  return hasher.result();
}

}  // namespace chirp::store
