// The files of a folder, which are read like the members of an archive.
#pragma once

#include <string>
#include <vector>

namespace chirp::cli::input {

struct Folder {
  std::vector<std::string> files;   // regular files, also in inner folders, sorted by path
  std::vector<std::string> others;  // links to folders, pipes, devices: skipped
};

[[nodiscard]] bool is_folder(const std::string& path);
// Throws Error{kBadInput} for a folder that can't be read.
[[nodiscard]] Folder folder_of(const std::string& path);

}  // namespace chirp::cli::input
