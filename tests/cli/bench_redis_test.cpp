// Goal: feeds in chirp and in Redis are measured on the same data in the same run, and nothing of
// that Redis is left; without one it is said what to install. Method: the program itself, on a
// small world. Both sides are compared by it before anything is measured. The tests with a
// redis-server say that they are skipped where none is installed.
#include <filesystem>
#include <string>
#include <unistd.h>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::bench_redis_test {
namespace {

bool no_redis() {
  if (::access("/usr/bin/redis-server", X_OK) == 0) return false;
  MESSAGE("skipped: redis-server is not installed");
  return true;
}

// `chirp bench WHAT --beside redis` on a small world, with its temporary files in `folder`.
Command beside_redis(const std::string& what, const std::string& folder) {
  Command command{{CHIRP_BINARY, "bench", what, "--beside", "redis", "--json", "--seconds", "0.02",
                   "--users", "60", "--follows", "600", "--posts", "3000"}};
  command.environment = {"TMPDIR=" + folder};
  return command;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("bench: feeds and deliveries stand beside the same ones in Redis, which goes with them") {
  if (no_redis()) return;
  const TempFolder folder;
  const Ended feed = run(beside_redis("feed", folder.path().string()));
  REQUIRE_MESSAGE(feed.ok(), to_string(feed));
  CHECK(has(feed.out, R"("name":"feed, Redis")"));
  CHECK(has(feed.out, R"("beside":{"name":"Redis","rate":)"));
  const Ended fan_out = run(beside_redis("fanout", folder.path().string()));
  REQUIRE_MESSAGE(fan_out.ok(), to_string(fan_out));
  CHECK(has(fan_out.out, R"("beside":{"name":"Redis","rate":)"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("bench: the reference load is compared with the same one in Redis, synced in two ways") {
  if (no_redis()) return;
  const TempFolder folder;
  Command command = beside_redis("reference", folder.path().string());
  for (const char* word : {"--reads", "500", "--writes", "100"}) command.arguments.push_back(word);
  const Ended ended = run(command);
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  for (const char* synced : {"everysec", "always"}) {
    for (const char* what : {"reads", "posts", "deliveries"}) {
      const std::string line = std::string(R"({"name":")") + what + ", Redis " + synced + "\"";
      CHECK_MESSAGE(has(ended.out, line), line);
    }
  }
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("bench: a Redis to measure beside does not outlive a program that is killed") {
  if (no_redis()) return;
  const TempFolder folder;
  // What watches over the server holds the standard output until both are gone, so that its end is
  // the end of what is read.
  const Ended ended = run({{"/bin/sh", "-c", R"(
      mkfifo "$TMPDIR/out"
      "$0" bench feed --beside redis --json --seconds 600 --users 60 --follows 600 --posts 3000 \
        --cache-mb 0 > "$TMPDIR/out" &
      exec 3< "$TMPDIR/out"
      until find "$TMPDIR" -name redis.sock | grep -q .; do :; done
      kill -KILL $!
      cat <&3 > "$TMPDIR/rest"
      find "$TMPDIR" -name redis.sock | wc -l
  )",
                            CHIRP_BINARY},
                           {"TMPDIR=" + folder.path().string()}});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  CHECK(ended.out == "0\n");
}

TEST_CASE("bench: without a redis-server it is said what to install") {
  const TempFolder folder;
  Command command = beside_redis("feed", folder.path().string());
  command.environment.push_back("PATH=" + folder.path().string());
  const Ended ended = run(command);
  CHECK(ended.status == 1);
  CHECK_MESSAGE(has(ended.err, "apt-get install redis-server"), ended.err);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("bench: only feeds are compared with Redis") {
  const Ended ended = run({{CHIRP_BINARY, "bench", "load", "--beside", "redis"}});
  CHECK(ended.status == 2);
  CHECK_MESSAGE(has(ended.err, "--beside needs feed, fanout or reference"), ended.err);
}

TEST_CASE("bench: what measures worlds of its own takes no data directory") {
  for (const char* what : {"react", "load", "http", "growth"}) {
    CAPTURE(what);
    const Ended ended = run({{CHIRP_BINARY, "bench", what, "--data", "/nowhere"}});
    CHECK(ended.status == 2);
    CHECK_MESSAGE(has(ended.err, "--data needs feed, fanout, reference"), ended.err);
  }
}

}  // namespace chirp::test::bench_redis_test
