// Goal: no command makes a folder named `~`: a configured path that begins so leads to HOME, and
// one of the command line is refused. Method: the program in an empty folder, with each place where
// a path may be said.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::home_path_test {
namespace {

namespace fs = std::filesystem;

class Place {
 public:
  Place() {
    fs::create_directories(folder_ / "home");
    fs::create_directories(folder_ / "here");
  }
  // Runs in `here`, through a shell that expands nothing.
  Ended chirp(const std::vector<std::string>& arguments,
              std::vector<std::string> environment = {}) const {
    std::vector<std::string> all{"/bin/sh", "-c", R"(cd "$0" && exec "$@")",
                                 (folder_ / "here").string(), CHIRP_BINARY};
    all.insert(all.end(), arguments.begin(), arguments.end());
    if (environment.empty()) environment = {home()};
    return run({.arguments = all, .environment = environment});
  }
  [[nodiscard]] std::string home() const { return "HOME=" + (folder_ / "home").string(); }
  [[nodiscard]] fs::path at(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  // Whether nothing is in `here`.
  [[nodiscard]] bool is_clean() const { return fs::is_empty(folder_ / "here"); }

 private:
  TempFolder folder_;
};

}  // namespace

TEST_CASE("home path: the environment and the configuration file lead to HOME") {
  {
    const Place place;
    REQUIRE(place.chirp({"init"}, {place.home(), "CHIRP_DATA=~/world"}).ok());
    CHECK(fs::exists(place.at("home/world/chirp.format")));
    CHECK(place.is_clean());
  }
  {
    const Place place;
    place.write("home/c.toml", "data = \"~/world\"\n");
    REQUIRE(place.chirp({"init"}, {place.home(), "CHIRP_CONFIG=~/c.toml"}).ok());
    CHECK(fs::exists(place.at("home/world/chirp.format")));
    CHECK(place.is_clean());
  }
}

TEST_CASE("home path: without HOME, and of other users, it is refused") {
  const Place place;
  for (const char* const path : {"~/world", "~mira/world", "~"}) {
    CAPTURE(path);
    const bool of_mira = std::string(path) == "~mira/world";
    const std::vector<std::string> bare{of_mira ? place.home() : std::string("HOME=")};
    std::vector<std::string> by_variable = bare;
    by_variable.push_back(std::string("CHIRP_DATA=") + path);
    CHECK(place.chirp({"init"}, by_variable).status == 2);
    place.write("c.toml", std::string("data = \"") + path + "\"\n");
    const Ended by_file = place.chirp({"--config", "../c.toml", "init"}, bare);
    CHECK(by_file.status == 2);
    CHECK(by_file.err.find(of_mira ? "other users" : "HOME is not set") != std::string::npos);
    CHECK(place.is_clean());
  }
}

TEST_CASE("home path: on the command line it is refused, and ./~ is a folder") {
  const Place place;
  const std::vector<std::vector<std::string>> lines{
      {"--data", "~/world", "init"},
      {"--data=~", "init"},
      {"--config", "~/c.toml", "init"},
      {"--data", "../data", "export", "~/out"},
      {"--data", "../data", "backup", "~/copy"},
      {"--data", "../data", "restore", "~/copy"},
      {"--data", "../data", "load", "graph", "~/g.txt"},
      {"--data", "../data", "load", "posts", "p.jsonl", "--names", "~/n.csv"},
      {"--data", "../data", "load", "archive", "~/a.zip"},
      {"--data", "../data", "load", "export", "~/out"},
      {"--data", "../data", "query", "--file", "~/q.sql"},
      {"--data", "../data", "post", "add", "mira", "x", "--media", "~/p.png"},
      {"--data", "../data", "user", "edit", "mira", "--picture", "~/p.png"}};
  for (const std::vector<std::string>& line : lines) {
    CAPTURE(line.back());
    const Ended refused = place.chirp(line);
    CHECK_MESSAGE(refused.status == 2, to_string(refused));
    CHECK(refused.err.find("begins with ~") != std::string::npos);
    CHECK(place.is_clean());
  }
  CHECK(place.chirp({"--data", "./~", "init"}).ok());
  CHECK(fs::exists(place.at("here/~/chirp.format")));
}

}  // namespace chirp::test::home_path_test
