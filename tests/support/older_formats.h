// Data directories of older formats, stored under testdata.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "store/layout.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

// From the first one to the one before the current format.
[[nodiscard]] std::vector<std::uint32_t> older_formats();

// The folder of a format: `data`, a description of how it was made, and sessions with copies of it.
[[nodiscard]] std::filesystem::path kept_folder(std::uint32_t format);

// Copies the directory of a format to an unused path.
void copy_older(std::uint32_t format, const std::filesystem::path& to);

// Such a copy, removed at the end.
class OlderDirectory {
 public:
  explicit OlderDirectory(std::uint32_t format) { copy_older(format, path()); }

  [[nodiscard]] std::filesystem::path path() const { return folder_ / "chirp"; }
  [[nodiscard]] store::Layout layout() const { return store::Layout(path()); }
  // A path beside it.
  [[nodiscard]] std::filesystem::path beside(const std::filesystem::path& name) const {
    return folder_ / name;
  }

 private:
  TempFolder folder_;
};

}  // namespace chirp::test
