// Data directories for tests: making, filling and inspecting them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "store/data_directory.h"
#include "store/layout.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

// A clock that does not move.
[[nodiscard]] const Clock& test_clock();

// Adds a user to both stores.
UserNumber sign_up(store::DataDirectory& directory, const std::string& name);
PostId publish(store::DataDirectory& directory, UserNumber author, const std::string& text);

// Adds users `a0`, `a1`, … who follow the next three and have `posts` posts; runs consumers.
void fill(store::DataDirectory& directory, std::uint32_t users, std::uint32_t posts);

// The readable contents of a directory, in a comparable form: users, posts, edges and the pages of
// every feed. Throws the errors of reading.
[[nodiscard]] std::vector<std::string> contents(store::DataDirectory& directory);
// The same for a directory that is not open.
[[nodiscard]] std::vector<std::string> contents(const std::filesystem::path& path);

// The problems of a directory: damage that the stores find, and breaches of their invariants.
[[nodiscard]] std::vector<std::string> faults_in(store::DataDirectory& directory);

// Names and contents of all files below a folder.
[[nodiscard]] std::map<std::string, std::string> files_of(const std::filesystem::path& folder);

[[nodiscard]] std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& bytes);

// ---- directories of older formats, stored under testdata

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
