// Goal: whatever command is killed or meets a failing call, at whichever of its calls that change
// files, what it acknowledged is there, what it did not is there whole or not at all, doctor finds
// nothing once another command has written, and running it again succeeds. The same on a database,
// at whichever of its round trips it is killed, or loses the line or the server. Method: the table
// of all commands, each in a world made for it, run under the fault injector or through a line that
// is cut, and looked at from outside; here at a few of the calls (on
// databases of some of the commands), by `make torture` at all of them, in one world after another.

#include <algorithm>
#include <cstddef>
#include <functional>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/completion.h"
#include "tests/support/budget.h"
#include "tests/support/postgres_server.h"
#include "tests/support/seeds.h"
#include "tests/support/sweep.h"
#include "tests/support/torture_database.h"
#include "tests/support/torture_scene.h"

namespace chirp::test {
namespace {

struct Mode {
  std::string name;
  std::uint64_t sample;  // so many calls of each command are tried in a test
};

// The places in the tree of commands below which there are no others.
std::vector<std::string> verbs() {
  const cli::CommandLine app;
  const auto nodes = cli::completion_nodes(app);
  std::vector<std::string> verbs;
  for (const cli::CompletionNode& node : nodes) {
    const bool is_noun = std::any_of(nodes.begin(), nodes.end(), [&](const auto& other) {
      return other.path.starts_with(node.path + "/");
    });
    if (is_noun) continue;
    std::string path = node.path.substr(1);
    std::replace(path.begin(), path.end(), '/', ' ');
    verbs.push_back(path);
  }
  return verbs;
}

bool is_asked(const std::string& verb, const std::string& mode, std::uint64_t call) {
  return torture_at().empty() || torture_at() == fmt::format("{}|{}|{}", verb, mode, call);
}

void try_calls(Scene& scene, const Deed& deed, const Mode& mode, Budget& budget) {
  const std::uint64_t calls = scene.calls(mode.name);
  const bool all = budget.thorough() || !torture_at().empty();
  const std::uint64_t stride = all ? 1 : calls / mode.sample + 1;
  // Each command and mode begins elsewhere, so that all of them together meet most places.
  const std::uint64_t first =
      std::hash<std::string>{}(deed.verb + mode.name) * budget.seed() % stride + 1;
  for (std::uint64_t call = first; call <= calls && !budget.over(); call += stride) {
    if (!is_asked(deed.verb, mode.name, call)) continue;
    const std::string wrong = scene.try_at(mode.name, call);
    CHECK_MESSAGE(wrong.empty(), wrong);
    budget.tried();
  }
}

template <class World>
void torture(std::string_view what, const std::vector<Deed>& table,
             const std::vector<Mode>& modes) {
  Budget budget(what);
  do {
    const World world(budget.seed());
    for (const Deed& deed : budget.in_order(table)) {
      if (budget.over()) break;
      Scene scene(world, deed);
      for (const Mode& mode : modes) try_calls(scene, deed, mode, budget);
    }
  } while (budget.next());
}

// Every n-th command; where sweeps are cut short (sweep.h), one in as many of these, others with
// each CHIRP_SWEEP_FROM. All where everything is tried, or one is asked for.
std::vector<Deed> some_of(const std::vector<Deed>& all, std::size_t first, std::size_t stride) {
  if (Budget("").thorough() || !torture_at().empty()) return all;
  const std::size_t share = sweep_share();
  first += stride * (number_in_environment("CHIRP_SWEEP_FROM", 0) % share);
  std::vector<Deed> some;
  for (std::size_t i = first % all.size(); i < all.size(); i += stride * share) {
    some.push_back(all[i]);
  }
  return some;
}

// On a database, a try takes nearly a second.
std::vector<Deed> some_on_databases(std::size_t first, std::size_t stride) {
  return some_of(deeds_on_databases(), first, stride);
}

void torture_in_folders(std::string_view what, const std::vector<Mode>& modes) {
  if (!skipped()) torture<FolderWorld>(what, some_of(deeds(), 0, 1), modes);
}

void torture_in_databases(std::string_view what, const std::vector<Deed>& table,
                          const std::vector<Mode>& modes) {
  if (has_postgres()) torture<DatabaseWorld>(what, table, modes);
}

}  // namespace

TEST_CASE("crash: every command is among those that are killed") {
  std::vector<std::string> known = commands_apart();
  for (const Deed& deed : deeds()) known.push_back(deed.verb);
  for (const std::string& verb : verbs()) {
    CHECK_MESSAGE(std::find(known.begin(), known.end(), verb) != known.end(), verb,
                  " is in no table of tests/support/torture_table.cpp");
  }
}

TEST_CASE("crash: every command is killed at its calls") {
  torture_in_folders("kills", {{"kill", 6}, {"torn:512", 2}});
}

TEST_CASE("crash: every command fails at its calls") {
  torture_in_folders("failing calls", {{"eio", 3}, {"enospc", 3}, {"short:100", 2}, {"sync", 2}});
}

TEST_CASE("crash: every command meets a disk that fails from some call on") {
  torture_in_folders("failing disks", {{"eio+", 2}, {"enospc+", 2}, {"sync+", 1}});
}

TEST_CASE("crash: every command on a database is killed at its round trips") {
  torture_in_databases("kills on databases", some_on_databases(0, 4),
                       {{"kill:before", 1}, {"kill:half", 1}, {"kill:after", 1}});
}

TEST_CASE("crash: every command on a database loses the line at its round trips") {
  torture_in_databases("cut lines", some_on_databases(1, 4),
                       {{"cut:before", 1}, {"cut:half", 1}, {"cut:after", 1}});
}

TEST_CASE("crash: commands on a database lose the server and have it again") {
  if (has_postgres()) own_postgres();
  torture_in_databases("stopped servers", some_on_databases(1, 24),
                       {{"stop:before", 1}, {"stop:after", 1}});
}

}  // namespace chirp::test
