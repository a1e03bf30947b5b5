// A folder of a test's own, gone with everything in it at the end.
#pragma once

#include <cstddef>
#include <filesystem>

namespace chirp::test {

class TempFolder {
 public:
  // Below the folder for temporary files, its path without links.
  TempFolder();
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
