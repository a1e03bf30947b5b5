// Goal: the server keeps what it has answered, whatever ends it, and shares its directory with the
// command line.
// Method: the program itself on a free port; client threads post until it ends in one way or
// another; then the directory is opened and every answer looked for.

#include <algorithm>
#include <atomic>
#include <csignal>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/reads.h"
#include "store/data_directory.h"
#include "tests/support/child.h"
#include "tests/support/eventually.h"
#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::service_test {
namespace {

constexpr int kClients = 16;

Question post_by(const std::string& token, const std::string& text, const std::string& key = {}) {
  Question question{"POST", "/v1/posts", fmt::format("{{\"content\":\"{}\"}}", text), token};
  if (!key.empty()) question.headers.push_back("Idempotency-Key: " + key);
  return question;
}

// A directory that is served, and what its server has answered: text by post id.
struct World {
  explicit World(const std::vector<std::string>& names = {"mira", "yuki"})
      : data((folder / "world").string()), tokens(make_served_directory(data, names)) {}

  // Client threads, each with the number it has; they end when `work` does.
  void with_clients(
      int clients, const std::function<void(int)>& work,
      const std::function<void()>& meanwhile = [] {}) const {
    std::vector<std::jthread> threads;
    for (int number = 0; number < clients; ++number) threads.emplace_back(work, number);
    meanwhile();
  }

  [[nodiscard]] const std::string& token_of(int client) const {
    return tokens[static_cast<std::size_t>(client) % tokens.size()];
  }

  void acknowledge(const Told& reply, const std::string& text) {
    const std::lock_guard guard(mutex);
    answered[std::stoull(reply.field("postId"))] = text;
  }
  [[nodiscard]] std::size_t acknowledged() const {
    const std::lock_guard guard(mutex);
    return answered.size();
  }

  // Every answered post is there as it was answered.
  void check_answered() const {
    const auto directory = store::DataDirectory::open(data);
    const auto snapshot = directory->storage().snapshot();
    std::size_t lost = 0;
    for (const auto& [id, text] : answered) {
      const auto stored = snapshot->post(PostId{id});
      if (!stored || stored->text != text) ++lost;
    }
    CHECK(lost == 0);
  }
  void check_sound() const {
    const Ended doctor = run(chirp_command(data, {"doctor"}));
    CHECK_MESSAGE(doctor.ok(), to_string(doctor));
  }
  // How often each text was posted, in the whole directory.
  [[nodiscard]] std::map<std::string, int> texts() const {
    std::map<std::string, int> texts;
    const auto directory = store::DataDirectory::open(data);
    const auto snapshot = directory->storage().snapshot();
    for (const Post& stored : reads::rows_above<tables::Posts>(*snapshot, {{}}, 1'000'000))
      ++texts[stored.text];
    return texts;
  }

  TempFolder folder;
  std::string data;
  std::vector<std::string> tokens;
  mutable std::mutex mutex;
  std::map<std::uint64_t, std::string> answered;
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("service: posts of 64 client threads are durable when answered, each client's in order") {
  World world;
  ServerProcess server(world.data);
  std::atomic<int> unordered{0};
  std::atomic<int> refused{0};
  world.with_clients(64, [&](int client) {
    Asker http = server.client();
    std::uint64_t last = 0;
    for (int i = 0; i < 25; ++i) {
      const std::string text = fmt::format("{} of {}", i, client);
      const Told reply = http.ask(post_by(world.token_of(client), text));
      if (reply.status != 201) {
        ++refused;
        continue;
      }
      const std::uint64_t id = std::stoull(reply.field("postId"));
      if (id <= last) ++unordered;
      last = id;
      world.acknowledge(reply, text);
    }
  });
  CHECK(server.end(SIGKILL).signal == SIGKILL);
  CHECK(refused == 0);
  CHECK(unordered == 0);
  CHECK(world.answered.size() == 64 * 25);
  world.check_answered();
  world.check_sound();
}

TEST_CASE("service: SIGTERM answers what was accepted and ends with 0") {
  World world;
  for (int round = 0; round < 5; ++round) {
    ServerProcess server(world.data);
    const std::size_t before = world.acknowledged();
    const auto work = [&](int client) {
      Asker http = server.client();
      for (int i = 0;; ++i) {
        const std::string text = fmt::format("{} of {} in {}", i, client, round);
        const Told reply = http.ask(post_by(world.token_of(client), text));
        if (reply.status != 201) return;
        world.acknowledge(reply, text);
      }
    };
    Ended ended;
    world.with_clients(kClients, work, [&] {
      CHECK(eventually([&] { return world.acknowledged() > before + 100; }));
      ended = server.end(SIGTERM);
    });
    CHECK_MESSAGE(ended.status == 0, to_string(ended));
    CHECK_FALSE(ended.late);
  }
  world.check_answered();
  world.check_sound();
}

TEST_CASE("service: what another process changes of tokens and settings, the next request sees") {
  const World world;
  ServerProcess server(world.data);
  Asker client = server.client();
  const auto me = [&](const std::string& token) {
    return client.ask({.path = "/v1/users/me", .token = token});
  };
  const auto beside = [&](std::vector<std::string> arguments) {
    const Ended ended = run(chirp_command(world.data, std::move(arguments)));
    CHECK_MESSAGE(ended.ok(), to_string(ended));
  };
  for (int round = 0; round < 3; ++round) {
    for (const std::string& token : world.tokens) CHECK(me(token).status == 200);
  }
  CHECK(client.ask({.path = "/metrics"}).body.find("chirp_callers_total{from=\"memory\"} 4") !=
        std::string::npos);
  beside({"user", "token", "mira", "--revoke"});
  CHECK(me(world.tokens[0]).status == 401);
  CHECK(me(world.tokens[1]).status == 200);
  beside({"user", "edit", "yuki", "--display-name", "Yuki Tanaka"});
  CHECK(me(world.tokens[1]).field("displayName") == "Yuki Tanaka");
  beside({"config", "set", "http.rate_limit", "1"});
  // A minute may end between the first two.
  const std::set<int> crowded{me(world.tokens[1]).status, me(world.tokens[1]).status,
                              me(world.tokens[1]).status};
  CHECK(crowded.contains(429));
  beside({"config", "set", "http.rate_limit", "1000"});
  CHECK(me(world.tokens[1]).status == 200);
  beside({"user", "remove", "yuki"});
  CHECK(me(world.tokens[1]).status == 401);
  CHECK(server.end(SIGTERM).status == 0);
}

TEST_CASE("service: a terminal that is closed ends it like SIGTERM, unless it is to outlive that") {
  World world;
  ServerProcess server(world.data);
  Asker client = server.client();
  CHECK(client.ask({.path = "/healthz"}).status == 200);
  const Ended ended = server.end(SIGHUP);
  CHECK_MESSAGE(ended.status == 0, to_string(ended));
  CHECK(ended.signal == 0);
  // As nohup starts it.
  const auto before = ::signal(SIGHUP, SIG_IGN);
  ServerProcess lasting(world.data);
  ::signal(SIGHUP, before);
  lasting.signal(SIGHUP);
  Asker again = lasting.client();
  CHECK(again.ask({.path = "/healthz"}).status == 200);
  CHECK(lasting.end(SIGTERM).status == 0);
}

TEST_CASE(
    "service: killed under load, it loses no answer, and repeats with a key make no second post") {
  constexpr int kKills = 20;
  World world;
  std::atomic<int> round{0};
  std::atomic<std::uint16_t> port{0};
  std::atomic<bool> over{false};
  auto server = std::make_unique<ServerProcess>(world.data);
  port = server->port();
  const auto work = [&](int client) {
    for (int i = 0; !over; ++i) {
      const std::string text = fmt::format("{} of {}", i, client);
      // Until there is an answer: from this server, or from the next one.
      for (Told reply; reply.status != 201 && reply.status != 200 && !over;) {
        port.wait(0);  // while there is no server
        Asker http(port);
        reply = http.ask(post_by(world.token_of(client), text, fmt::format("k{}-{}", client, i)));
        if (reply.ok()) world.acknowledge(reply, text);
      }
    }
  };
  world.with_clients(kClients, work, [&] {
    for (int kill = 0; kill < kKills; ++kill) {
      const std::size_t before = world.acknowledged();
      CHECK(eventually([&] { return world.acknowledged() > before + 40; }));
      port = 0;
      CHECK(server->end(SIGKILL).signal == SIGKILL);
      server = std::make_unique<ServerProcess>(world.data);
      port = server->port();
      port.notify_all();
    }
    over = true;
  });
  CHECK(server->end(SIGTERM).status == 0);
  world.check_answered();
  for (const auto& [text, times] : world.texts()) CHECK_MESSAGE(times == 1, text);
  world.check_sound();
}

TEST_CASE("service: what a command posts is in the next feed, and commands work under load") {
  World world;
  CHECK(run(chirp_command(world.data, {"follow", "add", "yuki", "mira"})).ok());
  ServerProcess server(world.data);
  Asker reader = server.client();
  for (int i = 0; i < 10; ++i) {
    const std::string text = fmt::format("by hand {}", i);
    CHECK(run(chirp_command(world.data, {"post", "add", "mira", text})).ok());
    const Told feed = reader.ask({"GET", "/v1/feed", {}, world.tokens[1]});
    CHECK(feed.status == 200);
    CHECK(feed.field("content") == text);
  }
  std::atomic<bool> over{false};
  const auto work = [&](int client) {
    Asker http = server.client();
    for (int i = 0; !over; ++i) {
      const std::string text = fmt::format("{} of {}", i, client);
      const Told reply = http.ask(post_by(world.token_of(client), text));
      if (reply.status == 201) world.acknowledge(reply, text);
    }
  };
  const std::string copy = (world.folder / "copy").string();
  world.with_clients(4, work, [&] {
    world.check_sound();
    const Ended backup = run(chirp_command(world.data, {"backup", copy}));
    CHECK_MESSAGE(backup.ok(), to_string(backup));
    over = true;
  });
  CHECK(server.end(SIGTERM).status == 0);
  world.check_answered();
  const std::string restored = (world.folder / "restored").string();
  CHECK(run(chirp_command(restored, {"restore", copy})).ok());
  const Ended doctor = run(chirp_command(restored, {"doctor"}));
  CHECK_MESSAGE(doctor.ok(), to_string(doctor));
}

TEST_CASE("service: a directory has one server, and the next one when that is gone") {
  const World world;
  ServerProcess first(world.data);
  const Ended second = run(chirp_command(world.data, {"serve", "--port", "0"}));
  CHECK(second.status == 4);
  CHECK(second.err.find(fmt::format("already served by pid {}", first.pid())) != std::string::npos);
  Asker http = first.client();
  CHECK(http.ask({"GET", "/healthz"}).status == 200);
  CHECK(first.end(SIGKILL).signal == SIGKILL);
  ServerProcess third(world.data);
  CHECK(third.client().ask({"GET", "/healthz"}).status == 200);
  CHECK(third.end(SIGINT).status == 0);
}

TEST_CASE("service: a port that is taken is said, and nothing is served") {
  const World world;
  const World other;
  const ServerProcess first(world.data);
  const Ended second =
      run(chirp_command(other.data, {"serve", "--port", std::to_string(first.port())}));
  CHECK(second.status == 1);
  CHECK(second.err.find(std::to_string(first.port())) != std::string::npos);
}

TEST_CASE("service: listening to the network prints a hint what to put in front") {
  const World world;
  Command command = chirp_command(world.data, {"serve", "--port", "0", "--host", "0.0.0.0"});
  Background server(command);
  CHECK(server.error_line().starts_with("Listening on http://0.0.0.0:"));
  CHECK(server.error_line().find("TLS") != std::string::npos);
  server.signal(SIGTERM);
  CHECK(server.wait().status == 0);
}

TEST_CASE("service: a server for this machine answers for its names and for those that are set") {
  const World world;
  const auto statuses = [](const ServerProcess& server) {
    std::string all;
    for (const char* host : {"localhost", "127.0.0.1:80", "chirp.example", "evil.example"}) {
      HttpClient client(server.port());
      CHECK(client.send(fmt::format("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", host)));
      all += fmt::format("{} ", client.read().status);
    }
    return all;
  };
  {
    const ServerProcess server(world.data);
    CHECK(statuses(server) == "200 200 421 421 ");
  }
  CHECK(run(chirp_command(world.data, {"config", "set", "http.hosts", "chirp.example"})).ok());
  {
    const ServerProcess server(world.data);
    CHECK(statuses(server) == "200 200 200 421 ");
  }
  {
    const ServerProcess server(world.data, {"--quiet", "--host", "0.0.0.0"});
    CHECK(statuses(server) == "200 200 200 421 ");
  }
  CHECK(run(chirp_command(world.data, {"config", "set", "http.hosts", "none"})).ok());
  const ServerProcess server(world.data, {"--quiet", "--host", "0.0.0.0"});
  CHECK(statuses(server) == "200 200 200 200 ");
}

TEST_CASE("service: the log holds no secrets") {
  const World world;
  ServerProcess server(world.data, {});
  Asker http = server.client();
  CHECK(http.ask({"POST", "/v1/users",
                  R"({"username":"tomas","password":"opensesame1","email":"tomas@example.org"})"})
            .status == 201);
  const Told session =
      http.ask({"POST", "/v1/sessions", R"({"username":"tomas","password":"opensesame1"})"});
  CHECK(session.status == 201);
  const std::string token = session.field("token");
  CHECK_FALSE(token.empty());
  CHECK(http.ask(post_by(token, "between us")).status == 201);
  CHECK(http.ask({"GET", "/v1/users?match=mirage", {}, token}).status == 200);
  CHECK(http.ask({"GET", "/v1/users/me", {}, "not-a-token"}).status == 401);
  CHECK(http.ask({"POST", "/v1/sessions", R"({"username":"tomas","password":"sesameopen2"})"})
            .status == 401);
  const Ended ended = server.end(SIGTERM);
  CHECK(ended.status == 0);
  CHECK(ended.err.find("createPost") != std::string::npos);
  for (const std::string& secret :
       {token, std::string("opensesame1"), std::string("sesameopen2"), std::string("not-a-token"),
        std::string("between us"), std::string("mirage"), std::string("tomas@example.org")}) {
    CHECK_MESSAGE(ended.err.find(secret) == std::string::npos, secret);
  }
}

TEST_CASE("service: a removed account is gone at once, and its name is free soon") {
  World world({"mira", "yuki"});
  ServerProcess server(world.data);
  Asker http = server.client();
  const Told posted = http.ask(post_by(world.tokens[0], "goodbye"));
  CHECK(posted.status == 201);
  CHECK(http.ask({"DELETE", "/v1/users/me", {}, world.tokens[0]}).status == 204);
  CHECK(http.ask({"GET", "/v1/users/me", {}, world.tokens[0]}).status == 401);
  CHECK(http.ask({"GET", "/v1/posts/" + posted.field("postId")}).status == 404);
  CHECK(eventually([&] {
    return http.ask({"POST", "/v1/users",
                     R"({"username":"mira","password":"opensesame1","email":"m@example.org"})"})
               .status == 201;
  }));
  CHECK(server.end(SIGTERM).status == 0);
  world.check_sound();
}

TEST_SUITE_END();

}  // namespace chirp::test::service_test
