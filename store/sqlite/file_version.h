// A number for each state of a file's rows, which stays while nothing of them changes.
//
// SQLite keeps in the index of its log, which every process that has the file open maps into
// memory, what its last commit has made of the log: how many frames there are, their checksum, and
// a salt that is drawn whenever the log starts over. It is the last thing that a commit writes,
// whatever program commits, and what SQLite itself compares to know whether a reader's pages still
// hold (https://www.sqlite.org/walformat.html, section 2.1). So a look at 96 bytes of memory tells
// what a look at the file would find, and a writer who is killed halfway is seen as SQLite sees
// them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "store/sqlite/connection.h"

namespace chirp::sqlite {

// What the index says of the last commit, as words of memory.
using CommitMark = std::array<std::uint64_t, 6>;

// The mark of the index at this place; empty while it is being written, or is none that stands for
// one state alone.
[[nodiscard]] std::optional<CommitMark> commit_mark(const void* index);

// Safe to call from any thread.
class FileVersion {
 public:
  // Until it is opened it tells nothing. A file that is open anyway, by whoever opens this.
  void open(const std::filesystem::path& file);

  // Another number than before if any process has committed since the last look; empty while it
  // can't be told. Waits for no file.
  [[nodiscard]] std::optional<std::uint64_t> now();
  // Commits what changes nothing that somebody may have read, and the number stays.
  void commit_unmoved(Transaction& transaction);

 private:
  [[nodiscard]] std::optional<CommitMark> look() const;

  std::unique_ptr<Connection> connection_;  // keeps the index mapped
  const void* index_ = nullptr;
  std::mutex mutex_;
  std::uint64_t number_ = 0;
  CommitMark mark_{};  // that the number stands for
};

}  // namespace chirp::sqlite
