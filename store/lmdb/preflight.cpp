#include "store/lmdb/preflight.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::lmdb {
namespace {

// Where things stand in an LMDB 0.9 meta page on a 64-bit little-endian machine: a page header of
// 16 bytes, then magic, version, address, map size, two tables of 48 bytes, last page, transaction.
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMagicAt = 16;
constexpr std::size_t kVersionAt = 20;
constexpr std::size_t kPageSizeAt = 40;
constexpr std::size_t kLastPageAt = 136;
constexpr std::size_t kTransactionAt = 144;
constexpr std::uint32_t kMagic = 0xBEEFC0DE;
constexpr std::uint32_t kVersion = 1;

using Head = std::array<char, 2 * kPage>;

template <class Number>
Number read_at(const Head& head, std::size_t offset) {
  Number value;
  std::memcpy(&value, head.data() + offset, sizeof value);
  return value;
}

[[noreturn]] void corrupt(const std::filesystem::path& file, std::string_view what) {
  throw Error(ErrorCode::kCorrupt,
              fmt::format("{} is damaged: {}. Restore a backup with `chirp restore`.",
                          file.string(), what));
}

class File {
 public:
  explicit File(const std::filesystem::path& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) {
      throw Error(errno == ENOENT ? ErrorCode::kCorrupt : ErrorCode::kIo,
                  fmt::format("{} can't be read: {}.", path.string(), std::strerror(errno)));
    }
  }
  ~File() { ::close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

void check_data_file(const std::filesystem::path& file) {
  const File data(file);
  struct stat facts {};
  if (::fstat(data.fd(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    corrupt(file, "it is not a regular file");
  }
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  Head head{};
  if (size < head.size() ||
      ::pread(data.fd(), head.data(), head.size(), 0) != static_cast<ssize_t>(head.size())) {
    corrupt(file, fmt::format("it has {} bytes, too few for its first two pages", size));
  }
  std::uint64_t newest = 0;
  std::uint64_t last_page = 0;
  for (const std::size_t page : {std::size_t{0}, kPage}) {
    if (read_at<std::uint32_t>(head, page + kMagicAt) != kMagic) corrupt(file, "no LMDB file");
    if (const auto version = read_at<std::uint32_t>(head, page + kVersionAt); version != kVersion) {
      corrupt(file, fmt::format("LMDB format {} instead of {}", version, kVersion));
    }
    if (const auto size_of_page = read_at<std::uint32_t>(head, page + kPageSizeAt);
        size_of_page != kPage) {
      corrupt(file, fmt::format("pages of {} bytes instead of {}", size_of_page, kPage));
    }
    const auto transaction = read_at<std::uint64_t>(head, page + kTransactionAt);
    if (page == 0 || transaction > newest) {
      newest = transaction;
      last_page = read_at<std::uint64_t>(head, page + kLastPageAt);
    }
  }
  if (last_page >= size / kPage) {
    corrupt(file, fmt::format("it is cut off: {} bytes, but its pages reach to page {}", size,
                              last_page));
  }
}

}  // namespace chirp::lmdb
