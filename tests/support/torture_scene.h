// A command of the table in its world, interrupted or made to fail at one of its calls, and the
// checks afterwards.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"
#include "tests/support/torture_table.h"
#include "tests/support/torture_world.h"

namespace chirp::test {

// A copy of a world to run a command in, with fault injection.
class WorldCopy {
 public:
  explicit WorldCopy(TortureSite site) : site_(std::move(site)) {}
  virtual ~WorldCopy() = default;
  WorldCopy(const WorldCopy&) = delete;
  WorldCopy& operator=(const WorldCopy&) = delete;

  [[nodiscard]] const TortureSite& site() const { return site_; }
  // Runs the command with the fault at this call, from 1 (from it on, if the mode ends in `+`);
  // with 0 it only counts calls.
  virtual Ended run_at(const std::string& mode, std::uint64_t call, const Command& command) = 0;
  // The number of calls by the last command that its mode counts.
  [[nodiscard]] virtual std::uint64_t calls() const = 0;

 private:
  TortureSite site_;
};

// A world made once, copied for every run.
class TortureWorld {
 public:
  virtual ~TortureWorld() = default;
  TortureWorld(const TortureWorld&) = delete;
  TortureWorld& operator=(const TortureWorld&) = delete;

  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  // Replaces the names in arguments by this world's ids.
  [[nodiscard]] std::vector<std::string> placed(std::vector<std::string> arguments) const;
  [[nodiscard]] Command command(const Deed& deed, const TortureSite& site) const;
  // Copies the world in the state that the deed needs.
  [[nodiscard]] virtual std::unique_ptr<WorldCopy> copy(const Deed& deed) const = 0;
  // Returns the same text for modes that count the same calls.
  [[nodiscard]] virtual std::string counting(const std::string& mode) const = 0;
  // Whether the result of a change can still be found out after the fault.
  [[nodiscard]] virtual bool can_find_out(const std::string& mode) const = 0;

 protected:
  explicit TortureWorld(std::uint64_t seed) : seed_(seed) {}
  [[nodiscard]] std::filesystem::path folder() const { return folder_ / "world"; }
  void make(const TortureSite& site) { names_ = make_torture_world(site, seed_); }

 private:
  std::uint64_t seed_;
  TempFolder folder_;
  Names names_;
};

// A world in a folder, with faults from tests/support/fault_injector.c. Modes of `sync` count the
// calls that sync, all others those that change files.
class FolderWorld final : public TortureWorld {
 public:
  explicit FolderWorld(std::uint64_t seed);

  [[nodiscard]] std::unique_ptr<WorldCopy> copy(const Deed& deed) const override;
  [[nodiscard]] std::string counting(const std::string& mode) const override;
  [[nodiscard]] bool can_find_out(const std::string& mode) const override;
  // Copies the world in the state that the deed needs to an unused path.
  void copy_to(const std::filesystem::path& place, const Deed& deed) const;
};

class Scene {
 public:
  // Runs the command without a fault, to learn its effects. Throws if it fails.
  Scene(const TortureWorld& world, const Deed& deed);

  // The number of calls that this mode counts.
  [[nodiscard]] std::uint64_t calls(const std::string& mode);

  // Runs with the fault at this call (from it on, if the mode ends in `+`). Returns the problems,
  // with how to reproduce them; empty if there are none.
  [[nodiscard]] std::string try_at(const std::string& mode, std::uint64_t call) const;

 private:
  struct Hit {
    std::string mode;
    Ended ended;
    const TortureSite& site;
  };
  [[nodiscard]] std::string wrong_end(const Hit& hit) const;
  [[nodiscard]] std::string wrong_state(const Hit& hit, const Seen& seen) const;
  [[nodiscard]] std::string wrong_later(const Hit& hit, const Seen& ready) const;
  [[nodiscard]] std::string wrong_again(const Hit& hit) const;
  [[nodiscard]] std::string wrong(const Hit& hit) const;

  const TortureWorld& world_;
  const Deed& deed_;
  std::vector<std::string> before_;
  std::vector<std::string> after_;
  std::vector<std::string> settled_;            // after another command has written
  std::vector<std::string> names_;              // of files in the folder at that time
  std::map<std::string, std::uint64_t> calls_;  // by TortureWorld::counting()
};

// Runs the next writing command, whatever happened before.
[[nodiscard]] Ended write_next(const TortureSite& site);

// The problems of the data, in words. Ignores files of uploads without a row: doctor says that it
// removes them.
[[nodiscard]] std::string wrong_findings(const TortureSite& site, const Seen& seen);

}  // namespace chirp::test
