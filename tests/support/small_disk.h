// A small file system for a test; only the superuser can mount one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "tests/support/temp_folder.h"

namespace chirp::test {

// A file system that is mounted while this lives. Use mounted() to see if mounting was possible.
class SmallDisk {
 public:
  // In memory; `size` as for mount, "4m".
  explicit SmallDisk(const char* size);
  // An ext4 in a file, with blocks of 1 KiB, four of which make a page.
  struct SmallBlocks {};
  SmallDisk(SmallBlocks tag, std::uintmax_t bytes);
  ~SmallDisk();
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] std::filesystem::path operator/(const char* name) const { return folder_ / name; }
  [[nodiscard]] std::uintmax_t free_bytes() const;

  // Fills the file system and leaves `left` bytes free.
  void fill_up(std::size_t left = 0) const;
  void make_room() const { std::filesystem::remove(folder_ / "filler"); }

 private:
  void tell() const;

  TempFolder outside_{TempFolder::Where::kDisk};
  TempFolder folder_;
  bool mounted_ = false;
};

}  // namespace chirp::test
