// A data directory whose files are damaged, and what a process that reads it says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

// What a child found, as its exit status.
enum Verdict : int {
  kTruth = 0,
  kExplained = 1,     // an Error, or a fault of the mapped file that the process explains
  kFewerNamed = 10,   // something is left out, and the checks name damage
  kFewerSilent = 11,  // something is left out, and nothing is named
  kWrongNamed = 12,   // something else is said, and the checks name damage
  kWrongSilent = 13,
};

// How a directory was left: by a kill, with the newest users in users.db-wal alone, or closed.
enum class Left : std::uint8_t { kKilled, kClosed };

class DamagedDirectory {
 public:
  explicit DamagedDirectory(Left left);

  // Of a file while nothing is damaged.
  [[nodiscard]] std::string bytes(const std::string& file) const;

  // Reads the directory with `file` holding `bytes`, in a child whose status is a Verdict, then
  // puts everything back.
  [[nodiscard]] Ended examine(const std::string& file, const std::string& bytes) const;
  // With another byte at one place. What reading writes holds nothing that is trusted, and stays.
  [[nodiscard]] Ended examine(const std::string& file, std::size_t at, char byte) const;

 private:
  [[nodiscard]] std::filesystem::path path() const { return folder_ / "chirp"; }
  [[nodiscard]] Ended read() const;
  void put(const std::string& file, std::size_t at, char byte) const;
  void restore() const;

  TempFolder folder_;
  std::vector<std::string> truth_;
};

}  // namespace chirp::test
