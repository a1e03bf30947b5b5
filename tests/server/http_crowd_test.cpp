// Goal: nobody waits for those who are slow, idle, many or endless, and they cost little.
// Method: crowds of raw sockets before the real front, whose clock the test moves; a good client
// beside them, and the process's own memory.
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "server/http/connection.h"
#include "server/http/listener.h"
#include "server/limits.h"
#include "tests/support/fake_app.h"
#include "tests/support/faults.h"
#include "tests/support/http_client.h"

namespace chirp::test {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMoment{1};

void check_served(std::uint16_t port) {
  HttpClient client(port);
  for (int i = 0; i < 20; ++i) {
    client.send(get("/hello"));
    CHECK(client.read().body == "hello");
  }
}

// Sends a byte now and then, until the deadline: then the server has had enough, and not before.
// The body of a request may come as soon as there is room for it.
Reply trickle(RunningFront& server, std::string_view begin, milliseconds deadline,
              std::uint64_t body_bytes = 0) {
  HttpClient client(server.port());
  client.send(begin);
  REQUIRE(comes_true([&] { return server.front().counts().body_bytes == body_bytes; }));
  constexpr int kBytes = 4;
  for (int i = 0; i < kBytes; ++i) {
    server.advance((deadline - kMoment) / kBytes);
    CHECK_FALSE(client.hears_within(milliseconds(0)));
    client.send("a");
  }
  server.advance(deadline - (deadline - kMoment) / kBytes * kBytes);
  return client.read();
}

// Whether a client is still connected right before this time has passed, and hung up on then.
bool lasts_for(RunningFront& server, HttpClient& client, milliseconds time) {
  server.advance(time - kMoment);
  const bool lasts = !client.hears_within(milliseconds(0));
  server.advance(kMoment);
  return lasts && client.is_closed();
}

// Takes descriptors until the process has none left, by a lower limit; gives them back at the end.
class NoDescriptors {
 public:
  NoDescriptors() {
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
    rlimit low = before_;
    low.rlim_cur = 256;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &low) == 0);
    take();
  }
  ~NoDescriptors() {
    give_back(taken_.size());
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

  void take() {
    for (int next = ::dup(0); next >= 0; next = ::dup(0)) taken_.push_back(next);
  }
  void give_back(std::size_t count) {
    for (; count > 0; --count) {
      ::close(taken_.back());
      taken_.pop_back();
    }
  }

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("http: a head that trickles in is given up at its deadline") {
  FakeApp app;
  RunningFront server(app);
  CHECK(trickle(server, "GET /hello HTTP/1.1\r\nHost: a\r\nX: ", any_port().head_deadline).status ==
        408);
}

TEST_CASE("http: a body that trickles in is given up at its deadline") {
  FakeApp app;
  RunningFront server(app);
  const std::string head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n";
  CHECK(trickle(server, head, any_port().body_deadline, 9).status == 408);
  check_served(server.port());
}

TEST_CASE("http: a silent client is disconnected without an answer") {
  FakeApp app;
  RunningFront server(app);
  HttpClient silent(server.port());
  CHECK(lasts_for(server, silent, any_port().head_deadline));
  CHECK(comes_true([&] { return server.front().counts().connections == 0; }));
}

TEST_CASE("http: an idle client is disconnected without an answer") {
  FakeApp app;
  RunningFront server(app);
  HttpClient idle(server.port());
  // By the thread that watches the sockets: with its answer the client is idle.
  idle.send(get("/quick/hello"));
  CHECK(idle.read().body == "hello");
  CHECK(lasts_for(server, idle, any_port().idle_deadline));
  CHECK(comes_true([&] { return server.front().counts().connections == 0; }));
}

TEST_CASE("http: a client is kept idle for longer than proxies keep their connections") {
  CHECK(any_port().idle_deadline > std::chrono::seconds(60));
}

TEST_CASE("http: a connection whose request has come is not the one closed for room") {
  FakeApp app;
  std::array<std::array<int, 2>, 3> pairs{};
  http::Deadlines deadlines({});
  std::vector<std::unique_ptr<http::Connection>> connections;
  for (auto& pair : pairs) {
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) == 0);
    const bool is_other = connections.size() == 2;
    connections.push_back(std::make_unique<http::Connection>(
        connections.size(), pair[0], http::Peer{is_other ? "other" : "peer"},
        http::RequestReader(app, "192.0.2.1")));
    deadlines.add(*connections.back());
    deadlines.set(*connections.back(), http::Deadline::kIdle, {});
  }
  const std::string peer = "peer";
  const auto send = [&](std::size_t which) { CHECK(::write(pairs[which][1], "G", 1) == 1); };
  CHECK(deadlines.first_idle() == connections[0].get());
  send(0);
  CHECK(deadlines.first_idle() == connections[1].get());
  CHECK(deadlines.first_idle(&peer) == connections[1].get());
  send(1);
  CHECK(deadlines.first_idle(&peer) == nullptr);
  CHECK(deadlines.first_idle() == connections[2].get());
  ::close(pairs[2][1]);  // one that was hung up on is idle
  CHECK(deadlines.first_idle() == connections[2].get());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ::close(pairs[i][0]);
    if (i != 2) ::close(pairs[i][1]);
  }
}

TEST_CASE("http: a client that does not read its answer is disconnected") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port(), 4096);
  client.send(get("/letters?n=20000000"));
  CHECK(comes_true([&] { return server.front().counts().answer_bytes > 0; }));
  // What the system takes for it is progress, until that is full.
  CHECK(comes_true([&] {
    server.advance(any_port().write_deadline);
    return server.front().counts().answer_bytes == 0;
  }));
  CHECK(client.read_to_end().size() < 20'000'000);
  check_served(server.port());
}

TEST_CASE("http: a client that reads slowly gets the whole answer") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port(), 4096);
  client.send(get("/letters?n=6000000"));
  CHECK(client.read().body.size() == 6'000'000);
}

TEST_CASE("http: five hundred idle clients and as many slow ones keep nobody waiting") {
  FakeApp app;
  http::FrontOptions options = any_port();
  options.read_threads = 1;
  RunningFront server(app, options);
  std::vector<HttpClient> crowd;
  for (int i = 0; i < 500; ++i) {
    crowd.emplace_back(server.port()).send(get("/hello"));
    CHECK(crowd.back().read().status == 200);
    crowd.emplace_back(server.port()).send("GET /hello HTTP/1.1\r\nHost: a\r\nX:");
  }
  CHECK(comes_true([&] { return server.front().counts().connections == 1000; }));
  check_served(server.port());
  CHECK(crowd[998].send(get("/hello")));
  CHECK(crowd[998].read().body == "hello");
  CHECK(crowd[999].send("\r\n\r\n"));
  CHECK(crowd[999].read().body == "hello");
}

TEST_CASE("http: when all connections are taken, those that are idle make room") {
  FakeApp app;
  http::FrontOptions options = any_port();
  options.connections = 3;
  RunningFront server(app, options);
  HttpClient busy(server.port());
  busy.send(post("/wait", ""));
  app.wait_for_waiting(1);
  std::vector<HttpClient> idle;
  for (int i = 0; i < 2; ++i) {
    idle.emplace_back(server.port()).send(get("/hello"));
    CHECK(idle.back().read().body == "hello");
  }
  std::vector<HttpClient> slow;
  for (HttpClient& each : idle) {
    // A connection is idle a moment after its client has the answer.
    CHECK(comes_true([&] {
      slow.emplace_back(server.port()).send("GET /hello HTTP/1.1\r\n");
      return each.hears_within(milliseconds(5));
    }));
    CHECK(each.is_closed());
  }
  // Nobody is idle now.
  CHECK(HttpClient(server.port()).is_closed());
  app.let_go();
  CHECK(busy.read().body == "waited");
}

TEST_CASE("http: without file descriptors new clients are disconnected, and served later") {
  FakeApp app;
  RunningFront server(app);
  {
    HttpClient inside(server.port());
    const auto ask = [&] {
      inside.send(get("/hello"));
      return inside.read().body;
    };
    // While the first is answered, the thread that accepts may still look for more connections; the
    // second is read after that.
    CHECK(ask() == "hello");
    CHECK(ask() == "hello");
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const NoDescriptors none;
    HttpClient::connect(socket, server.port());
    CHECK(HttpClient(HttpClient::Connected{socket}).is_closed());
    CHECK(ask() == "hello");
  }
  check_served(server.port());
}

TEST_CASE("http: the descriptor for hanging up is taken again when it was lost") {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  NoDescriptors none;
  none.give_back(1);
  http::Listener listener("127.0.0.1", 0);  // takes the last descriptor
  none.give_back(1);
  CHECK_FALSE(listener.accept());
  none.take();
  HttpClient::connect(socket, listener.port());
  HttpClient outside(HttpClient::Connected{socket});
  CHECK_FALSE(listener.accept());
  CHECK(outside.is_closed());
}

TEST_CASE("http: endless lines, headers and bodies cost no memory") {
  FakeApp app;
  RunningFront server(app);
  const std::string letters(1 << 20, 'a');
  std::string many;
  while (many.size() < letters.size()) many += "a: b\r\n";
  const std::string chunk = "100000\r\n" + letters + "\r\n";
  const std::pair<std::string, std::string> endless[] = {
      {"", letters},
      {"GET /", letters},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: ", letters},
      {"GET / HTTP/1.1\r\nHost: a\r\n", many},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", chunk},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000000\r\n\r\n", letters}};
  // The address sanitizer keeps for a while what has been freed.
  const std::size_t spare = built_with_sanitizer() ? 16 << 20 : 1 << 20;
  std::size_t before = 0;
  // The first round is for what is kept once, in the test as well.
  for (const bool counts : {false, true}) {
    for (const auto& [begin, more] : endless) {
      CAPTURE(begin);
      HttpClient client(server.port());
      client.send(begin);
      for (int i = 0; i < 32 && client.send(more); ++i) {
      }
      if (counts) CHECK(resident_bytes() < before + spare);
    }
    before = resident_bytes();
  }
  check_served(server.port());
}

TEST_CASE("http: a full queue is said at once, and the other lanes go on") {
  FakeApp app;
  http::FrontOptions options = any_port();
  options.write_threads = 2;
  RunningFront server(app, options);
  std::vector<HttpClient> waiting;
  const auto wait_as = [&](const std::string& request) {
    waiting.emplace_back(server.port()).send(request);
  };
  for (std::size_t i = 0; i < 2; ++i) wait_as(post("/wait", ""));
  app.wait_for_waiting(2);
  for (std::size_t i = 0; i < limits::kQueuedRequestsMax; ++i) wait_as(post("/wait", ""));
  CHECK(comes_true(
      [&] { return server.front().counts().queued_writes == limits::kQueuedRequestsMax; }));

  HttpClient client(server.port());
  for (int i = 0; i < 100; ++i) {
    client.send(post("/echo", "x"));
    const Reply reply = client.read();
    CHECK(reply.status == 503);
    CHECK(reply.header("retry-after") == "1");
    CHECK(reply.header("content-type") == "application/problem+json");
  }
  client.send(get("/hello"));  // on the same connection
  CHECK(client.read().body == "hello");
  client.send(get("/password"));
  CHECK(client.read().status == 404);

  app.let_go();
  for (HttpClient& each : waiting) CHECK(each.read().body == "waited");
}

TEST_CASE("http: passwords have a queue of their own") {
  FakeApp app;
  RunningFront server(app);
  std::vector<HttpClient> waiting;
  for (std::size_t i = 0; i < 2; ++i)
    waiting.emplace_back(server.port()).send(get("/password/wait"));
  app.wait_for_waiting(2);
  for (std::size_t i = 0; i < limits::kPasswordQueueMax; ++i) {
    waiting.emplace_back(server.port()).send(get("/password/wait"));
  }
  CHECK(comes_true(
      [&] { return server.front().counts().queued_passwords == limits::kPasswordQueueMax; }));
  HttpClient client(server.port());
  client.send(get("/password"));
  CHECK(client.read().status == 503);
  client.send(post("/echo", "written"));
  CHECK(client.read().body == "written");
  app.let_go();
  for (HttpClient& each : waiting) CHECK(each.read().body == "waited");
}

TEST_CASE("http: clients that hang up while they are worked for leave nothing behind") {
  FakeApp app;
  RunningFront server(app);
  {
    std::vector<HttpClient> gone;
    for (int i = 0; i < 20; ++i) gone.emplace_back(server.port()).send(post("/wait", ""));
    app.wait_for_waiting(4);
  }
  app.let_go();
  CHECK(comes_true([&] { return server.front().counts().connections == 0; }));
  CHECK(app.answered() == 20);
  check_served(server.port());
}

TEST_SUITE_END();

}  // namespace chirp::test
