// A number for each state of a file's rows, which changes only when the rows change.
//
// SQLite keeps a summary of the last commit in the index of its log, which every process with the
// open file maps into memory: the number of frames, their checksum, and a random salt that changes
// whenever the log starts over. Each commit of any program writes it last, and SQLite itself
// compares it to know whether a reader's pages are current (https://www.sqlite.org/walformat.html,
// section 2.1). So 96 bytes of memory replace a look at the file, and a writer killed halfway is
// seen as SQLite sees it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "store/sqlite/connection.h"

namespace chirp::sqlite {

// The index's summary of the last commit, as words of memory.
using CommitMark = std::array<std::uint64_t, 6>;

// Returns the mark in this index; empty while it is being written, or if it does not identify a
// single state.
[[nodiscard]] std::optional<CommitMark> commit_mark(const void* index);

// Safe to call from any thread.
class FileVersion {
 public:
  // Opens a file, which this process must already have open. Before that, now() is empty.
  void open(const std::filesystem::path& file);

  // Returns a different number if any process has committed since the last call; empty if that is
  // unknown. Never waits for a file.
  [[nodiscard]] std::optional<std::uint64_t> now();
  // Commits changes that no cached read depends on, without changing the number.
  void commit_unmoved(Transaction& transaction);

 private:
  [[nodiscard]] std::optional<CommitMark> look() const;

  std::unique_ptr<Connection> connection_;  // keeps the index mapped
  const void* index_ = nullptr;
  std::mutex mutex_;
  std::uint64_t number_ = 0;
  CommitMark mark_{};  // the mark that belongs to number_
};

}  // namespace chirp::sqlite
