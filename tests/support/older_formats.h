// What is kept of older formats under testdata: a data directory that each of them wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "store/layout.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

// From the first up to the one before today's.
[[nodiscard]] std::vector<std::uint32_t> older_formats();

// The folder of a format: `data`, how it was made, and sessions with copies of it.
[[nodiscard]] std::filesystem::path kept_folder(std::uint32_t format);

// Puts a copy of the directory that a format wrote in a place where nothing is.
void copy_older(std::uint32_t format, const std::filesystem::path& to);

// Such a copy, gone at the end.
class OlderDirectory {
 public:
  explicit OlderDirectory(std::uint32_t format) { copy_older(format, path()); }

  [[nodiscard]] std::filesystem::path path() const { return folder_ / "chirp"; }
  [[nodiscard]] store::Layout layout() const { return store::Layout(path()); }
  // A place beside it.
  [[nodiscard]] std::filesystem::path beside(const std::filesystem::path& name) const {
    return folder_ / name;
  }

 private:
  TempFolder folder_;
};

}  // namespace chirp::test
