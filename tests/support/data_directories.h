// Data directories for tests: making, filling and inspecting them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "store/data_directory.h"

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

}  // namespace chirp::test
