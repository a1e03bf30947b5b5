// A data directory with damaged files, and the results of a process that reads it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

// The result of a child, as its exit status.
enum Verdict : int {
  kTruth = 0,
  kExplained = 1,     // an Error, or a fault of a mapped file that the process explains
  kFewerNamed = 10,   // data are missing, and the checks report damage
  kFewerSilent = 11,  // data are missing, and nothing is reported
  kWrongNamed = 12,   // data are different, and the checks report damage
  kWrongSilent = 13,
};

// How the directory was left: by a kill, with the newest users only in users.db-wal; or closed.
enum class Left : std::uint8_t { kKilled, kClosed };

class DamagedDirectory {
 public:
  explicit DamagedDirectory(Left left);

  // The bytes of an undamaged file.
  [[nodiscard]] std::string bytes(const std::string& file) const;

  // Reads the directory with the contents `bytes` of `file`, in a child whose status is a Verdict,
  // then restores all files.
  [[nodiscard]] Ended examine(const std::string& file, const std::string& bytes) const;
  // The same with another byte at one position. Does not restore files that reading itself writes.
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
