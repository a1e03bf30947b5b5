#include "store/lmdb/preflight.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "store/files.h"
#include "store/lmdb/metas.h"

namespace chirp::lmdb {
namespace {

// Opens a file, which must exist and be a regular file.
store::File opened(const std::filesystem::path& path) {
  store::File data = store::File::try_open(path, O_RDONLY);
  if (data) return data;
  throw Error(errno == ENOENT ? ErrorCode::kCorrupt : ErrorCode::kIo,
              fmt::format("{} can't be read: {}.", path.string(), std::strerror(errno)));
}

}  // namespace

void check_data_file(const std::filesystem::path& file) {
  store::check_regular(file);
  const store::File data = opened(file);
  struct stat facts {};
  if (::fstat(data.fd(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    throw_damaged(file, "it is not a regular file");
  }
  const Metas metas = read_metas(data.fd(), file);
  // Read the size after the metas: a commit writes its pages before the metas that name them, so
  // the file is at least as long as they say, even if it grows meanwhile.
  if (::fstat(data.fd(), &facts) != 0) throw_damaged(file, "its size can't be read");
  const auto pages = static_cast<std::uint64_t>(facts.st_size) / kPage;
  const Meta& newest = metas.newest();
  // Pages at the end that a transaction took and returned are never written.
  if (newest.last_page < pages || are_free(data.fd(), newest.free_root, pages, newest.last_page)) {
    return;
  }
  throw_damaged(file, fmt::format("it is cut off: {} bytes, but its pages reach to page {}",
                                  facts.st_size, newest.last_page));
}

}  // namespace chirp::lmdb
