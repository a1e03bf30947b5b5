// The installed project, in a temporary folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"

namespace chirp::test {

class Installed {
 public:
  // Installs like `make install PREFIX=… DESTDIR=…`. Fails the test on failure.
  explicit Installed(const std::string& prefix);
  // Installs like `make install PREFIX=PLACE`, so that installed files contain their real paths.
  explicit Installed(const TempFolder& place);

  // The folder that contains `prefix`.
  [[nodiscard]] const std::filesystem::path& root() const { return folder_.path(); }
  // A path below the prefix.
  [[nodiscard]] std::filesystem::path operator/(const std::filesystem::path& name) const {
    return prefix_ / name;
  }
  [[nodiscard]] std::string bin() const { return (prefix_ / "bin").string(); }
  // The list of what was installed, as `make uninstall` reads it.
  [[nodiscard]] std::filesystem::path list() const { return notes_ / "installed.txt"; }
  // All files, relative to the root and sorted.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  void install(const std::string& prefix, const std::string& destination) const;

  TempFolder folder_{TempFolder::Where::kDisk};
  TempFolder notes_;
  std::filesystem::path prefix_;
};

// All files below a folder, relative to it and sorted.
[[nodiscard]] std::vector<std::string> files_below(const std::filesystem::path& folder);

}  // namespace chirp::test
