// A Scratch in a file without a name, in a folder of a data directory: nothing of it is left when
// the process ends, however that is.
//
// What is written and not yet on the disk makes every sync of the store wait, so there is never
// more of it than 32 MiB. Writing stops before the disk reserve is touched.
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
  // The first `memory` bytes, about, need no file. The folder is made when the file is. `doing`
  // begins the sentence that says that there is no room: "A bulk load".
  ScratchFile(std::filesystem::path folder, std::string doing, std::size_t memory = 0);

  std::uint64_t append(std::string_view bytes) override;
  std::size_t read(std::uint64_t place, std::span<char> bytes, std::size_t least) const override;
  // Forgets everything and gives back memory and file.
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
  std::uint64_t synced_ = 0;  // the file is on its way to the disk up to here
};

}  // namespace chirp::store
