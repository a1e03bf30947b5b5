// Goal: a server shows and switches nothing unless it was started as a demo, and then by who may.
// Method: the program itself, with and without --demo, asked over sockets.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
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
  const Ended unknown = world.serve({"--demo", "--demo-for", "nobody"});
  CHECK_FALSE(unknown.ok());
  CHECK(unknown.err.find("nobody") != std::string::npos);
  CHECK(world.serve({"--demo-for", "mira"}).status == 2);
}

}  // namespace chirp::test
