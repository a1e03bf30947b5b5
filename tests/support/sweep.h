// Runs one command of the program repeatedly, with a fault at another call each time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/child.h"
#include "tests/support/faults.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

using Contents = std::vector<std::string>;

// A command to run in a copy of a prepared folder. The data directory is its `chirp`; arguments
// that begin with `./` are relative to the folder.
struct Scenario {
  std::vector<std::string> arguments;
  std::function<void(const std::filesystem::path& folder)> prepare;
};

// A data directory with six users, their edges, posts and timelines.
void make_world(const std::filesystem::path& folder);
[[nodiscard]] Scenario in_world(std::vector<std::string> arguments);

// A scenario with the contents before the command, and after it without a fault.
class Stage {
 public:
  explicit Stage(Scenario scenario);

  [[nodiscard]] const Contents& before() const { return before_; }
  [[nodiscard]] const Contents& after() const { return after_; }

  // Makes a copy of the prepared folder in another one.
  [[nodiscard]] std::filesystem::path enter(const TempFolder& folder) const;
  // With a clock that does not move, so that all runs print the same.
  [[nodiscard]] Command command(const std::filesystem::path& world) const;

 private:
  Scenario scenario_;
  TempFolder prepared_;
  Contents before_;
  Contents after_;
};

// How a run with a fault ended, and where the fault was.
struct Hit {
  std::uint64_t call = 0;
  Ended ended;
  std::filesystem::path world;

  [[nodiscard]] std::filesystem::path data() const { return world / "chirp"; }
};

using Check = std::function<void(const Hit&)>;

// Runs the command with the fault at its first call, its second, and so on until it runs through;
// with `+` after the mode also at all later calls. Runs with very many calls try every n-th only,
// and at most CHIRP_SWEEP_RUNS runs are made, different ones for each CHIRP_SWEEP_FROM.
void sweep(const Stage& stage, const std::string& mode, const Check& check);
// The factor by which CHIRP_SWEEP_RUNS reduces the usual runs; default: 1.
[[nodiscard]] std::uint64_t sweep_share();
// The same independent of the environment, for runs that must always be made.
void sweep_all(const Stage& stage, const std::string& mode, const Check& check);

// After a kill: acknowledged changes exist; others exist whole or not at all.
void check_killed(const Stage& stage, const Hit& hit);
// After a reported failure nothing has changed. After a success the failed call did not matter.
void check_failed(const Stage& stage, const Hit& hit);
// The same command succeeds when it is run again, without a fault.
void check_again(const Stage& stage, const Hit& hit);
// Checks that the data directory is sound.
void check_sound(const Hit& hit);
// check_killed() or check_failed(), for faults that kill only sometimes; and sound.
void check_killed_or_failed(const Stage& stage, const Hit& hit);
// After a kill of a command that works in parts: sound, and complete and sound after a second run.
void check_completed_again(const Stage& stage, const Hit& hit);
// After a kill and a second run: sound both times, and finally as without a fault.
void check_killed_and_again(const Stage& stage, const Hit& hit);

// True, with a message, if the program can't run under the fault injector.
[[nodiscard]] bool skipped();

}  // namespace chirp::test
