// The project as it is installed: below a folder of the test's own, gone with it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"

namespace chirp::test {

class Installed {
 public:
  // As `make install PREFIX=… DESTDIR=…` does. Fails the test if that fails.
  explicit Installed(const std::string& prefix);
  // As `make install PREFIX=PLACE` does, so that what is installed names itself where it is.
  explicit Installed(const TempFolder& place);

  // The folder that `prefix` is below.
  [[nodiscard]] const std::filesystem::path& root() const { return folder_.path(); }
  // Below the prefix.
  [[nodiscard]] std::filesystem::path operator/(const std::filesystem::path& name) const {
    return prefix_ / name;
  }
  [[nodiscard]] std::string bin() const { return (prefix_ / "bin").string(); }
  // The list of what was installed, as `make uninstall` reads it.
  [[nodiscard]] std::filesystem::path list() const { return notes_ / "installed.txt"; }
  // Every file, from the root on and in their order.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  void install(const std::string& prefix, const std::string& destination) const;

  TempFolder folder_{TempFolder::Where::kDisk};
  TempFolder notes_;
  std::filesystem::path prefix_;
};

// Files below a folder, from it on and in their order.
[[nodiscard]] std::vector<std::string> files_below(const std::filesystem::path& folder);

}  // namespace chirp::test
