// A small world in which every command has something to do, and a look at what became of it.
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

// What stands in arguments for what only the world knows: `{post}`, `{repost}`, `{comment}`.
using Names = std::map<std::string, std::string>;

// Where commands are run: a folder with the files that they read and write, and their data, which
// are in it or in a database.
struct TortureSite {
  explicit TortureSite(const std::filesystem::path& files)
      : TortureSite(files, store::DataPlace(files / "chirp")) {}
  TortureSite(std::filesystem::path files, store::DataPlace place)
      : folder(std::move(files)), data(std::move(place)) {}

  std::filesystem::path folder;
  store::DataPlace data;
};

// In the folder files to load and to post, an export `archive` and of a data directory a backup
// `copy`; the data are made. Seed 1 makes the smallest one; others more people, posts and pending
// events. The same seed makes the same one.
[[nodiscard]] Names make_torture_world(const TortureSite& site, std::uint64_t seed);

// `chirp --data DATA ARGUMENT…` with a clock that stands still, later than the world. Arguments
// that begin with `./` are within the folder.
[[nodiscard]] Command torture_command(const TortureSite& site,
                                      const std::vector<std::string>& arguments);

// Data from outside.
struct Seen {
  std::vector<std::string> contents;  // all that can be read, in a comparable form
  std::vector<std::string> findings;  // of doctor
  std::string error;                  // why it can't be read; empty if it can

  [[nodiscard]] bool sound() const { return error.empty() && findings.empty(); }
};

// Looked at by a process of its own, which a damaged file may end.
[[nodiscard]] Seen look_at(const store::DataPlace& data);
// What is wrong with it, in words; empty if nothing is.
[[nodiscard]] std::string faults_of(const Seen& seen);
// The first line that one has and the other has not.
[[nodiscard]] std::string difference(const std::vector<std::string>& found,
                                     const std::vector<std::string>& wanted);

}  // namespace chirp::test
