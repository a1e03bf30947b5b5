// Data directories for tests: made, filled a little, and looked at from outside.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "store/data_directory.h"

namespace chirp::test {

// Stands still.
[[nodiscard]] const Clock& test_clock();

// Signs somebody up in both stores.
UserNumber sign_up(store::DataDirectory& directory, const std::string& name);
PostId publish(store::DataDirectory& directory, UserNumber author, const std::string& text);

// Users `a0`, `a1`, … who follow the next three and post so many times each; consumers run.
void fill(store::DataDirectory& directory, std::uint32_t users, std::uint32_t posts);

// Everything that a directory says when it is read, in a comparable form: users, posts, edges and
// the pages of every feed. Throws what reading throws.
[[nodiscard]] std::vector<std::string> contents(store::DataDirectory& directory);
// The same of a directory that is not open.
[[nodiscard]] std::vector<std::string> contents(const std::filesystem::path& path);

// What is wrong in a directory: damage that the stores see, breaches of their invariants.
[[nodiscard]] std::vector<std::string> faults_in(store::DataDirectory& directory);

// Names and bytes of all files below a folder.
[[nodiscard]] std::map<std::string, std::string> files_of(const std::filesystem::path& folder);

[[nodiscard]] std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& bytes);

}  // namespace chirp::test
