#include "tests/support/installed.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/support/child.h"

namespace chirp::test {

namespace fs = std::filesystem;

Installed::Installed(const std::string& prefix)
    : prefix_(folder_.path() / fs::path(prefix).relative_path()) {
  install(prefix, folder_.path().string());
}

Installed::Installed(const TempFolder& place) : prefix_(place.path()) {
  install(place.path().string(), "");
}

void Installed::install(const std::string& prefix, const std::string& destination) const {
  const std::string build = fs::path(CHIRP_BINARY).parent_path().string();
  const Ended ended =
      run({.arguments = {"/usr/bin/env", "cmake", "--install", build, "--prefix", prefix},
           .environment = {"DESTDIR=" + destination, "CHIRP_CONFIG=/nowhere",
                           "CHIRP_INSTALLED=" + list().string()}});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
}

std::vector<std::string> Installed::files() const { return files_below(root()); }

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) {
      files.push_back(entry.path().lexically_relative(folder).generic_string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace chirp::test
