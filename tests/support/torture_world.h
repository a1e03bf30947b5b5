// A small world with a task for every command, and an inspection of its state.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "store/data_place.h"
#include "tests/support/child.h"

namespace chirp::test {

// Placeholders in arguments for the world's ids: `{post}`, `{repost}`, `{comment}`.
using Names = std::map<std::string, std::string>;

// Where commands run: a folder with the files that they read and write, and their data, in it or in
// a database.
struct TortureSite {
  explicit TortureSite(const std::filesystem::path& files)
      : TortureSite(files, store::DataPlace(files / "chirp")) {}
  TortureSite(std::filesystem::path files, store::DataPlace place)
      : folder(std::move(files)), data(std::move(place)) {}

  std::filesystem::path folder;
  store::DataPlace data;
};

// Makes the data and, in the folder, files to load and to post, an export `archive` and a backup
// `copy` of a data directory. Seed 1 makes the smallest world; others have more users, posts and
// pending events. The same seed makes the same world.
[[nodiscard]] Names make_torture_world(const TortureSite& site, std::uint64_t seed);

// `chirp --data DATA ARGUMENT…` with a clock that does not move, later than the world. Arguments
// that begin with `./` are relative to the folder.
[[nodiscard]] Command torture_command(const TortureSite& site,
                                      const std::vector<std::string>& arguments);

// The data as seen from outside.
struct Seen {
  std::vector<std::string> contents;  // everything readable, in a comparable form
  std::vector<std::string> findings;  // by doctor
  std::string error;                  // why it can't be read, or empty

  [[nodiscard]] bool sound() const { return error.empty() && findings.empty(); }
};

// Inspects the data in a child process, which a damaged file may end.
[[nodiscard]] Seen look_at(const store::DataPlace& data);
// Returns the problems in words, or empty.
[[nodiscard]] std::string faults_of(const Seen& seen);
// The first line that only one of them has.
[[nodiscard]] std::string difference(const std::vector<std::string>& found,
                                     const std::vector<std::string>& wanted);

}  // namespace chirp::test
