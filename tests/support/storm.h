// Shells that all work on one data directory at once: each gives one command after another, chosen
// by chance, beside a server and its clients. Some are killed wherever they are. What each was told
// goes to an oracle.
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

  // So many commands; then all that was cut off is run again, and everybody ends.
  void rage(std::uint64_t commands, const std::function<bool()>& over);
  // Holds everything against the oracle. What is wrong, and what was wrong before, in words.
  [[nodiscard]] std::vector<std::string> verdict();

  [[nodiscard]] std::string summary() const;

 private:
  struct Task {
    std::vector<std::string> arguments;
    std::vector<int> may = {0};   // how it may end
    std::vector<int> may_then{};  // the same of a run after one that was cut off; empty: no other
    bool again = false;           // cut off, it is run again until it is not
    bool whole = true;            // failed, it has changed nothing
    std::function<void(Word, const Ended&)> told = [](Word, const Ended&) {};
  };
  struct Shell {
    std::size_t number = 0;
    std::mt19937_64 random;
    std::uint64_t made = 0;           // for names that nobody else takes
    std::vector<std::string> people;  // its own, there as far as it knows
    std::vector<std::string> posts;   // texts of its own
    std::optional<Task> task;
    std::optional<Task> next;  // before any other
    bool killed = false;
    std::unique_ptr<Faults> faults;
  };
  struct Backup {
    std::filesystem::path path;
    std::vector<std::string> posts;  // that it has to hold
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
  std::vector<std::string> tokens_;  // of the people everybody shares
  std::vector<Backup> backups_;
  std::vector<std::string> faults_;
  std::unique_ptr<ServerProcess> server_;
  std::unique_ptr<Asker> asker_;
  std::unique_ptr<Crowd> crowd_;
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace chirp::test
