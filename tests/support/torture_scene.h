// A command of the table in its world, cut off or made to fail at one of its calls, and what has to
// hold afterwards.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/faults.h"
#include "tests/support/temp_folder.h"
#include "tests/support/torture_table.h"
#include "tests/support/torture_world.h"

namespace chirp::test {

// A world made once, copied for every run.
class TortureWorld {
 public:
  explicit TortureWorld(std::uint64_t seed);

  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] std::filesystem::path folder() const { return folder_ / "world"; }
  // With what only this world knows in the place of its names.
  [[nodiscard]] std::vector<std::string> placed(std::vector<std::string> arguments) const;
  [[nodiscard]] Command command(const Deed& deed, const std::filesystem::path& folder) const;

 private:
  std::uint64_t seed_;
  TempFolder folder_;
  Names names_;
};

class Scene {
 public:
  // Runs the command without a fault, to know what it does. Throws if it fails.
  Scene(const TortureWorld& world, const Deed& deed);

  // Calls that this mode counts: those that change files, of `sync` those that sync.
  [[nodiscard]] std::uint64_t calls(const std::string& mode) const;

  // With the fault at this call (from it on, if the mode ends in `+`). What is wrong then, in
  // words, with how to see it again; empty if nothing is.
  [[nodiscard]] std::string try_at(const std::string& mode, std::uint64_t call) const;

 private:
  struct Hit {
    Ended ended;
    std::filesystem::path folder;
    [[nodiscard]] std::filesystem::path data() const { return folder / "chirp"; }
  };
  [[nodiscard]] std::filesystem::path enter(const TempFolder& folder) const;
  [[nodiscard]] std::string wrong_end(const std::string& mode, const Ended& ended) const;
  [[nodiscard]] std::string wrong_state(const Hit& hit) const;
  [[nodiscard]] std::string wrong_later(const Hit& hit) const;
  [[nodiscard]] std::string wrong_again(const Hit& hit) const;
  [[nodiscard]] std::string wrong(const std::string& mode, const Hit& hit) const;

  const TortureWorld& world_;
  const Deed& deed_;
  TempFolder prepared_;
  std::vector<std::string> before_;
  std::vector<std::string> after_;
  std::vector<std::string> settled_;  // once another command has written
  std::vector<std::string> names_;    // of what is in the folder then
  std::uint64_t changes_ = 0;
  std::uint64_t syncs_ = 0;
};

// The command that writes next, whoever was there before.
[[nodiscard]] Ended write_next(const std::filesystem::path& folder);

// What is wrong with a directory, in words. Bytes of uploads that nothing names are doctor's to
// remove, as it says.
[[nodiscard]] std::string wrong_findings(const std::filesystem::path& folder, const Seen& seen);

}  // namespace chirp::test
