// Every command of the program, with its task in the world of tests/support/torture_world.h and
// what it may leave when it is interrupted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace chirp::test {

struct Deed {
  enum class Left : std::uint8_t {
    kWhole,  // after an interruption or failure, all of it exists or nothing
    kSteps,  // after an interruption, the next writer or a second run does the rest; after a
             // reported failure nothing exists
    kPart,   // after either, whole batches may exist, and users made for the next one;
             // a second run does the rest
  };
  // The data before the command.
  enum class Begins : std::uint8_t { kInWorld, kWithNothing, kEmpty, kInFormat1, kInFormat2 };

  std::string verb;  // as in the tree of commands: `user add`
  std::vector<std::string> arguments{};
  Left left = Left::kWhole;
  std::vector<int> again = {0};  // allowed exit statuses of a second run after an interruption
  bool once = true;              // a second run changes nothing more
  bool apart = false;            // works in a child process, and reports how that ended
  std::string input{};
  Begins begins = Begins::kInWorld;
};

[[nodiscard]] const std::vector<Deed>& deeds();
// The deeds for data in a database, without the commands on folders, which are refused there.
[[nodiscard]] std::vector<Deed> deeds_on_databases();

// Commands that change no file of a data directory, or whose interruption is tested elsewhere.
[[nodiscard]] const std::vector<std::string>& commands_apart();

}  // namespace chirp::test
