#include "cli/export/new_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/write_all.h"
#include "core/error.h"
#include "store/files.h"
#include "store/room.h"

namespace chirp::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kGather = std::size_t{256} << 10;
constexpr std::uint64_t kUnsent = std::uint64_t{16} << 20;

Error failure(const fs::path& path, int error) {
  const bool full = store::is_no_room(error);
  const bool locked = error == EROFS || error == EACCES || error == EPERM;
  return Error(
      full     ? ErrorCode::kStorageFull
      : locked ? ErrorCode::kReadOnly
               : ErrorCode::kIo,
      fmt::format("{} can't be written: {}.{}{}", safe(path.string()), std::strerror(error),
                  full ? " " : "", full ? store::room_advice(error, path) : ""));
}

}  // namespace

NewFile::NewFile(const fs::path& path, store::DiskReserve* reserve)
    : path_(path),
      fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)),
      reserve_(reserve) {
  if (fd_ == -1) fail();
}

NewFile::~NewFile() {
  if (fd_ != -1) ::close(fd_);
}

void NewFile::fail() const { throw failure(path_, errno); }

void NewFile::write(std::string_view text) {
  pending_ += text;
  bytes_ += text.size();
  if (pending_.size() >= kGather) flush();
}

void NewFile::flush() {
  if (reserve_ != nullptr) {
    reserve_->admit(SpaceUse::kAdds, store::DiskReserve::Into::kFiles, pending_.size());
  }
  if (const int error = write_all(fd_, pending_); error != 0) throw failure(path_, error);
  written_ += pending_.size();
  pending_.clear();
  if (written_ - sent_ >= kUnsent) send_to_disk();
}

// What a final fsync had to write all at once would keep it, and everybody else's syncs, waiting.
void NewFile::send_to_disk() {
  const auto at = [](std::uint64_t offset) { return static_cast<off64_t>(offset); };
  const std::uint64_t before = sent_ - std::min(sent_, kUnsent);
  ::sync_file_range(fd_, at(sent_), at(written_ - sent_), SYNC_FILE_RANGE_WRITE);
  ::sync_file_range(
      fd_, at(before), at(sent_ - before),
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  sent_ = written_;
}

std::uint64_t NewFile::finish() {
  flush();
  if (::fsync(fd_) != 0) fail();
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) fail();
  return bytes_;
}

ExportMedia::ExportMedia(const MediaStore& media, std::filesystem::path folder,
                         store::DiskReserve& reserve, store::Copied& copied)
    : media_(media), folder_(std::move(folder)), reserve_(reserve), copied_(copied) {
  store::make_folder(folder_);
}

void ExportMedia::add(MediaId id) {
  if (!written_.insert(id).second) return;
  const auto upload = media_.find(id);
  if (!upload) return;
  NewFile file(folder_ / std::to_string(id.value), &reserve_);
  file.write(media_.read(*upload));
  copied_.bytes += file.finish();
  ++copied_.files;
}

}  // namespace chirp::cli
