// Every command of the program, with what it is to do in the world of tests/support/torture_world.h
// and what may be left of it when it is cut off.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace chirp::test {

struct Deed {
  enum class Left : std::uint8_t {
    kWhole,  // cut off or failed, all of it is there or nothing
    kSteps,  // cut off, the rest is done by whoever writes next, or by running it again; when it
             // says that it failed, nothing is there
    kPart,   // whole batches may be there, after a failure too, and people who came with the next
             // one; running it again does the rest
  };
  // What is in the place of the data before it.
  enum class Begins : std::uint8_t { kInWorld, kWithNothing, kEmpty, kInFormat1, kInFormat2 };

  std::string verb;  // as in the tree of commands: `user add`
  std::vector<std::string> arguments{};
  Left left = Left::kWhole;
  std::vector<int> again = {0};  // how it may end when it is run again after it was cut off
  bool once = true;              // run twice it does no more than once
  bool apart = false;            // works in a process of its own, and reports how that ended
  std::string input{};
  Begins begins = Begins::kInWorld;
};

[[nodiscard]] const std::vector<Deed>& deeds();
// Those that there are where the data are a database: what copies and rewrites folders is refused.
[[nodiscard]] std::vector<Deed> deeds_on_databases();

// Commands that change no file of a data directory, or that have tests of their own for being
// killed.
[[nodiscard]] const std::vector<std::string>& commands_apart();

}  // namespace chirp::test
