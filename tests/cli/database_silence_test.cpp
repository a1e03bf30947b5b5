// Goal: a server whose database keeps its connections open but stops answering still answers what
// needs no database, reports that it is not healthy, and ends on a signal; a load ends with an
// error. Method: the program, connected through a line that can be silenced.
#include <atomic>
#include <csignal>
#include <future>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/cut_line.h"
#include "tests/support/eventually.h"
#include "tests/support/postgres_server.h"
#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::database_silence_test {
namespace {

// A connection through which nothing passes once `is_quiet` is set.
struct QuietLine {
  explicit QuietLine(const std::string& url)
      : line(url, [this](const Message& /*message*/) {
          return is_quiet ? Cut{.when = Cut::When::kBefore,
                                .act = [this] { ++unheard; },
                                .is_silent = true}
                          : Cut{};
        }) {}

  std::atomic<bool> is_quiet = false;
  std::atomic<int> unheard = 0;
  CutLine line;
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("database: a server with a silent database answers what needs none, and ends") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  const auto tokens = make_served_directory(database.url(), {"mira"});
  QuietLine quiet(database.url());
  ServerProcess server(quiet.line.through(database.url()));
  const Question feed{.path = "/v1/feed", .token = tokens.front()};
  CHECK(server.client().ask(feed).status == 200);
  CHECK(server.client().ask({.path = "/healthz"}).status == 200);

  quiet.is_quiet = true;
  std::vector<std::future<Told>> asking;
  // More than there are threads that read.
  for (int i = 0; i < 8; ++i) {
    asking.push_back(std::async(std::launch::async, [&] { return server.client().ask(feed); }));
  }
  CHECK(eventually([&] { return quiet.unheard != 0; }));
  CHECK(server.client().ask({.path = "/"}).status == 200);
  CHECK(server.client().ask({.path = "/healthz"}).status == 503);
  CHECK(server.client().ask({.path = "/healthz"}).status == 503);
  server.signal(SIGTERM);
  const Ended ended = server.end(SIGTERM);
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  for (auto& one : asking) CHECK(one.get().status != 200);
}

TEST_CASE("database: a load whose database is silent ends with an error") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  (void)make_served_directory(database.url(), {"mira"});
  QuietLine quiet(database.url());
  quiet.is_quiet = true;
  Command command = chirp_command(quiet.line.through(database.url()), {"load", "posts", "-"});
  command.input = R"({"author":"mira","text":"one"})";
  command.environment = {"CHIRP_DATABASE_TIMEOUT=1"};
  const Ended ended = run(command);
  CHECK_MESSAGE(ended.status == 1, to_string(ended));
  CHECK_MESSAGE(ended.err.find("it was silent for") != std::string::npos, to_string(ended));
}

TEST_SUITE_END();

}  // namespace chirp::test::database_silence_test
