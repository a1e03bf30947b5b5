// A command of the table in its world, cut off or made to fail at one of its calls, and what has to
// hold afterwards.
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

// A copy of a world, in which a command is run, and the means to hit it there.
class WorldCopy {
 public:
  explicit WorldCopy(TortureSite site) : site_(std::move(site)) {}
  virtual ~WorldCopy() = default;
  WorldCopy(const WorldCopy&) = delete;
  WorldCopy& operator=(const WorldCopy&) = delete;

  [[nodiscard]] const TortureSite& site() const { return site_; }
  // With the fault at this call, from 1 (from it on, if the mode ends in `+`); at call 0 there is
  // none, and calls are counted alone.
  virtual Ended run_at(const std::string& mode, std::uint64_t call, const Command& command) = 0;
  // How many the last command made of those that its mode counts.
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
  // With what only this world knows in the place of its names.
  [[nodiscard]] std::vector<std::string> placed(std::vector<std::string> arguments) const;
  [[nodiscard]] Command command(const Deed& deed, const TortureSite& site) const;
  // As the deed finds it.
  [[nodiscard]] virtual std::unique_ptr<WorldCopy> copy(const Deed& deed) const = 0;
  // Of modes that count the same calls the same one.
  [[nodiscard]] virtual std::string counting(const std::string& mode) const = 0;
  // Whether the fault leaves a way to find out what came of a change.
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

// In a folder; hit by tests/support/fault_injector.c. Modes of `sync` count the calls that sync,
// all others those that change files.
class FolderWorld final : public TortureWorld {
 public:
  explicit FolderWorld(std::uint64_t seed);

  [[nodiscard]] std::unique_ptr<WorldCopy> copy(const Deed& deed) const override;
  [[nodiscard]] std::string counting(const std::string& mode) const override;
  [[nodiscard]] bool can_find_out(const std::string& mode) const override;
  // As the deed finds it, to a place where nothing is.
  void copy_to(const std::filesystem::path& place, const Deed& deed) const;
};

class Scene {
 public:
  // Runs the command without a fault, to know what it does. Throws if it fails.
  Scene(const TortureWorld& world, const Deed& deed);

  // Calls that this mode counts.
  [[nodiscard]] std::uint64_t calls(const std::string& mode);

  // With the fault at this call (from it on, if the mode ends in `+`). What is wrong then, in
  // words, with how to see it again; empty if nothing is.
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
  std::vector<std::string> settled_;            // once another command has written
  std::vector<std::string> names_;              // of what is in the folder then
  std::map<std::string, std::uint64_t> calls_;  // by TortureWorld::counting()
};

// The command that writes next, whoever was there before.
[[nodiscard]] Ended write_next(const TortureSite& site);

// What is wrong with data, in words. Bytes of uploads that nothing names are doctor's to remove, as
// it says.
[[nodiscard]] std::string wrong_findings(const TortureSite& site, const Seen& seen);

}  // namespace chirp::test
