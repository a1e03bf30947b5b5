// Goal: streams get what is sent, at once; who does not read is dropped and nobody else notices;
// who hangs up is noticed. Method: outlets of a fake App, used from the test's thread, and raw
// sockets on the other end.
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "server/limits.h"
#include "tests/support/fake_app.h"
#include "tests/support/http_client.h"

namespace chirp::test {
namespace {

using Flow = http::Outlet::Flow;

HttpClient subscribed(RunningFront& server, int receive_buffer = 0) {
  HttpClient client(server.port(), receive_buffer);
  client.send(get("/stream"));
  return client;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("http: a stream has a head without a length, and then what is sent") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client = subscribed(server);
  const Reply head = client.read_head();
  CHECK(head.status == 200);
  CHECK(head.header("content-type") == "text/event-stream");
  CHECK(head.header("cache-control") == "no-store");
  CHECK(head.header("x-accel-buffering") == "no");
  CHECK(head.header("connection") == "close");
  CHECK_FALSE(head.headers.contains("content-length"));
  CHECK_FALSE(head.headers.contains("transfer-encoding"));
  const auto outlet = app.stream(0);
  CHECK(outlet->send("data: one\n\n"));
  CHECK(client.read_bytes(11) == "data: one\n\n");
  CHECK(outlet->flow() == Flow::kDrained);
  CHECK(comes_true([&] { return server.front().counts().streams == 1; }));
  CHECK(outlet->send("data: two\n\n"));
  outlet->close();
  CHECK_FALSE(outlet->send("data: three\n\n"));
  CHECK(outlet->flow() == Flow::kGone);
  CHECK(client.read_to_end() == "data: two\n\n");
  CHECK(comes_true([&] { return server.front().counts().streams == 0; }));
}

TEST_CASE("http: a reader that stalls is dropped, and the others read on") {
  FakeApp app;
  RunningFront server(app);
  HttpClient good = subscribed(server);
  const auto to_good = app.stream(0);
  CHECK(good.read_head().status == 200);
  HttpClient stalled = subscribed(server, 4096);
  const auto to_stalled = app.stream(1);

  const std::string event(4000, 'e');
  std::size_t sent = 0;
  while (to_stalled->send(event)) {
    REQUIRE(++sent < 10'000);
    REQUIRE(to_good->send(event));
    CHECK(good.read_bytes(event.size()) == event);
  }
  CHECK(sent >= limits::kStreamEventsMax);
  // What the system holds for it is bounded, too.
  CHECK(sent * event.size() < limits::kStreamBytesMax + (1 << 20));
  CHECK(to_stalled->flow() == Flow::kGone);
  CHECK(comes_true([&] { return server.front().counts().streams == 1; }));
  CHECK(to_good->send("still"));
  CHECK(good.read_bytes(5) == "still");
}

TEST_CASE("http: a reader with one event too large is dropped") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client = subscribed(server);
  CHECK_FALSE(app.stream(0)->send(std::string(limits::kStreamBytesMax + 1, 'e')));
  client.read_head();
  CHECK(client.is_closed());
}

TEST_CASE("http: a reader that takes nothing for long is dropped, however little there is") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client = subscribed(server, 4096);
  const auto outlet = app.stream(0);
  while (outlet->flow() == Flow::kDrained) CHECK(outlet->send(std::string(4000, 'e')));
  // What the system takes for it is progress, until that is full.
  CHECK(comes_true([&] {
    if (outlet->flow() == Flow::kDrained) (void)outlet->send(std::string(4000, 'e'));
    server.advance(any_port().write_deadline);
    return server.front().counts().streams == 0;
  }));
  CHECK(outlet->flow() == Flow::kGone);
  CHECK_FALSE(outlet->send("more"));
}

TEST_CASE("http: a reader that was behind and catches up gets all of it, in order") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client = subscribed(server, 4096);
  const auto outlet = app.stream(0);
  std::string all;
  for (int i = 0; outlet->flow() == Flow::kDrained; ++i) {
    const std::string event = fmt::format("{:0>4000}", i);
    CHECK(outlet->send(event));
    all += event;
  }
  for (int i = 0; i < 20; ++i) {
    CHECK(outlet->send("more"));
    all += "more";
  }
  client.read_head();
  CHECK(client.read_bytes(all.size()) == all);
  CHECK(comes_true([&] { return outlet->flow() == Flow::kDrained; }));
  CHECK(outlet->send("end"));
  CHECK(client.read_bytes(3) == "end");
}

TEST_CASE("http: a stream that is cut off sends nothing of what was queued") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client = subscribed(server, 4096);
  const auto outlet = app.stream(0);
  while (outlet->flow() == Flow::kDrained) CHECK(outlet->send(std::string(4000, 'e')));
  CHECK(outlet->send("secret"));
  outlet->cut();
  CHECK(outlet->flow() == Flow::kGone);
  CHECK_FALSE(outlet->send("secret"));
  client.read_head();
  CHECK(client.read_to_end().find("secret") == std::string::npos);
  CHECK(comes_true([&] { return server.front().counts().streams == 0; }));
}

TEST_CASE("http: streams that take nothing share what may lie there for all of them") {
  FakeApp app;
  http::FrontOptions options = any_port();
  options.stream_bytes = 100'000;
  RunningFront server(app, options);
  std::vector<HttpClient> clients;
  const std::string event(4000, 'e');
  // Each is filled until it queues, and then there are a few more events.
  const auto queue = [&](std::size_t n, int events) {
    clients.push_back(subscribed(server, 4096));
    const auto outlet = app.stream(n);
    while (outlet->flow() == Flow::kDrained) CHECK(outlet->send(event));
    bool sent = true;
    for (int i = 0; i < events && sent; ++i) sent = outlet->send(event);
    return sent;
  };
  CHECK(queue(0, 10));
  CHECK(queue(1, 10));
  CHECK_FALSE(queue(2, 10));
  CHECK(app.stream(0)->flow() == Flow::kQueued);
  CHECK(app.stream(2)->flow() == Flow::kGone);
  // A client that reads is not affected.
  HttpClient good = subscribed(server);
  const auto outlet = app.stream(3);
  good.read_head();
  for (int i = 0; i < 50; ++i) {
    REQUIRE(outlet->send(event));
    CHECK(good.read_bytes(event.size()) == event);
  }
  // What is closed makes room.
  app.stream(0)->cut();
  CHECK(queue(4, 10));
}

TEST_CASE("http: a client that hangs up is noticed without anything being sent") {
  FakeApp app;
  RunningFront server(app);
  {
    const HttpClient client = subscribed(server);
    CHECK(app.stream(0)->flow() == Flow::kDrained);
  }
  CHECK(comes_true([&] { return app.stream(0)->flow() == Flow::kGone; }));
  CHECK_FALSE(app.stream(0)->send("x"));
  CHECK(comes_true([&] { return server.front().counts().connections == 0; }));
}

TEST_CASE("http: streams take no worker") {
  FakeApp app;
  http::FrontOptions options = any_port();
  options.read_threads = 1;
  RunningFront server(app, options);
  std::vector<HttpClient> clients;
  for (std::size_t i = 0; i < 300; ++i) {
    clients.push_back(subscribed(server));
    CHECK(clients.back().read_head().status == 200);
  }
  CHECK(comes_true([&] { return server.front().counts().streams == 300; }));
  HttpClient other(server.port());
  other.send(get("/hello"));
  CHECK(other.read().body == "hello");
  for (std::size_t i = 0; i < 300; ++i) CHECK(app.stream(i)->send(fmt::format("{:03}", i)));
  // Requests come to the App in any order, so each number is somebody's.
  std::vector<bool> seen(300);
  for (HttpClient& client : clients) seen.at(std::stoul(client.read_bytes(3))) = true;
  CHECK(std::count(seen.begin(), seen.end(), true) == 300);
}

TEST_CASE("http: many send to streams that come and go") {
  FakeApp app;
  RunningFront server(app);
  std::vector<HttpClient> clients;
  for (std::size_t i = 0; i < 8; ++i) clients.push_back(subscribed(server));
  std::vector<std::thread> senders;
  for (std::size_t i = 0; i < 8; ++i) {
    senders.emplace_back([outlet = app.stream(i)] {
      while (outlet->send("event\n\n")) {
      }
    });
  }
  for (int i = 0; i < 4; ++i) clients.pop_back();
  for (HttpClient& client : clients) {
    client.read_head();
    CHECK(client.read_bytes(7) == "event\n\n");
  }
  server.front().stop();
  for (std::thread& sender : senders) sender.join();
  clients.clear();
  server.join();
  CHECK_FALSE(app.stream(0)->send("x"));  // an outlet outlives its front
}

TEST_SUITE_END();

}  // namespace chirp::test
