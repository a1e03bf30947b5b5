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

using std::chrono::milliseconds;

constexpr std::size_t kMega = 1 << 20;

// From 127.0.0.`last`, with a window that takes little.
HttpClient from(int last, std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int small = 4096;
  ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + static_cast<std::uint32_t>(last));
  REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  HttpClient::connect(socket, port);
  return HttpClient(HttpClient::Connected{socket});
}

std::string upload_head(std::string_view more = {}) {
  return fmt::format("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n{}\r\n", kMega,
                     more);
}

http::FrontOptions patient() {
  http::FrontOptions options = any_port();
  options.hurry = std::chrono::minutes(1);
  return options;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("http: answers that nobody takes fill no memory") {
  FakeApp app;
  RunningFront server(app);
  std::vector<HttpClient> clients;
  for (int i = 0; i < 40; ++i) {
    clients.emplace_back(server.port(), 4096).send(get("/letters?n=8000000"));
  }
  // All that is left is what an address may leave.
  constexpr std::size_t kLeft = limits::kAnswerBytesPerAddressMax / 8'000'000;
  CHECK(comes_true([&] { return server.front().counts().dropped_answers == 40 - kLeft; }));
  CHECK(server.front().counts().answer_bytes <= limits::kAnswerBytesPerAddressMax);
}

TEST_CASE("http: what an address does not take is bounded, and the first it asked for goes") {
  FakeApp app;
  http::FrontOptions options = patient();
  options.answers = {100 * kMega, 4 * kMega, 100 * kMega};
  RunningFront server(app, options);
  const auto counts = [&] { return server.front().counts(); };
  std::vector<HttpClient> clients;
  for (std::uint64_t i = 0; i < 8; ++i) {
    clients.push_back(from(1, server.port()));
    clients.back().send(get("/letters?n=1500000"));
    CHECK(comes_true([&] { return counts().dropped_answers == (i < 2 ? 0 : i - 1); }));
    CHECK(comes_true([&] { return app.answered() == i + 1; }));
  }
  HttpClient other = from(2, server.port());
  other.send(get("/letters?n=1500000"));
  CHECK(clients[7].read().body.size() == 1'500'000);
  CHECK(other.read().body.size() == 1'500'000);
  CHECK(counts().answer_bytes <= 4 * kMega);
  CHECK(counts().dropped_answers == 6);
}

TEST_CASE("http: what an account does not take is bounded, wherever it asks from") {
  FakeApp app;
  http::FrontOptions options = patient();
  options.answers = {100 * kMega, 100 * kMega, 2 * kMega};
  RunningFront server(app, options);
  std::vector<HttpClient> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(from(i + 1, server.port()));
    clients.back().send(
        get("/letters?n=1500000", fmt::format("From: {}\r\nUser: mira\r\n", i + 1)));
    CHECK(comes_true(
        [&] { return server.front().counts().dropped_answers == static_cast<std::uint64_t>(i); }));
  }
  CHECK(clients[3].read().body.size() == 1'500'000);
}

TEST_CASE("http: when all room is taken, answers of who holds the most make way") {
  FakeApp app;
  http::FrontOptions options = patient();
  options.answers = {4 * kMega, 100 * kMega, 100 * kMega};
  RunningFront server(app, options);
  std::vector<HttpClient> greedy;
  for (std::uint64_t i = 0; i < 2; ++i) {
    greedy.push_back(from(1, server.port()));
    greedy.back().send(get("/letters?n=1500000"));
    CHECK(comes_true([&] { return server.front().counts().answer_bytes > (i + 1) * 1'000'000; }));
  }
  std::vector<HttpClient> modest;
  for (int i = 2; i < 4; ++i) {
    modest.push_back(from(i, server.port()));
    modest.back().send(get("/letters?n=1000000"));
  }
  CHECK(comes_true([&] { return server.front().counts().dropped_answers > 0; }));
  for (HttpClient& each : modest) CHECK(each.read().body.size() == 1'000'000);
}

TEST_CASE("http: who takes nothing is dropped sooner when room is short") {
  FakeApp app;
  http::FrontOptions options = any_port();
  options.write_deadline = std::chrono::minutes(1);
  options.hurry = milliseconds(0);
  options.answers = {3 * kMega, 100 * kMega, 100 * kMega};
  RunningFront server(app, options);
  HttpClient client = from(1, server.port());
  client.send(get("/letters?n=1500000"));
  // Half is not short, and one more is.
  CHECK(comes_true([&] { return server.front().counts().answer_bytes > 0; }));
  HttpClient second = from(2, server.port());
  second.send(get("/letters?n=1500000"));
  CHECK(comes_true([&] { return server.front().counts().dropped_answers > 0; }));
}

TEST_CASE("http: a file that nobody takes costs no more than a piece of it") {
  FakeApp app;
  RunningFront server(app, patient());
  const std::size_t before = resident_bytes();
  std::vector<HttpClient> clients;
  for (int i = 0; i < 50; ++i) {
    clients.emplace_back(server.port(), 4096).send(get("/file?n=50000000"));
  }
  CHECK(
      comes_true([&] { return server.front().counts().answer_bytes >= 50 * limits::kPieceBytes; }));
  CHECK(server.front().counts().answer_bytes <= 100 * limits::kPieceBytes);
  // The address sanitizer keeps for a while what has been freed.
  if (!built_with_sanitizer()) CHECK(resident_bytes() < before + 50 * kMega);
  CHECK(server.front().counts().dropped_answers == 0);
  HttpClient slow(server.port(), 4096);
  slow.send(get("/file?n=3000000"));
  const std::string body = slow.read().body;
  REQUIRE(body.size() == 3'000'000);
  bool same = true;
  for (std::size_t i = 0; i < body.size(); ++i) same &= body[i] == static_cast<char>('a' + i % 26);
  CHECK(same);
}

TEST_CASE("http: a file that can't be read is a fault before its head, and breaks off behind it") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
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

TEST_CASE("http: who may not send a body is told before it is sent") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  client.send(upload_head("Stranger: 1\r\n"));
  const Reply refused = client.read();
  CHECK(refused.status == 401);
  CHECK(refused.header("connection") == "close");
  CHECK(client.is_closed());
  HttpClient waiting(server.port());
  waiting.send(upload_head("Stranger: 1\r\nExpect: 100-continue\r\n"));
  CHECK(waiting.read().status == 401);
  CHECK(app.answered() == 0);
  CHECK(server.front().counts().body_bytes == 0);

  HttpClient welcome(server.port());
  welcome.send(upload_head("Expect: 100-continue\r\n"));
  CHECK(welcome.read_head().status == 100);
  CHECK(comes_true([&] { return server.front().counts().body_bytes == kMega; }));
  welcome.send(std::string(kMega, 'w'));
  CHECK(welcome.read().body == std::string(kMega, 'w'));
  CHECK(app.entered() == 3);
  // What comes with its head is asked about when it is answered.
  welcome.send(post("/echo", "short"));
  CHECK(welcome.read().body == "short");
  CHECK(app.entered() == 3);
  CHECK(comes_true([&] { return server.front().counts().body_bytes == 0; }));
}

TEST_CASE("http: bodies of an address are bounded, and those that lie still make way") {
  FakeApp app;
  http::FrontOptions options = patient();
  options.bodies = {100 * kMega, 2 * kMega, 100 * kMega};
  {
    RunningFront server(app, options);
    std::vector<HttpClient> stalled;
    for (std::uint64_t i = 0; i < 2; ++i) {
      stalled.push_back(from(1, server.port()));
      stalled.back().send(upload_head());
      stalled.back().send(std::string(kMega - 1, 's'));
      CHECK(comes_true([&] { return server.front().counts().body_bytes == (i + 1) * kMega; }));
    }
    HttpClient third = from(1, server.port());
    third.send(upload_head());
    CHECK(third.read().status == 503);
    HttpClient other = from(2, server.port());
    other.send(upload_head());
    other.send(std::string(kMega, 'o'));
    CHECK(other.read().status == 200);
    stalled[0].send("s");
    CHECK(stalled[0].read().status == 200);
  }
  options.hurry = milliseconds(0);
  RunningFront server(app, options);
  std::vector<HttpClient> stalled;
  for (std::uint64_t i = 0; i < 2; ++i) {
    stalled.push_back(from(1, server.port()));
    stalled.back().send(upload_head());
    CHECK(comes_true([&] { return server.front().counts().body_bytes == (i + 1) * kMega; }));
  }
  HttpClient third = from(1, server.port());
  third.send(upload_head());
  CHECK(stalled[0].read().status == 503);
  third.send(std::string(kMega, 't'));
  CHECK(third.read().status == 200);
  CHECK(server.front().counts().dropped_bodies == 1);
}

TEST_CASE("http: bodies that stall keep nobody else's out") {
  FakeApp app;
  http::FrontOptions options = patient();
  options.bodies = {4 * kMega, 100 * kMega, 100 * kMega};
  RunningFront server(app, options);
  std::vector<HttpClient> stalled;
  for (std::uint64_t i = 0; i < 4; ++i) {
    stalled.push_back(from(1, server.port()));
    stalled.back().send(upload_head());
    stalled.back().send(std::string(kMega - 1, 's'));
    CHECK(comes_true([&] { return server.front().counts().body_bytes == (i + 1) * kMega; }));
  }
  for (int i = 0; i < 3; ++i) {
    HttpClient other = from(2 + i, server.port());
    other.send(upload_head());
    other.send(std::string(kMega, 'o'));
    CHECK(other.read().body.size() == kMega);
  }
}

TEST_CASE("http: connections of an address are bounded, and its idle ones make room") {
  FakeApp app;
  app.connections = 3;
  RunningFront server(app);
  std::vector<HttpClient> slow;
  for (int i = 0; i < 3; ++i) {
    slow.push_back(from(1, server.port()));
    slow.back().send("GET /hello HTTP/1.1\r\n");
  }
  CHECK(comes_true([&] { return server.front().counts().connections == 3; }));
  CHECK(from(1, server.port()).is_closed());
  HttpClient other = from(2, server.port());
  other.send(get("/hello"));
  CHECK(other.read().body == "hello");
  // A proxy speaks for many.
  std::vector<HttpClient> proxied;
  for (int i = 0; i < 5; ++i) {
    proxied.push_back(from(9, server.port()));
    proxied.back().send(get("/hello"));
    CHECK(proxied.back().read().body == "hello");
  }
  slow[0].send("Host: a\r\n\r\n");
  CHECK(slow[0].read().body == "hello");
  CHECK(comes_true([&] {
    HttpClient next = from(1, server.port());
    next.send(get("/hello"));
    return next.read().body == "hello";
  }));
  CHECK(server.front().counts().dropped_connections >= 2);
}

TEST_CASE("http: half a head makes way where one address has most connections of all") {
  FakeApp app;
  http::FrontOptions options = any_port();
  options.connections = 4;
  RunningFront server(app, options);
  std::vector<HttpClient> slow;
  for (std::uint64_t i = 0; i < 4; ++i) {
    slow.push_back(from(1, server.port()));
    slow.back().send("GET /hello HTTP/1.1\r\n");
    CHECK(comes_true([&] { return server.front().counts().connections == i + 1; }));
  }
  for (int i = 2; i < 4; ++i) {
    HttpClient other = from(i, server.port());
    other.send(get("/hello"));
    CHECK(other.read().body == "hello");
  }
  CHECK(slow[0].is_closed());
}

TEST_CASE("http: a body that stalls makes way where one address has most connections") {
  FakeApp app;
  http::FrontOptions options = patient();
  options.connections = 4;
  RunningFront server(app, options);
  std::vector<HttpClient> slow;
  for (std::uint64_t i = 0; i < 4; ++i) {
    slow.push_back(from(1, server.port()));
    slow.back().send(upload_head());
    CHECK(comes_true([&] { return server.front().counts().body_bytes == (i + 1) * kMega; }));
  }
  for (int i = 2; i < 4; ++i) {
    HttpClient other = from(i, server.port());
    other.send(get("/hello"));
    CHECK(other.read().body == "hello");
  }
  CHECK(slow[0].is_closed());
}

TEST_SUITE_END();

}  // namespace chirp::test
