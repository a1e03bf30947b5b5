#include "cli/input/folder.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return path != "-" && fs::is_directory(path, unknown);
}

Folder folder_of(const std::string& path) {
  std::vector<fs::path> files;
  Folder folder;
  try {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
      std::error_code broken;  // a broken link
      if (entry.is_regular_file(broken)) {
        files.push_back(entry.path());
      } else if (entry.is_symlink() || !entry.is_directory()) {
        folder.others.push_back(entry.path().string());
      }
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("can't read {}: {}", printable(path, 4096), error.code().message()));
  }
  std::ranges::sort(files);
  std::ranges::sort(folder.others);
  for (const fs::path& file : files) folder.files.push_back(file.string());
  return folder;
}

}  // namespace chirp::cli::input
