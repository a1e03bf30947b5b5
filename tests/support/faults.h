// A child process under the fault injector (tests/support/fault_injector.c).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

[[nodiscard]] bool built_with_sanitizer();

// False in sanitizer builds, whose runtime does not work with the preloaded library.
[[nodiscard]] bool can_inject_faults();

class Faults {
 public:
  // Counts the calls that change files below `folder`.
  explicit Faults(const std::filesystem::path& folder);

  // The command with counting only; calls() returns the number.
  [[nodiscard]] Command counted(Command command) const;
  // The command with `mode` (`kill`, `torn:512`, `enospc`, `sync`, …) at its `at`-th call, from 1.
  [[nodiscard]] Command at(std::uint64_t at, const std::string& mode, Command command) const;
  // At that call and all later ones.
  [[nodiscard]] Command from(std::uint64_t at, const std::string& mode, Command command) const;

  // Appends the command's file operations to `record`, which is outside the folder
  // (tests/support/disk_states.h).
  [[nodiscard]] Command recorded(const std::filesystem::path& record, Command command) const;

  // The number of calls by the last command.
  [[nodiscard]] std::uint64_t calls() const;

 private:
  void restart_count() const;

  std::filesystem::path folder_;
  TempFolder outside_;
};

}  // namespace chirp::test
