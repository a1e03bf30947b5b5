#include "store/lmdb/metas.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::lmdb {
namespace {

// Offsets in LMDB 0.9's pages on a 64-bit little-endian machine. A page: its number, 2 bytes,
// flags, the end of the table of nodes and the start of the nodes. A meta page then has: magic,
// version, address, map size, two tables of 48 bytes, last page, transaction. The first table is
// the free list; a table's root is its last 8 bytes.
constexpr std::size_t kFlagsAt = 10;
constexpr std::size_t kNodesEndAt = 12;
constexpr std::size_t kHeader = 16;
constexpr std::size_t kMagicAt = 16;
constexpr std::size_t kVersionAt = 20;
constexpr std::size_t kPageSizeAt = 40;
constexpr std::size_t kFreeRootAt = 80;
constexpr std::size_t kLastPageAt = 136;
constexpr std::size_t kTransactionAt = 144;
constexpr std::uint32_t kMagic = 0xBEEFC0DE;
constexpr std::uint32_t kVersion = 1;
constexpr std::uint16_t kBranch = 1;
constexpr std::uint16_t kLeaf = 2;
constexpr std::uint64_t kNoPage = ~std::uint64_t{0};

template <class Number>
Number read_at(std::string_view bytes, std::size_t offset) {
  Number value{};
  if (offset + sizeof value <= bytes.size())
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Meta meta_at(std::string_view page, const std::filesystem::path& file) {
  if (read_at<std::uint32_t>(page, kMagicAt) != kMagic) throw_damaged(file, "no LMDB file");
  if (const auto version = read_at<std::uint32_t>(page, kVersionAt); version != kVersion) {
    throw_damaged(file, fmt::format("LMDB format {} instead of {}", version, kVersion));
  }
  if (const auto size = read_at<std::uint32_t>(page, kPageSizeAt); size != kPage) {
    throw_damaged(file, fmt::format("pages of {} bytes instead of {}", size, kPage));
  }
  return {read_at<std::uint64_t>(page, kTransactionAt), read_at<std::uint64_t>(page, kLastPageAt),
          read_at<std::uint64_t>(page, kFreeRootAt)};
}

// The free list: a tree whose rows are lists of page numbers, each preceded by its length.
class FreeList {
 public:
  FreeList(int fd, std::uint64_t first, std::uint64_t last) : fd_(fd), first_(first), last_(last) {}

  // Returns false if the list is damaged.
  bool walk(std::uint64_t root) { return root == kNoPage || page(root); }
  [[nodiscard]] bool has_all() const { return found_.size() == last_ - first_ + 1; }

 private:
  [[nodiscard]] std::string read(std::uint64_t number, std::size_t pages) const {
    std::string bytes(pages * kPage, '\0');
    const ssize_t got =
        ::pread(fd_, bytes.data(), bytes.size(), static_cast<off_t>(number * kPage));
    return got == static_cast<ssize_t>(bytes.size()) ? bytes : std::string();
  }

  bool page(std::uint64_t number) {
    // A repeated page means that the tree has a cycle.
    if (number >= first_ || !seen_.insert(number).second) return false;
    const std::string bytes = read(number, 1);
    const auto flags = read_at<std::uint16_t>(bytes, kFlagsAt);
    if (bytes.empty() || (flags & (kBranch | kLeaf)) == 0) return false;
    const std::size_t end = read_at<std::uint16_t>(bytes, kNodesEndAt);
    for (std::size_t at = kHeader; at < end; at += sizeof(std::uint16_t)) {
      const auto node = read_at<std::uint16_t>(bytes, at);
      if ((flags & kBranch) != 0 ? !branch(bytes, node) : !leaf(bytes, node)) return false;
    }
    return true;
  }

  // A node: a number in two halves, flags, the key's length, the key, the value. In a branch the
  // number and the flags together are a page; in a leaf the number is the value's length.
  bool branch(std::string_view bytes, std::size_t node) {
    const std::uint64_t high = read_at<std::uint16_t>(bytes, node + 4);
    return page(read_at<std::uint32_t>(bytes, node) | high << 32);
  }

  bool leaf(std::string_view bytes, std::size_t node) {
    const auto size = read_at<std::uint32_t>(bytes, node);
    const auto big = read_at<std::uint16_t>(bytes, node + 4);
    const std::size_t value = node + 8 + read_at<std::uint16_t>(bytes, node + 6);
    if (big == 0) return list(bytes.substr(std::min(value, bytes.size())), size);
    const auto number = read_at<std::uint64_t>(bytes, value);
    if (number >= first_) return false;
    const std::string pages = read(number, (kHeader + size + kPage - 1) / kPage);
    return !pages.empty() && list(std::string_view(pages).substr(kHeader), size);
  }

  bool list(std::string_view bytes, std::size_t size) {
    if (size > bytes.size()) return false;
    const auto count = read_at<std::uint64_t>(bytes, 0);
    if (count > size / sizeof(std::uint64_t)) return false;
    for (std::uint64_t i = 1; i <= count; ++i) {
      const auto number = read_at<std::uint64_t>(bytes, i * sizeof(std::uint64_t));
      if (number >= first_ && number <= last_) found_.insert(number);
    }
    return true;
  }

  int fd_;
  std::uint64_t first_;
  std::uint64_t last_;
  std::set<std::uint64_t> seen_;
  std::set<std::uint64_t> found_;
};

}  // namespace

void throw_damaged(const std::filesystem::path& file, std::string_view what) {
  throw Error(ErrorCode::kCorrupt,
              fmt::format("{} is damaged: {}. Restore a backup with `chirp restore`.",
                          file.string(), what));
}

Metas read_metas(int fd, const std::filesystem::path& file) {
  Metas metas;
  const ssize_t got = ::pread(fd, metas.bytes.data(), metas.bytes.size(), 0);
  if (got < 0) {
    throw Error(ErrorCode::kIo,
                fmt::format("{} can't be read: {}.", file.string(), std::strerror(errno)));
  }
  if (got != static_cast<ssize_t>(metas.bytes.size())) {
    throw_damaged(file, fmt::format("it has {} bytes, too few for its first two pages", got));
  }
  const std::string_view bytes(metas.bytes.data(), metas.bytes.size());
  for (std::size_t i = 0; i < metas.of_page.size(); ++i) {
    metas.of_page[i] = meta_at(bytes.substr(i * kPage, kPage), file);
  }
  return metas;
}

bool are_free(int fd, std::uint64_t root, std::uint64_t first, std::uint64_t last) {
  FreeList list(fd, first, last);
  return list.walk(root) && list.has_all();
}

}  // namespace chirp::lmdb
