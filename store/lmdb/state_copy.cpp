#include "store/lmdb/state_copy.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "store/lmdb/preflight.h"

namespace chirp::lmdb {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

}  // namespace

StateCopy::StateCopy(std::filesystem::path file)
    : file_(std::move(file)), data_(store::File::open(file_, O_RDONLY)) {
  metas_ = read_metas(data_.fd(), file_);
}

void StateCopy::copy(const std::filesystem::path& to) const {
  const store::File copy = store::File::open(to, O_WRONLY | O_CREAT | O_TRUNC);
  store::write_all(copy, {metas_.bytes.data(), metas_.bytes.size()}, to);
  std::vector<char> block(kBlock);
  const std::uint64_t end = (metas_.newest().last_page + 1) * kPage;
  for (std::uint64_t at = metas_.bytes.size(); at < end;) {
    const std::size_t wanted = std::min<std::uint64_t>(block.size(), end - at);
    const ssize_t got = ::pread(data_.fd(), block.data(), wanted, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) store::throw_errno("Reading", file_, errno);
    if (got == 0) break;  // free pages at the end may be missing
    store::write_all(copy, {block.data(), static_cast<std::size_t>(got)}, to);
    at += static_cast<std::uint64_t>(got);
  }
}

bool StateCopy::is_whole() const {
  const Metas now = read_metas(data_.fd(), file_);
  const Meta& state = metas_.newest();
  const std::size_t page = state.transaction == metas_.of_page[0].transaction ? 0 : 1;
  return now.newest().transaction <= state.transaction + 1 &&
         std::memcmp(now.bytes.data() + page * kPage, metas_.bytes.data() + page * kPage, kPage) ==
             0;
}

void copy_state(const std::filesystem::path& file, const std::filesystem::path& to,
                const store::Deadline& deadline) {
  for (;;) {
    check_data_file(file);
    const StateCopy state(file);
    state.copy(to);
    if (state.is_whole()) return;
    if (deadline.over()) {
      throw Error(ErrorCode::kUnavailable,
                  fmt::format("{} is being written, and what may only be read can't be locked. Try "
                              "again, or have its owner run `chirp backup`.",
                              file.string()));
    }
  }
}

bool can_lock(const std::filesystem::path& folder) {
  struct stat facts {};
  const auto lock_file = folder / "lock.mdb";
  const bool is_others =
      ::lstat(lock_file.c_str(), &facts) == 0 && ::geteuid() != 0 && facts.st_uid != ::geteuid();
  if (is_others) return false;
  if (::access(lock_file.c_str(), W_OK) == 0) return true;
  return errno == ENOENT && ::access(folder.c_str(), W_OK) == 0;
}

}  // namespace chirp::lmdb
