#include "store/checked_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/secrets.h"

namespace chirp::store {
namespace {

constexpr std::size_t kPieceBytes = 64 << 10;
constexpr int kTries = 3;  // for a file that changes while it is read
constexpr std::int64_t kSecondNs = 1'000'000'000;

std::atomic<std::uint64_t> hashed{0};

std::int64_t ns_of(const timespec& time) { return time.tv_sec * kSecondNs + time.tv_nsec; }

struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  bool operator==(const FileState&) const = default;
};

// Returns the time of the clock used for ctime, or of one that is ahead of it by a tick.
std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return ns_of(now);
}

// Files whose content was found to match the hash in their name. Each hash has one slot, shared
// with other hashes.
class CheckedFiles {
 public:
  [[nodiscard]] bool knows(const std::string& hash, const FileState& identity) {
    const std::lock_guard lock(mutex_);
    const Slot& slot = slot_of(hash);
    return slot.hash == key_of(hash) && slot.identity == identity;
  }
  void note(const std::string& hash, const FileState& identity) {
    const std::lock_guard lock(mutex_);
    slot_of(hash) = {key_of(hash), identity};
  }

 private:
  using Key = std::array<char, 64>;
  struct Slot {
    Key hash{};
    FileState identity;
  };
  static Key key_of(const std::string& hash) {
    Key key{};
    std::copy_n(hash.begin(), std::min(hash.size(), key.size()), key.begin());
    return key;
  }
  Slot& slot_of(const std::string& hash) {
    return slots_[std::hash<std::string>{}(hash) % slots_.size()];
  }

  std::mutex mutex_;
  std::vector<Slot> slots_{kCheckedFilesMax};
};

CheckedFiles& checked_files() {
  static CheckedFiles files;
  return files;
}

class CheckedFile final : public MediaFile {
 public:
  CheckedFile(File file, std::string hash, std::filesystem::path path,
              std::chrono::milliseconds settled)
      : file_(std::move(file)),
        hash_(std::move(hash)),
        path_(std::move(path)),
        settled_(settled),
        checked_(checked()) {}

  void read(std::uint64_t offset, std::span<char> into) const override {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < kTries; ++i) {
      fill(offset, into);
      if (identity() == checked_) return;
      // If only its name has changed, reading continues.
      checked_ = checked();
    }
    throw_damaged(path_);
  }

 private:
  [[nodiscard]] FileState identity() const {
    struct stat found {};
    if (::fstat(file_.fd(), &found) != 0) throw_errno("Reading", path_, errno);
    if (!S_ISREG(found.st_mode)) throw_damaged(path_);
    return {found.st_dev, found.st_ino, static_cast<std::uint64_t>(found.st_size),
            ns_of(found.st_mtim), ns_of(found.st_ctim)};
  }

  void fill(std::uint64_t offset, std::span<char> into) const {
    while (!into.empty()) {
      const ssize_t count =
          ::pread(file_.fd(), into.data(), into.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw_errno("Reading", path_, errno);
      if (count == 0) throw_damaged(path_);
      offset += static_cast<std::uint64_t>(count);
      into = into.subspan(static_cast<std::size_t>(count));
    }
  }

  // Returns the file's identity after checking its hash.
  [[nodiscard]] FileState checked() const {
    for (int i = 0; i < kTries; ++i) {
      const FileState before = identity();
      if (checked_files().knows(hash_, before)) return before;
      if (before.size > limits::kMediaBytesMax || hash_of_all(before.size) != hash_) continue;
      if (identity() != before) continue;
      const std::int64_t settled_ns = std::chrono::nanoseconds(settled_).count();
      if (now_ns() - before.changed_ns >= settled_ns) checked_files().note(hash_, before);
      return before;
    }
    throw_damaged(path_);
  }

  [[nodiscard]] std::string hash_of_all(std::uint64_t size) const {
    Sha256 hash;
    std::vector<char> piece(kPieceBytes);
    for (std::uint64_t at = 0; at < size;) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(size - at, piece.size()));
      fill(at, std::span(piece).first(count));
      hash.add({piece.data(), count});
      at += count;
    }
    hashed += size;
    return hash.digits();
  }

  const File file_;
  const std::string hash_;
  const std::filesystem::path path_;
  const std::chrono::milliseconds settled_;
  mutable std::mutex mutex_;
  mutable FileState checked_;
};

}  // namespace

std::shared_ptr<const MediaFile> open_checked(File file, const std::string& hash,
                                              const std::filesystem::path& path,
                                              std::chrono::milliseconds settled) {
  return std::make_shared<CheckedFile>(std::move(file), hash, path, settled);
}

std::uint64_t hashed_bytes() { return hashed.load(); }

void throw_damaged(const std::filesystem::path& path) {
  throw Error(
      ErrorCode::kCorrupt,
      fmt::format("{} is damaged: it is not what was uploaded. Restore a backup.", path.string()));
}

}  // namespace chirp::store
