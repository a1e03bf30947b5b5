// A folder of a test's own, gone with everything in it at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace chirp::test {

class TempFolder {
 public:
  enum class Where : std::uint8_t {
    // Where the machine keeps files in memory, if a gibibyte is free: a sync costs nothing there.
    kMemory,
    // Below the folder for temporary files: for large files, and programs, which may not run in
    // memory.
    kDisk,
  };
  // Its path is without links.
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

// Copies a folder with everything in it to a place where nothing is.
void copy_folder(const std::filesystem::path& from, const std::filesystem::path& to);

// Entries of a folder itself.
[[nodiscard]] std::size_t entries_of(const std::filesystem::path& folder);

}  // namespace chirp::test
