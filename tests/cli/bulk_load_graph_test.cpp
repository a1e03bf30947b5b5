// Goal: `load graph --bulk always` and `--bulk never` leave the same rows: exports are equal byte
// for byte. A server that keeps the directory open sees each load all at once, and what it writes
// meanwhile stays. Method: copies of one directory, empty or with people and follows, and random
// edges, with a stopped clock; a server that is asked all the time, against sets.
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::bulk_load_graph_test {
namespace {

namespace fs = std::filesystem;

void chirp(const fs::path& data, std::vector<std::string> arguments) {
  Command command = chirp_command(data.string(), std::move(arguments));
  command.environment.emplace_back("CHIRP_TEST_CLOCK=2026-01-15T18:30:00Z");
  const Ended ended = run(command);
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
}

std::string some_edges(std::mt19937_64& random, std::uint32_t users, std::uint32_t count) {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) {
    text += fmt::format("{} {}\n", 1 + random() % users, 1 + random() % users);
  }
  return text;
}

using Names = std::set<std::string>;
using Follows = std::map<std::string, Names>;

// Those on the page of whom a user follows, or of the followers.
Names listed(Asker& asker, const std::string& user, const char* which) {
  constexpr std::string_view kName = R"("username":")";
  const Told told =
      asker.ask({"GET", fmt::format("/v1/users/@{}/{}?limit=200", user, which), {}, {}});
  REQUIRE(told.status == 200);
  Names names;
  for (auto at = told.body.find(kName); at != std::string::npos; at = told.body.find(kName, at)) {
    at += kName.size();
    names.insert(told.body.substr(at, told.body.find('"', at) - at));
  }
  return names;
}

Follows turned_round(const Follows& follows) {
  Follows turned;
  for (const auto& [user, others] : follows) {
    for (const std::string& other : others) turned[other].insert(user);
  }
  return turned;
}

// Edges among users 1 to `users` as lines; adds them to `follows`.
std::string drawn_edges(std::mt19937_64& random, std::uint32_t users, Follows& follows) {
  std::string text;
  for (std::uint32_t i = 0; i < 600; ++i) {
    const auto from = 1 + random() % users;
    const auto to = 1 + random() % users;
    if (from == to) continue;
    text += fmt::format("{} {}\n", from, to);
    follows[fmt::format("u{}", from)].insert(fmt::format("u{}", to));
  }
  return text;
}

}  // namespace

TEST_CASE("load graph --bulk: exports are the same whichever way edges are stored") {
  std::mt19937_64 random(7);
  const TempFolder folder;
  const fs::path first = folder / "first";
  chirp(first, {"init"});
  for (int round = 0; round < 3; ++round) {
    CAPTURE(round);
    write_file(folder / "edges.txt", some_edges(random, round == 0 ? 40 : 900, 4'000));
    std::map<std::string, std::string> told;
    for (const std::string bulk : {"never", "always", "auto"}) {
      CAPTURE(bulk);
      const fs::path data = folder / bulk;
      copy_folder(first, data);
      chirp(data, {"load", "graph", (folder / "edges.txt").string(), "--bulk", bulk, "--quiet"});
      chirp(data, {"doctor"});
      CHECK_FALSE(fs::exists(data / "load.tmp"));
      chirp(data, {"export", (folder / "out").string(), "--quiet"});
      const auto files = files_of(folder / "out");
      if (told.empty()) told = files;
      CHECK(files == told);
      fs::remove_all(folder / "out");
    }
    fs::remove_all(first);
    fs::rename(folder / "always", first);
    fs::remove_all(folder / "never");
    fs::remove_all(folder / "auto");
  }
}

TEST_CASE(
    "load graph --bulk: a server sees all of it at once, and keeps what it writes meanwhile") {
  constexpr std::uint32_t kUsers = 60;
  std::mt19937_64 random(11);
  const TempFolder folder;
  const std::string data = (folder / "data").string();
  const std::string file = (folder / "edges.txt").string();
  const std::string token = make_served_directory(data, {"c0"}).front();
  const ServerProcess server(data);
  Asker asker = server.client();
  Follows there;
  for (int round = 0; round < 4; ++round) {
    CAPTURE(round);
    Follows loaded = there;
    write_file(file, drawn_edges(random, kUsers, loaded));
    Background load(chirp_command(data, {"load", "graph", file, "--bulk", "always", "--quiet"}));
    for (bool is_loaded = false; !load.has_ended() && round > 0;) {
      const std::string user = fmt::format("u{}", 1 + random() % kUsers);
      const bool follows = there["c0"].insert(user).second;
      if (!follows) there["c0"].erase(user);
      const Told told = asker.ask(
          {follows ? "POST" : "DELETE", fmt::format("/v1/users/@{}/follow", user), {}, token});
      REQUIRE(told.ok());
      for (int read = 0; read < 3; ++read) {
        const std::string whose = fmt::format("u{}", 1 + random() % kUsers);
        const Names seen = listed(asker, whose, "following");
        is_loaded = is_loaded || seen != there[whose];
        CHECK(seen == (is_loaded ? loaded : there)[whose]);
      }
    }
    const Ended ended = load.wait();
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    loaded["c0"] = there["c0"];
    there = std::move(loaded);
    Follows turned = turned_round(there);
    for (std::uint32_t i = 1; i <= kUsers; ++i) {
      const std::string user = fmt::format("u{}", i);
      CHECK(listed(asker, user, "following") == there[user]);
      CHECK(listed(asker, user, "followers") == turned[user]);
    }
    CHECK(listed(asker, "c0", "following") == there["c0"]);
  }
}

TEST_CASE("load graph --bulk: names what it takes") {
  const TempFolder folder;
  write_file(folder / "edges.txt", "1 2\n");
  chirp(folder / "data", {"init"});
  const Ended ended =
      run(chirp_command((folder / "data").string(),
                        {"load", "graph", (folder / "edges.txt").string(), "--bulk", "sometimes"}));
  CHECK(ended.status == 2);
  CHECK_MESSAGE(ended.err.find("auto, always") != std::string::npos, to_string(ended));
}

}  // namespace chirp::test::bulk_load_graph_test
