// Goal: a front that stops answers what it has accepted, lets nobody in, and ends in time; a port
// has one front.
// Method: requests that wait inside a fake App while the front is stopped.
#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/support/data_directories.h"
#include "tests/support/fake_app.h"
#include "tests/support/http_client.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

http::Front* signalled = nullptr;  // for a signal handler, which takes no arguments

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("http: stopping answers what was accepted") {
  FakeApp app;
  RunningFront server(app);
  std::vector<HttpClient> working;
  for (int i = 0; i < 50; ++i) working.emplace_back(server.port()).send(post("/wait", "x"));
  HttpClient idle(server.port());
  idle.send(get("/hello"));
  CHECK(idle.read().body == "hello");
  HttpClient half(server.port());
  half.send("PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nha");
  HttpClient stream(server.port());
  stream.send(get("/stream"));
  CHECK(stream.read_head().status == 200);
  const auto outlet = app.stream(0);
  app.wait_for_waiting(4);

  server.front().stop();
  CHECK(idle.is_closed());
  CHECK(stream.is_closed());
  CHECK_FALSE(outlet->send("x"));
  CHECK_THROWS(HttpClient(server.port()));
  half.send("lf");
  const Reply reply = half.read();
  CHECK(reply.body == "half");
  CHECK(reply.header("connection") == "close");
  // The front has seen that it is answered, too: from then on it waits for it to hang up.
  CHECK(half.is_closed());
  app.let_go();
  for (HttpClient& client : working) {
    CHECK(client.read().body == "waited");
    CHECK(client.is_closed());
  }
  server.clock().advance(2'000);  // for so long it waits for them to hang up as well
  server.join();
  CHECK(server.front().counts().connections == 0);
}

TEST_CASE("http: stopping does not wait forever for a client with half a request") {
  FakeApp app;
  RunningFront server(app);
  HttpClient idle(server.port());
  idle.send(get("/hello"));
  CHECK(idle.read().body == "hello");
  constexpr std::string_view kHalf =
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nha";
  HttpClient half(server.port());
  half.send(kHalf);
  HttpClient late(server.port());
  late.send(kHalf);
  CHECK(comes_true([&] { return server.front().counts().connections == 3; }));
  server.front().stop();
  CHECK(idle.is_closed());  // so the stop has begun
  const std::int64_t deadline_ms = any_port().stop_deadline.count();
  server.clock().advance(deadline_ms - 1);
  late.send("lf");
  CHECK(late.read().body == "half");
  server.clock().advance(1);
  server.join();
  CHECK(half.is_closed());
}

TEST_CASE("http: the second stop is at once") {
  FakeApp app;
  http::FrontOptions options = any_port();
  options.stop_deadline = std::chrono::hours(1);
  options.head_deadline = std::chrono::hours(1);
  RunningFront server(app, options);
  HttpClient half(server.port());
  half.send("GET /hello HTTP/1.1\r\n");
  CHECK(comes_true([&] { return server.front().counts().connections == 1; }));
  server.front().stop();
  CHECK(comes_true([&] {
    try {
      const HttpClient other(server.port());
      return false;
    } catch (const std::exception&) {
      return true;
    }
  }));
  server.front().stop();
  server.join();
  CHECK(half.is_closed());
}

TEST_CASE("http: a signal handler may stop it") {
  FakeApp app;
  RunningFront server(app);
  signalled = &server.front();
  const auto before = std::signal(SIGUSR1, [](int) { signalled->stop(); });
  std::raise(SIGUSR1);
  server.join();
  std::signal(SIGUSR1, before);
}

TEST_CASE("http: a front that never ran goes away") {
  FakeApp app;
  const StillClock clock;
  http::Front front(app, clock, any_port());
  CHECK(front.port() != 0);
}

TEST_CASE("http: a port has one front") {
  FakeApp app;
  const StillClock clock;
  const http::Front first(app, clock, any_port());
  http::FrontOptions options = any_port();
  options.port = first.port();
  CHECK(error_of([&] { http::Front second(app, clock, options); }).code() ==
        ErrorCode::kUnavailable);
  options.port = 0;
  for (const char* host : {"192.0.2.1", "no.such.host.invalid"}) {
    CAPTURE(host);
    options.host = host;
    CHECK(error_of([&] { http::Front second(app, clock, options); }).code() ==
          ErrorCode::kInvalidArgument);
  }
}

TEST_CASE("http: a front listens on the newer addresses, too") {
  FakeApp app;
  http::FrontOptions options = any_port();
  options.host = "::";
  std::unique_ptr<RunningFront> server;
  try {
    server = std::make_unique<RunningFront>(app, options);
  } catch (const Error&) {
    MESSAGE("skipped: this machine has no IPv6");
    return;
  }
  HttpClient client(server->port());
  client.send(get("/seen"));
  CHECK(client.read().body.starts_with("GET /seen from 127.0.0.1\n"));
}

TEST_SUITE_END();

}  // namespace chirp::test
