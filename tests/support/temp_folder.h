// A temporary folder for a test, removed with its contents at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace chirp::test {

class TempFolder {
 public:
  enum class Where : std::uint8_t {
    // In the machine's memory file system, if a gibibyte is free: syncs cost nothing there.
    kMemory,
    // In the folder for temporary files: for large files, and for programs, which may not be
    // executable in memory.
    kDisk,
  };
  // Its path contains no links.
  explicit TempFolder(Where where = Where::kMemory);
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::filesystem::path& name) const {
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

// Copies a folder with its contents to an unused path.
void copy_folder(const std::filesystem::path& from, const std::filesystem::path& to);

// The number of entries directly in a folder.
[[nodiscard]] std::size_t entries_of(const std::filesystem::path& folder);

}  // namespace chirp::test
