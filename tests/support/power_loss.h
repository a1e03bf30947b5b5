// Commands whose writes are recorded, and checks that hold after a power loss at any moment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/budget.h"
#include "tests/support/disk_states.h"
#include "tests/support/torture_scene.h"

namespace chirp::test {

// Commands of the table, run one after another in one world.
struct Script {
  std::string name;
  std::vector<Deed> deeds;
};

[[nodiscard]] const std::vector<Script>& scripts();

class PowerLoss {
 public:
  // Runs the script and records it. `bug` makes the injector simulate a mistake of the program
  // (tests/support/fault_injector.c); empty for none.
  PowerLoss(const FolderWorld& world, const Script& script, const std::string& bug = {});

  // The moments: before each of the recorded events, and after the last.
  [[nodiscard]] std::size_t moments() const { return events_.size() + 1; }

  // Checks disk states at a moment, for each kind of loss, with `draws` random ones. Returns the
  // problems, each with how to reproduce it. Skips states that were checked before.
  [[nodiscard]] std::vector<std::string> faults_at(std::size_t moment, std::uint64_t draws);
  [[nodiscard]] std::uint64_t states() const { return seen_.size(); }

 private:
  struct Moment {
    std::size_t answered = 0;  // commands that have answered
    std::size_t begun = 0;
  };
  [[nodiscard]] std::string wrong(const DiskState& state, const Moment& moment,
                                  std::uint64_t choice) const;
  [[nodiscard]] std::string wrong_contents(const std::filesystem::path& folder,
                                           const Moment& moment) const;
  void advance(std::size_t moment);

  const FolderWorld& world_;
  const Script& script_;
  TempFolder folder_;
  std::vector<DiskEvent> events_;
  std::vector<Moment> at_;                          // by moment
  std::vector<std::vector<std::string>> contents_;  // before the first command, then after each
  std::unique_ptr<Disk> disk_;
  std::size_t applied_ = 0;
  std::set<std::uint64_t> seen_;
};

}  // namespace chirp::test
