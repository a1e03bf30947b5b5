// A Scratch in an unnamed file, in a folder of a data directory: the system deletes it when the
// process ends, even by a crash.
//
// Unsynced data delay every sync of the store, so there is never more of it than 32 MiB. Writing
// stops before the disk reserve is reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/ports/scratch.h"
#include "store/files.h"

namespace chirp::store {

class ScratchFile final : public Scratch {
 public:
  // About the first `memory` bytes need no file. The folder is made with the file. `doing` is the
  // subject of the message about a full disk: "A bulk load".
  ScratchFile(std::filesystem::path folder, std::string doing, std::size_t memory = 0);

  std::uint64_t append(std::string_view bytes) override;
  std::size_t read(std::uint64_t place, std::span<char> bytes, std::size_t least) const override;
  // Discards everything and frees memory and file.
  void clear();

 private:
  void open();
  void check_room() const;
  void limit_dirty();

  std::filesystem::path folder_;
  std::string doing_;
  std::size_t memory_;
  std::string head_;  // the first bytes
  File file_;
  std::uint64_t file_end_ = 0;
  std::uint64_t synced_ = 0;  // sync has been started up to here
};

}  // namespace chirp::store
