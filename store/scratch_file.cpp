#include "store/scratch_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/error.h"
#include "store/disk_reserve.h"
#include "store/own_files.h"

namespace chirp::store {
namespace {

constexpr std::uint64_t kDirtyBytes = std::uint64_t{16} << 20;

// Deletes files that had not lost their names yet when their process was killed.
void remove_left(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    ::unlink(at->path().c_str());
  }
}

}  // namespace

ScratchFile::ScratchFile(std::filesystem::path folder, std::string doing, std::size_t memory)
    : folder_(std::move(folder)), doing_(std::move(doing)), memory_(memory) {}

std::uint64_t ScratchFile::append(std::string_view bytes) {
  if (!file_ && head_.size() + bytes.size() <= memory_) {
    head_.append(bytes);
    return head_.size() - bytes.size();
  }
  if (!file_) open();
  const std::uint64_t place = head_.size() + file_end_;
  write_all(file_, bytes, folder_);
  file_end_ += bytes.size();
  if (file_end_ - synced_ >= kDirtyBytes) limit_dirty();
  return place;
}

// Uses a named file only if the file system has no unnamed ones.
void ScratchFile::open() {
  check_room();
  make_own_folder(folder_);
  remove_left(folder_);
  file_ = File::try_open(folder_, O_TMPFILE | O_RDWR);
  if (file_) return;
  const auto path = folder_ / ("sorted." + std::to_string(::getpid()));
  file_ = open_own(path, O_RDWR | O_CREAT | O_EXCL, FileUse::kData);
  ::unlink(path.c_str());
}

// The sorted data will need about the same space again in the store.
void ScratchFile::check_room() const {
  check_room_for(doing_, folder_.parent_path(), file_end_ + kDirtyBytes, reserve_from_environment(),
                 SpaceUse::kAdds, "Free some space, and load it again.");
}

// Waits for the last sync and starts the next. Ignores file systems without support: nothing here
// has to survive a crash.
void ScratchFile::limit_dirty() {
  check_room();
  const auto from = static_cast<off64_t>(synced_ >= kDirtyBytes ? synced_ - kDirtyBytes : 0);
  (void)::sync_file_range(
      file_.fd(), from, static_cast<off64_t>(synced_) - from,
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  (void)::sync_file_range(file_.fd(), static_cast<off64_t>(synced_),
                          static_cast<off64_t>(file_end_ - synced_), SYNC_FILE_RANGE_WRITE);
  synced_ = file_end_;
}

std::size_t ScratchFile::read(std::uint64_t place, std::span<char> bytes, std::size_t least) const {
  std::size_t got = 0;
  while (got < least) {
    const std::uint64_t at = place + got;
    const std::span<char> rest = bytes.subspan(got);
    if (at < head_.size()) {
      const std::size_t some = std::min<std::size_t>(head_.size() - at, rest.size());
      std::memcpy(rest.data(), head_.data() + at, some);
      got += some;
      continue;
    }
    const ssize_t more =
        file_ ? ::pread(file_.fd(), rest.data(), rest.size(), static_cast<off_t>(at - head_.size()))
              : 0;
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) throw_errno("Reading", folder_, errno);
    if (more == 0) {
      throw Error(ErrorCode::kIo,
                  "The file of sorted rows in " + folder_.string() + " is shorter than it was.");
    }
    got += static_cast<std::size_t>(more);
  }
  return got;
}

void ScratchFile::clear() {
  head_ = std::string();
  file_ = File();
  file_end_ = synced_ = 0;
}

}  // namespace chirp::store
