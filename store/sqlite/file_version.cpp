#include "store/sqlite/file_version.h"

#include <bit>
#include <cstddef>
#include <span>

#include "store/sqlite/vfs.h"

namespace chirp::sqlite {
namespace {

constexpr std::uint32_t kIndexFormat = 3'007'000;
// Words of 32 bits in a mark.
enum Word : std::size_t { kFormat = 0, kSalt = 8, kChecksum = 10, kWords = 12 };

using MarkWords = std::array<std::uint32_t, kWords>;

// Checks SQLite's own checksum: a half-written index, or another format, gives no mark.
bool is_sound(const MarkWords& words) {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  for (std::size_t i = 0; i < kChecksum; i += 2) {
    first += words[i] + second;
    second += words[i + 1] + first;
  }
  return words[kFormat] == kIndexFormat && words[kChecksum] == first &&
         words[kChecksum + 1] == second;
}

CommitMark read_mark(const std::uint64_t* at) {
  CommitMark mark{};
  for (std::size_t i = 0; i < mark.size(); ++i) mark[i] = __atomic_load_n(at + i, __ATOMIC_ACQUIRE);
  return mark;
}

}  // namespace

// The index has the mark twice. A commit writes the second copy first, so the two differ until it
// is complete.
std::optional<CommitMark> commit_mark(const void* index) {
  const auto* const words = static_cast<const std::uint64_t*>(index);
  const CommitMark first = read_mark(words);
  const CommitMark second = read_mark(words + first.size());
  if (first != second) return std::nullopt;
  const auto parts = std::bit_cast<MarkWords>(first);
  // Without a salt nothing was written since the index was made, and a later one may equal it.
  const bool salted = parts[kSalt] != 0 || parts[kSalt + 1] != 0;
  return salted && is_sound(parts) ? std::optional(first) : std::nullopt;
}

void FileVersion::open(const std::filesystem::path& file) {
  auto connection = std::make_unique<Connection>(file);
  const void* const index = connection->log_index();
  const std::lock_guard lock(mutex_);
  if (index_ != nullptr) return;
  connection_ = std::move(connection);
  index_ = index;
}

std::optional<std::uint64_t> FileVersion::now() {
  const std::lock_guard lock(mutex_);
  const auto mark = look();
  if (!mark) return std::nullopt;
  if (*mark != mark_) {
    mark_ = *mark;
    ++number_;
  }
  return number_;
}

std::optional<CommitMark> FileVersion::look() const {
  if (index_ == nullptr) return std::nullopt;
  return commit_mark(index_);
}

// This transaction holds the turn, so only its commit changes the mark in between.
void FileVersion::commit_unmoved(Transaction& transaction) {
  std::optional<CommitMark> before;
  {
    const std::lock_guard lock(mutex_);
    before = look();
  }
  const BeforeTurnEnds turn([&] {
    const std::lock_guard lock(mutex_);
    const auto after = look();
    if (before && after && mark_ == *before) mark_ = *after;
  });
  transaction.commit();
}

}  // namespace chirp::sqlite
