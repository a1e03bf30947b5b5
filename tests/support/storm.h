// Concurrent shells on one data directory: each runs random commands one after another, beside a
// server and its clients. Some are killed at any point. An oracle records the outcomes that each
// saw.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/crowd.h"
#include "tests/support/faults.h"
#include "tests/support/server_process.h"
#include "tests/support/storm_oracle.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

class Storm {
 public:
  Storm(std::uint64_t seed, std::size_t shells);

  // Runs this many commands, then repeats interrupted ones, and ends all processes.
  void rage(std::uint64_t commands, const std::function<bool()>& over);
  // Compares everything with the oracle. Returns all problems found, including earlier ones.
  [[nodiscard]] std::vector<std::string> verdict();

  [[nodiscard]] std::string summary() const;

 private:
  struct Task {
    std::vector<std::string> arguments;
    std::vector<int> may = {0};   // allowed exit statuses
    std::vector<int> may_then{};  // allowed after an interrupted first run; empty: the same
    bool again = false;           // if interrupted, it is repeated until it ends
    bool whole = true;            // if it fails, it has changed nothing
    std::function<void(Word, const Ended&)> told = [](Word, const Ended&) {};
  };
  struct Shell {
    std::size_t number = 0;
    std::mt19937_64 random;
    std::uint64_t made = 0;           // counter for unique names
    std::vector<std::string> people;  // its own users that exist, as far as it knows
    std::vector<std::string> posts;   // texts of its own
    std::optional<Task> task;
    std::optional<Task> next;  // runs before any other task
    bool killed = false;
    std::unique_ptr<Faults> faults;
  };
  struct Backup {
    std::filesystem::path path;
    std::vector<std::string> posts;  // posts that the backup must contain
  };

  [[nodiscard]] Task choose(Shell& shell);
  [[nodiscard]] Task choose_writing(Shell& shell);
  [[nodiscard]] Task sign_up(Shell& shell);
  [[nodiscard]] Task edit(Shell& shell);
  [[nodiscard]] Task remove(Shell& shell);
  [[nodiscard]] Task post(Shell& shell);
  [[nodiscard]] Task remove_post(Shell& shell);
  [[nodiscard]] Task react(Shell& shell);
  [[nodiscard]] Task comment(Shell& shell);
  [[nodiscard]] Task follow(Shell& shell);
  [[nodiscard]] Task load_graph(Shell& shell);
  [[nodiscard]] Task load_posts(Shell& shell);
  [[nodiscard]] Task backup(Shell& shell);
  [[nodiscard]] Task export_all(Shell& shell);
  [[nodiscard]] Task read(Shell& shell);

  void start(Shell& shell);
  void end(Shell& shell, const Ended& ended);
  void kill_somebody();
  void ask_server();
  void serve();
  void settle();
  void examine_backup(const Backup& backup);
  static void log(const std::string& line);
  void fault(const std::string& what);
  void must(const std::vector<std::string>& arguments, const std::filesystem::path& data);

  [[nodiscard]] std::string somebody(Shell& shell);
  [[nodiscard]] std::optional<std::string> some_post(Shell& shell);
  [[nodiscard]] std::filesystem::path data() const { return folder_ / "chirp"; }

  std::uint64_t seed_;
  std::mt19937_64 random_;
  TempFolder folder_;
  TempFolder outside_;
  StormOracle oracle_;
  std::vector<Shell> shells_;
  std::vector<std::string> tokens_;  // of the users shared by all shells
  std::vector<Backup> backups_;
  std::vector<std::string> faults_;
  std::unique_ptr<ServerProcess> server_;
  std::unique_ptr<Asker> asker_;
  std::unique_ptr<Crowd> crowd_;
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace chirp::test
