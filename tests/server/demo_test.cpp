// Goal: a server shows and switches nothing unless it was started as a demo, and then by who may.
// Method: the program itself, with and without --demo, asked over sockets.
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::demo_test {
namespace {

struct World {
  [[nodiscard]] Ended serve(std::vector<std::string> options) const {
    std::vector<std::string> arguments{"serve", "--port", "0", "--quiet"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(chirp_command(data, arguments));
  }

  TempFolder folder;
  std::string data = (folder / "data").string();
  std::vector<std::string> tokens = make_served_directory(data, {"mira", "yuki"});
};

int status_of(const ServerProcess& server, const std::string& token) {
  return server.client().ask({.path = "/v1/stage", .token = token}).status;
}

}  // namespace

TEST_CASE("demo: without it there is no stage, and with it everybody on this machine has it") {
  const World world;
  {
    const ServerProcess server(world.data);
    CHECK(status_of(server, world.tokens[0]) == 404);
    CHECK(status_of(server, {}) == 404);
  }
  const ServerProcess server(world.data, {"--quiet", "--demo"});
  CHECK(status_of(server, world.tokens[0]) == 200);
  CHECK(status_of(server, world.tokens[1]) == 200);
  CHECK(status_of(server, {}) == 401);
  const Told told =
      server.client().ask({"PATCH", "/v1/stage", R"({"policy":"push"})", world.tokens[1]});
  CHECK(told.field("policy") == "push");
  CHECK(run(chirp_command(world.data, {"config", "get", "feed.policy"})).out.find("push") !=
        std::string::npos);
}

TEST_CASE("demo: those who are named may, and nobody else") {
  const World world;
  const ServerProcess server(world.data, {"--quiet", "--demo", "--demo-for", "mira"});
  CHECK(status_of(server, world.tokens[0]) == 200);
  CHECK(status_of(server, world.tokens[1]) == 403);
}

TEST_CASE("demo: where others can connect somebody has to be named, who is there") {
  const World world;
  const Ended open = world.serve({"--demo", "--host", "0.0.0.0"});
  CHECK(open.status == 2);
  CHECK(open.err.find("--demo-for") != std::string::npos);
  for (const char* const key : {"http.trusted_proxies", "http.hosts"}) {
    CAPTURE(key);
    REQUIRE(run(chirp_command(world.data, {"config", "set", key, "127.0.0.1"})).ok());
    CHECK(world.serve({"--demo"}).status == 2);
    REQUIRE(run(chirp_command(world.data, {"config", "set", key, "none"})).ok());
  }
  const Ended unknown = world.serve({"--demo", "--demo-for", "nobody"});
  CHECK_FALSE(unknown.ok());
  CHECK(unknown.err.find("nobody") != std::string::npos);
  CHECK(world.serve({"--demo-for", "mira"}).status == 2);
}

TEST_CASE("demo: the figures of a lab are shown as measured, and other JSON is refused") {
  const World world;
  const std::string file = (world.folder / "lab.json").string();
  const auto put = [&](std::string_view text) { std::ofstream(file) << text; };
  put(R"({"users":5,"runs":[{"policy":"push","hotSet":true,"deliveries":1500,"sourcesARead":1.25,)"
      R"("fromMemory":0.5},{"policy":"hybrid","threshold":10,"hotSet":false,"deliveries":0},)"
      R"({"policy":"hybrid","threshold":100,"hotSet":false}],)"
      R"("cheapest":{"policy":"hybrid","threshold":100,"hotSet":false}})");
  {
    const ServerProcess server(world.data, {"--quiet", "--demo", "--lab", file});
    const Told told = server.client().ask({.path = "/v1/stage", .token = world.tokens[0]});
    CHECK(
        told.body.find(
            R"("lab":{"runs":[{"policy":"push","hotSet":true,"deliveries":1500,"sourcesARead":1.25},)"
            R"({"policy":"hybrid","threshold":10,"hotSet":false,"deliveries":0},)"
            R"({"policy":"hybrid","threshold":100,"hotSet":false}],)"
            R"("cheapest":{"policy":"hybrid","threshold":100,"hotSet":false}})") !=
        std::string::npos);
  }
  for (const char* text : {"", "{", "{}", R"({"runs":[]})", R"({"runs":[{"policy":"push"}]})"}) {
    CAPTURE(text);
    put(text);
    const Ended ended = world.serve({"--demo", "--lab", file});
    CHECK(ended.status == 1);
    CHECK(ended.err.find("chirp lab --json") != std::string::npos);
  }
  CHECK(world.serve({"--demo", "--lab", file + ".none"}).status == 1);
  CHECK(world.serve({"--lab", file}).status == 2);
}

}  // namespace chirp::test::demo_test
