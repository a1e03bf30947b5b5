// Goal: what clients leave lying - answers they don't take, bodies they don't send, connections
// they don't use - is bounded for each of them, and others find room. Method: raw sockets of
// several addresses of this machine before the real front, with small bounds; the front's own
// counts, and the process's memory.
#include <arpa/inet.h>
#include <chrono>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "server/limits.h"
#include "tests/support/fake_app.h"
#include "tests/support/faults.h"
#include "tests/support/http_client.h"

namespace chirp::test {
namespace {

constexpr std::size_t kMega = 1 << 20;

std::string upload_head(std::string_view more = {}) {
  return fmt::format("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n{}\r\n", kMega,
                     more);
}

http::FrontOptions with_answers(http::RoomBounds answers) {
  http::FrontOptions options = any_port();
  options.answers = answers;
  return options;
}

http::FrontOptions with_bodies(http::RoomBounds bodies) {
  http::FrontOptions options = any_port();
  options.bodies = bodies;
  return options;
}

http::FrontOptions with_connections(std::size_t connections) {
  http::FrontOptions options = any_port();
  options.connections = connections;
  return options;
}

// The front before an app, with bounds of the test's own, and clients of several addresses.
struct Bounded {
  explicit Bounded(http::FrontOptions options = any_port()) : server(app, std::move(options)) {}
  // So many connections for an address.
  explicit Bounded(std::size_t connections)
      : server((app.connections = connections, app), any_port()) {}

  [[nodiscard]] http::FrontCounts counts() { return server.front().counts(); }

  // From 127.0.0.`last`, with a window that takes little.
  HttpClient from(int last) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int small = 4096;
    ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + static_cast<std::uint32_t>(last));
    REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    HttpClient::connect(socket, server.port());
    return HttpClient(HttpClient::Connected{socket});
  }
  HttpClient sent_from(int last, std::string_view request) {
    HttpClient client = from(last);
    client.send(request);
    return client;
  }
  // Uploads of one address that stall, each with so much of its megabyte sent.
  std::vector<HttpClient> stalled_uploads(std::uint64_t count, std::size_t bytes) {
    std::vector<HttpClient> stalled;
    for (std::uint64_t i = 0; i < count; ++i) {
      stalled.push_back(sent_from(1, upload_head() + std::string(bytes, 's')));
      CHECK(comes_true([&] { return counts().body_bytes == (i + 1) * kMega; }));
    }
    return stalled;
  }

  FakeApp app;
  RunningFront server;
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("http: answers that nobody takes fill no memory") {
  Bounded world;
  std::vector<HttpClient> clients;
  constexpr int kAsked = 12;  // three times what an address may leave
  for (int i = 0; i < kAsked; ++i) {
    clients.emplace_back(world.server.port(), 4096).send(get("/letters?n=8000000"));
  }
  // All that is left is what an address may leave.
  constexpr std::size_t kLeft = limits::kAnswerBytesPerAddressMax / 8'000'000;
  CHECK(comes_true([&] { return world.counts().dropped_answers == kAsked - kLeft; }));
  CHECK(world.counts().answer_bytes <= limits::kAnswerBytesPerAddressMax);
}

TEST_CASE("http: what an address does not take is bounded, and the first it asked for goes") {
  Bounded world(with_answers({100 * kMega, 4 * kMega, 100 * kMega}));
  std::vector<HttpClient> clients;
  for (std::uint64_t i = 0; i < 8; ++i) {
    clients.push_back(world.sent_from(1, get("/letters?n=1500000")));
    CHECK(comes_true([&] { return world.counts().dropped_answers == (i < 2 ? 0 : i - 1); }));
    CHECK(comes_true([&] { return world.app.answered() == i + 1; }));
  }
  HttpClient other = world.sent_from(2, get("/letters?n=1500000"));
  CHECK(clients[7].read().body.size() == 1'500'000);
  CHECK(other.read().body.size() == 1'500'000);
  CHECK(world.counts().answer_bytes <= 4 * kMega);
  CHECK(world.counts().dropped_answers == 6);
}

TEST_CASE("http: what an account does not take is bounded, wherever it asks from") {
  Bounded world(with_answers({100 * kMega, 100 * kMega, 2 * kMega}));
  std::vector<HttpClient> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(world.sent_from(
        i + 1, get("/letters?n=1500000", fmt::format("From: {}\r\nUser: mira\r\n", i + 1))));
    CHECK(comes_true(
        [&] { return world.counts().dropped_answers == static_cast<std::uint64_t>(i); }));
  }
  CHECK(clients[3].read().body.size() == 1'500'000);
}

TEST_CASE("http: when all room is taken, answers of the client that holds the most are dropped") {
  Bounded world(with_answers({4 * kMega, 100 * kMega, 100 * kMega}));
  std::vector<HttpClient> greedy;
  for (std::uint64_t i = 0; i < 2; ++i) {
    greedy.push_back(world.sent_from(1, get("/letters?n=1500000")));
    CHECK(comes_true([&] { return world.counts().answer_bytes > (i + 1) * 1'000'000; }));
  }
  std::vector<HttpClient> modest;
  for (int i = 2; i < 4; ++i) {
    modest.push_back(world.sent_from(i, get("/letters?n=1000000")));
  }
  CHECK(comes_true([&] { return world.counts().dropped_answers > 0; }));
  for (HttpClient& each : modest) CHECK(each.read().body.size() == 1'000'000);
}

TEST_CASE("http: a client that reads nothing is dropped sooner when room is short") {
  http::FrontOptions options = with_answers({3 * kMega, 100 * kMega, 100 * kMega});
  options.write_deadline = std::chrono::hours(1);
  Bounded world(options);
  HttpClient client = world.sent_from(1, get("/letters?n=1500000"));
  // Half is not short, and one more is.
  CHECK(comes_true([&] { return world.counts().answer_bytes > 0; }));
  world.server.advance(options.hurry);
  CHECK(world.counts().dropped_answers == 0);
  HttpClient second = world.sent_from(2, get("/letters?n=1500000"));
  // What the system takes for them is progress, until that is full.
  CHECK(comes_true([&] {
    world.server.advance(options.hurry);
    return world.counts().dropped_answers > 0;
  }));
}

TEST_CASE("http: a file that nobody takes costs no more than a piece of it") {
  Bounded world;
  const std::size_t before = resident_bytes();
  std::vector<HttpClient> clients;
  for (int i = 0; i < 50; ++i) {
    clients.emplace_back(world.server.port(), 4096).send(get("/file?n=50000000"));
  }
  CHECK(comes_true([&] { return world.counts().answer_bytes >= 50 * limits::kPieceBytes; }));
  CHECK(world.counts().answer_bytes <= 100 * limits::kPieceBytes);
  // The address sanitizer keeps for a while what has been freed.
  if (!built_with_sanitizer()) CHECK(resident_bytes() < before + 50 * kMega);
  CHECK(world.counts().dropped_answers == 0);
  HttpClient slow(world.server.port(), 4096);
  slow.send(get("/file?n=3000000"));
  const std::string body = slow.read().body;
  REQUIRE(body.size() == 3'000'000);
  bool same = true;
  for (std::size_t i = 0; i < body.size(); ++i) same &= body[i] == static_cast<char>('a' + i % 26);
  CHECK(same);
}

TEST_CASE("http: a file that can't be read is a fault before its head, and breaks off behind it") {
  Bounded world;
  HttpClient client(world.server.port());
  client.send(get("/file?n=100&broken=50"));
  const Reply fault = client.read();
  CHECK(fault.status == 500);
  CHECK(fault.body.find("secret") == std::string::npos);
  client.send("HEAD /file?n=100 HTTP/1.1\r\nHost: a\r\n\r\n");
  const Reply head = client.read(HttpClient::Body::kLeftOut);
  CHECK(head.status == 200);
  CHECK(head.header("content-length") == "100");
  client.send(get("/file?n=0"));
  CHECK(client.read().body.empty());
  client.send(get("/file?n=1000000&broken=500000"));
  CHECK(client.read_head().header("content-length") == "1000000");
  CHECK(client.read_to_end().size() < 1'000'000);
}

TEST_CASE("http: a client that may not send a body learns it before sending") {
  Bounded world;
  HttpClient client(world.server.port());
  client.send(upload_head("Stranger: 1\r\n"));
  const Reply refused = client.read();
  CHECK(refused.status == 401);
  CHECK(refused.header("connection") == "close");
  CHECK(client.is_closed());
  HttpClient waiting(world.server.port());
  waiting.send(upload_head("Stranger: 1\r\nExpect: 100-continue\r\n"));
  CHECK(waiting.read().status == 401);
  CHECK(world.app.answered() == 0);
  CHECK(world.counts().body_bytes == 0);

  HttpClient welcome(world.server.port());
  welcome.send(upload_head("Expect: 100-continue\r\n"));
  CHECK(welcome.read_head().status == 100);
  CHECK(comes_true([&] { return world.counts().body_bytes == kMega; }));
  welcome.send(std::string(kMega, 'w'));
  CHECK(welcome.read().body == std::string(kMega, 'w'));
  CHECK(world.app.entered() == 3);
  // What comes with its head is asked about when it is answered.
  welcome.send(post("/echo", "short"));
  CHECK(welcome.read().body == "short");
  CHECK(world.app.entered() == 3);
  CHECK(comes_true([&] { return world.counts().body_bytes == 0; }));
}

TEST_CASE("http: bodies of an address are bounded, and those that lie still make way") {
  http::FrontOptions options = with_bodies({100 * kMega, 2 * kMega, 100 * kMega});
  {
    Bounded world(options);
    auto stalled = world.stalled_uploads(2, kMega - 1);
    HttpClient third = world.sent_from(1, upload_head());
    CHECK(third.read().status == 503);
    HttpClient other = world.sent_from(2, upload_head());
    other.send(std::string(kMega, 'o'));
    CHECK(other.read().status == 200);
    stalled[0].send("s");
    CHECK(stalled[0].read().status == 200);
  }
  Bounded world(options);
  auto stalled = world.stalled_uploads(2, 0);
  world.server.advance(options.body_deadline / 2);
  HttpClient third = world.sent_from(1, upload_head());
  CHECK(stalled[0].read().status == 503);
  third.send(std::string(kMega, 't'));
  CHECK(third.read().status == 200);
  CHECK(world.counts().dropped_bodies == 1);
}

TEST_CASE("http: bodies that stall keep nobody else's out") {
  Bounded world(with_bodies({4 * kMega, 100 * kMega, 100 * kMega}));
  auto stalled = world.stalled_uploads(4, kMega - 1);
  for (int i = 0; i < 3; ++i) {
    HttpClient other = world.sent_from(2 + i, upload_head());
    other.send(std::string(kMega, 'o'));
    CHECK(other.read().body.size() == kMega);
  }
}

TEST_CASE("http: connections of an address are bounded, and its idle ones make room") {
  Bounded world(std::size_t{3});
  std::vector<HttpClient> slow;
  for (int i = 0; i < 3; ++i) {
    slow.push_back(world.sent_from(1, "GET /hello HTTP/1.1\r\n"));
  }
  CHECK(comes_true([&] { return world.counts().connections == 3; }));
  CHECK(world.from(1).is_closed());
  HttpClient other = world.sent_from(2, get("/hello"));
  CHECK(other.read().body == "hello");
  // A proxy speaks for many.
  std::vector<HttpClient> proxied;
  for (int i = 0; i < 5; ++i) {
    proxied.push_back(world.sent_from(9, get("/hello")));
    CHECK(proxied.back().read().body == "hello");
  }
  slow[0].send("Host: a\r\n\r\n");
  CHECK(slow[0].read().body == "hello");
  CHECK(comes_true([&] {
    HttpClient next = world.sent_from(1, get("/hello"));
    return next.read().body == "hello";
  }));
  CHECK(world.counts().dropped_connections >= 2);
}

TEST_CASE("http: half a head makes way where one address has most connections of all") {
  Bounded world(with_connections(4));
  std::vector<HttpClient> slow;
  for (std::uint64_t i = 0; i < 4; ++i) {
    slow.push_back(world.sent_from(1, "GET /hello HTTP/1.1\r\n"));
    CHECK(comes_true([&] { return world.counts().connections == i + 1; }));
  }
  for (int i = 2; i < 4; ++i) {
    HttpClient other = world.sent_from(i, get("/hello"));
    CHECK(other.read().body == "hello");
  }
  CHECK(slow[0].is_closed());
}

TEST_CASE("http: a body that stalls makes way where one address has most connections") {
  Bounded world(with_connections(4));
  auto slow = world.stalled_uploads(4, 0);
  for (int i = 2; i < 4; ++i) {
    HttpClient other = world.sent_from(i, get("/hello"));
    CHECK(other.read().body == "hello");
  }
  CHECK(slow[0].is_closed());
}

TEST_SUITE_END();

}  // namespace chirp::test
