// A small world in which every command has something to do, and a look at what became of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/child.h"

namespace chirp::test {

// What stands in arguments for what only the world knows: `{post}`, `{repost}`, `{comment}`.
using Names = std::map<std::string, std::string>;

// In `folder`: the data directory `chirp`, files to load and to post, an export `archive` and a
// backup `copy`. Seed 1 makes the smallest one; others more people, posts and pending events. The
// same seed makes the same one.
[[nodiscard]] Names make_torture_world(const std::filesystem::path& folder, std::uint64_t seed);

// `chirp --data FOLDER/chirp ARGUMENT…` with a clock that stands still, later than the world.
// Arguments that begin with `./` are within the folder.
[[nodiscard]] Command torture_command(const std::filesystem::path& folder,
                                      const std::vector<std::string>& arguments);

// A data directory from outside.
struct Seen {
  std::vector<std::string> contents;  // all that can be read, in a comparable form
  std::vector<std::string> findings;  // of doctor
  std::string error;                  // why it can't be read; empty if it can

  [[nodiscard]] bool sound() const { return error.empty() && findings.empty(); }
};

// Looked at by a process of its own, which a damaged file may end.
[[nodiscard]] Seen look_at(const std::filesystem::path& data);
// What is wrong with it, in words; empty if nothing is.
[[nodiscard]] std::string faults_of(const Seen& seen);
// The first line that one has and the other has not.
[[nodiscard]] std::string difference(const std::vector<std::string>& found,
                                     const std::vector<std::string>& wanted);

}  // namespace chirp::test
