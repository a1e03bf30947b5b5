// Goal: what commands print with --json are the objects of the HTTP interface.
// Method: the recorded sessions in testdata/cli, which another test holds against the program: each
// object printed by a command that the interface has, too, is held against its schema.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/json_value.h"
#include "tests/support/openapi.h"
#include "tests/support/pattern.h"

namespace chirp::test {
namespace {

const std::map<std::string, std::string, std::less<>>& schemas() {
  static const std::map<std::string, std::string, std::less<>> kSchemas{
      {"user add", "User"},
      {"user show", "User"},
      {"user edit", "User"},
      {"user list", "UserPage"},
      {"post add", "Post"},
      {"post show", "Post"},
      {"post list", "PostPage"},
      {"post react", "Like"},
      {"post unreact", "LikeTotal"},
      {"post reactions", "LikePage"},
      {"comment add", "Comment"},
      {"comment list", "CommentPage"},
      {"comment like", "CommentLike"},
      {"comment unlike", "LikeTotal"},
      {"follow check", "Relationship"},
      {"follow following", "FollowingPage"},
      {"follow followers", "FollowersPage"},
      {"feed show", "FeedPage"},
      {"feed refresh", "RefreshResult"},
      {"notify list", "NotificationPage"},
      {"notify read", "UnreadCount"},
      {"trend list", "TrendList"},
  };
  return kSchemas;
}

// The last command of a line that asks for JSON and shows it unchanged; otherwise empty.
std::string command_in(const std::string& line) {
  static const Pattern kCommand("chirp ([a-z]+ [a-z]+)");
  if (!line.starts_with("$ ") || line.find("--json") == std::string::npos ||
      line.find('|') != std::string::npos) {
    return {};
  }
  const std::vector<Match> commands = kCommand.all_in(line);
  return commands.empty() ? std::string() : commands.back()[1];
}

// Where somebody came from, whether they are suspended, and what they were called.
bool is_for_operators(const std::string& fault) {
  constexpr std::array kFields{"sourceId", "suspended", "oldName", "oldNameUntil"};
  return std::ranges::any_of(kFields, [&](const char* field) {
    return fault.ends_with(std::string("nothing documents: ") + field);
  });
}

}  // namespace

TEST_CASE("command line: what is printed as JSON is what the HTTP interface calls by that name") {
  ContractCheck printed;
  std::map<std::string, int> checked;
  for (const auto& file : std::filesystem::directory_iterator(CHIRP_SOURCE_DIR "/testdata/cli")) {
    std::ifstream lines(file.path());
    std::string command;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("$ ")) command = command_in(line);
      const auto schema = schemas().find(command);
      const bool whole = line.starts_with('{') && line.find("[..]") == std::string::npos;
      if (schema == schemas().end() || !whole) continue;
      ++checked[command];
      printed.add_value(file.path().filename().string() + ": " + command, schema->second, line);
    }
  }
  for (const std::string& fault : printed.faults()) {
    // Only operators see these fields; the API does not have them.
    if (!is_for_operators(fault)) FAIL_CHECK(fault);
  }
  for (const auto& [command, unused] : schemas()) {
    CHECK_MESSAGE(checked[command] > 0, command, " is not recorded anywhere with --json");
  }
}

}  // namespace chirp::test
