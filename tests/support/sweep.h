// Running one command of the program again and again, with a fault at another call each time.
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

// One command, to be run in a copy of a prepared folder. The data directory is `chirp` within it;
// arguments that begin with `./` are within it too.
struct Scenario {
  std::vector<std::string> arguments;
  std::function<void(const std::filesystem::path& folder)> prepare;
};

// A data directory with six users, their edges, posts and timelines.
void make_world(const std::filesystem::path& folder);
[[nodiscard]] Scenario in_world(std::vector<std::string> arguments);

// A scenario with what the command finds, and what it leaves when nothing happens to it.
class Stage {
 public:
  explicit Stage(Scenario scenario);

  [[nodiscard]] const Contents& before() const { return before_; }
  [[nodiscard]] const Contents& after() const { return after_; }

  // A copy of the prepared folder within another.
  [[nodiscard]] std::filesystem::path enter(const TempFolder& folder) const;
  // With a clock that stands still, so that every run says the same.
  [[nodiscard]] Command command(const std::filesystem::path& world) const;

 private:
  Scenario scenario_;
  TempFolder prepared_;
  Contents before_;
  Contents after_;
};

// How a run ended that was hit, and where.
struct Hit {
  std::uint64_t call = 0;
  Ended ended;
  std::filesystem::path world;

  [[nodiscard]] std::filesystem::path data() const { return world / "chirp"; }
};

using Check = std::function<void(const Hit&)>;

// Runs the command with the fault at its first call, its second, and so on until it runs through;
// with a `+` behind the mode at all later calls too. Of a run with very many calls every n-th; of
// any run no more than CHIRP_SWEEP_RUNS says, others with each CHIRP_SWEEP_FROM.
void sweep(const Stage& stage, const std::string& mode, const Check& check);
// How many times fewer runs than usual CHIRP_SWEEP_RUNS asks for: 1 where it says nothing.
[[nodiscard]] std::uint64_t sweep_share();
// The same whatever the environment says: for what must not be left to another day.
void sweep_all(const Stage& stage, const std::string& mode, const Check& check);

// Killed: what was acknowledged is there; what was not is there whole or not at all.
void check_killed(const Stage& stage, const Hit& hit);
// Failed and said so: nothing is there. Or succeeded, since what failed was not needed.
void check_failed(const Stage& stage, const Hit& hit);
// The same command succeeds when it is run again, without a fault.
void check_again(const Stage& stage, const Hit& hit);
// Nothing is wrong in the data directory.
void check_sound(const Hit& hit);
// Killed and run again: sound both times, and in the end as if nothing had happened.
void check_killed_and_again(const Stage& stage, const Hit& hit);

// True, and said, where the program can't be run under the fault injector.
[[nodiscard]] bool skipped();

}  // namespace chirp::test
