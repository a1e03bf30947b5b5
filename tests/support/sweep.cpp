#include "tests/support/sweep.h"

#include <algorithm>
#include <csignal>

#include <doctest/doctest.h>

#include "core/error.h"
#include "store/data_directory.h"
#include "tests/support/data_directories.h"
#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

// So many runs of one sweep are enough.
constexpr std::uint64_t kRuns = 150;

// Nothing, where there is no directory, or one that has yet to be migrated.
Contents contents_at(const fs::path& path) {
  if (!fs::exists(path)) return {"no directory"};
  try {
    return contents(path);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kVersion) return {"a directory of another format"};
    throw;
  }
}

std::uint64_t calls_of(const Stage& stage) {
  const TempFolder folder;
  const fs::path world = stage.enter(folder);
  const Faults faults(folder.path());
  const Ended ended = run(faults.counted(stage.command(world)));
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  return faults.calls();
}

// Hits the call behind `first`, within the n that are one step, and from there every n-th until
// there were about so many runs.
void sweep_from(std::uint64_t first, std::uint64_t runs, const Stage& stage,
                const std::string& mode, const Check& check) {
  const bool sticky = mode.ends_with('+');
  const std::string fault = mode.substr(0, mode.size() - (sticky ? 1 : 0));
  const std::uint64_t calls = calls_of(stage);
  REQUIRE(calls > 0);
  const std::uint64_t stride = calls / runs + 1;
  for (std::uint64_t call = 1 + first % stride;; call += stride) {
    const TempFolder folder;
    const fs::path world = stage.enter(folder);
    const Faults faults(folder.path());
    const Command command = stage.command(world);
    const Ended ended =
        run(sticky ? faults.from(call, fault, command) : faults.at(call, fault, command));
    INFO(mode << " at call " << call << " of " << calls << ": " << to_string(ended));
    if (faults.calls() < call) {
      CHECK(ended.ok());
      return;
    }
    REQUIRE_FALSE(ended.late);
    check({call, ended, world});
  }
}

std::uint64_t runs_asked() {
  return std::clamp<std::uint64_t>(number_in_environment("CHIRP_SWEEP_RUNS", kRuns), 1, kRuns);
}

}  // namespace

void make_world(const fs::path& folder) {
  store::make_data_directory(folder / "chirp", {});
  fill(*store::DataDirectory::open(folder / "chirp"), 6, 3);
}

Scenario in_world(std::vector<std::string> arguments) { return {std::move(arguments), make_world}; }

Stage::Stage(Scenario scenario) : scenario_(std::move(scenario)) {
  fs::create_directory(prepared_ / "world");
  if (scenario_.prepare) scenario_.prepare(prepared_ / "world");
  before_ = contents_at(prepared_ / "world" / "chirp");
  const TempFolder folder;
  const fs::path world = enter(folder);
  const Ended ended = run(command(world));
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  after_ = contents_at(world / "chirp");
}

fs::path Stage::enter(const TempFolder& folder) const {
  copy_folder(prepared_ / "world", folder / "world");
  return folder / "world";
}

Command Stage::command(const fs::path& world) const {
  std::vector<std::string> arguments;
  for (const std::string& argument : scenario_.arguments) {
    const bool within = argument.starts_with("./");
    arguments.push_back(within ? (world / argument.substr(2)).string() : argument);
  }
  Command command = chirp_command((world / "chirp").string(), std::move(arguments));
  command.environment = {"CHIRP_TEST_CLOCK=2026-02-01T12:00:00Z"};
  return command;
}

std::uint64_t sweep_share() { return kRuns / runs_asked(); }

void sweep(const Stage& stage, const std::string& mode, const Check& check) {
  const std::uint64_t first = number_in_environment("CHIRP_SWEEP_FROM", 0);
  sweep_from(first, runs_asked(), stage, mode, check);
}

void sweep_all(const Stage& stage, const std::string& mode, const Check& check) {
  sweep_from(0, kRuns, stage, mode, check);
}

void check_killed(const Stage& stage, const Hit& hit) {
  CHECK(hit.ended.signal == SIGKILL);
  const Contents found = contents_at(hit.data());
  if (hit.ended.out.empty() && found == stage.before()) return;
  CHECK(found == stage.after());
}

void check_failed(const Stage& stage, const Hit& hit) {
  CHECK(hit.ended.signal == 0);
  const Contents found = contents_at(hit.data());
  if (hit.ended.ok()) {
    CHECK(found == stage.after());
    return;
  }
  CHECK(hit.ended.status == 1);
  CHECK_FALSE(hit.ended.err.empty());
  CHECK(hit.ended.out.empty());
  CHECK(found == stage.before());
}

void check_again(const Stage& stage, const Hit& hit) {
  const Ended ended = run(stage.command(hit.world));
  CHECK_MESSAGE(ended.ok(), to_string(ended));
}

void check_sound(const Hit& hit) {
  const auto directory = store::DataDirectory::open(hit.data());
  const auto faults = faults_in(*directory);
  CHECK_MESSAGE(faults.empty(), (faults.empty() ? std::string() : faults.front()));
}

void check_killed_or_failed(const Stage& stage, const Hit& hit) {
  hit.ended.signal == 0 ? check_failed(stage, hit) : check_killed(stage, hit);
  check_sound(hit);
}

void check_completed_again(const Stage& stage, const Hit& hit) {
  CHECK(hit.ended.signal == SIGKILL);
  check_sound(hit);
  check_again(stage, hit);
  CHECK(contents(hit.data()) == stage.after());
  check_sound(hit);
}

void check_killed_and_again(const Stage& stage, const Hit& hit) {
  check_killed(stage, hit);
  check_completed_again(stage, hit);
}

bool skipped() {
  if (can_inject_faults()) return false;
  MESSAGE("skipped: a build with a sanitizer can't be run under the fault injector");
  return true;
}

}  // namespace chirp::test
