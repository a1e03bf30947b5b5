// Goal: what is in memory is answered by the thread that watches the sockets, as a worker would
// have answered it, and a client who does not take such answers keeps nobody waiting. Where the App
// has to look first, one look is for all that has come before it. Method: a fake App that has some
// answers at once and counts its looks, behind the real front whose workers are all kept busy; raw
// sockets before it.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/fake_app.h"
#include "tests/support/http_client.h"

namespace chirp::test {
namespace {

constexpr std::string_view kGzip = "Accept-Encoding: gzip\r\n";

http::FrontOptions one_reader() {
  http::FrontOptions options = any_port();
  options.read_threads = 1;
  return options;
}

http::FrontOptions looking(http::FrontOptions options = any_port()) {
  options.looks_first = true;
  return options;
}

std::string without_date(const Reply& reply) {
  std::string text = reply.head;
  const std::size_t at = text.find("Date: ");
  REQUIRE(at != std::string::npos);
  return text.erase(at, text.find("\r\n", at) - at) + reply.body;
}

// A front whose only reader waits.
struct Busy {
  Busy() {
    waiting.send(get("/wait"));
    app.wait_for_waiting(1);
  }
  [[nodiscard]] http::FrontCounts counts() { return server.front().counts(); }

  FakeApp app;
  RunningFront server{app, one_reader()};
  HttpClient waiting{server.port()};
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("http: what is in memory is answered without a worker, and nothing else is") {
  Busy world;
  HttpClient client(world.server.port());
  for (std::uint64_t i = 0; i < 3; ++i) {
    client.send(get("/quick/hello"));
    CHECK(client.read().body == "hello");
    CHECK(world.counts().at_once == i + 1);
  }
  // What is not there after all, and what has to be compressed, wait for the worker.
  HttpClient cold(world.server.port());
  cold.send(get("/quick/cold"));
  CHECK(comes_true([&] { return world.counts().handed_over == 1; }));
  HttpClient zipped(world.server.port());
  zipped.send(get("/quick/letters?n=1000", kGzip));
  HttpClient plain(world.server.port());
  plain.send(get("/hello"));
  CHECK(comes_true([&] { return world.counts().queued_reads == 3; }));
  CHECK(world.counts().at_once == 3);
  world.app.let_go();
  CHECK(cold.read().body == "hello");
  CHECK(zipped.read().header("content-encoding") == "gzip");
  CHECK(plain.read().body == "hello");
  CHECK(world.waiting.read().body == "waited");
  CHECK(world.counts().at_once == 3);
  CHECK(world.counts().handed_over == 1);
}

TEST_CASE("http: an answer at once is byte for byte that of a worker") {
  FakeApp app;
  http::FrontOptions options = any_port();
  SUBCASE("by the thread that watches the sockets") {}
  SUBCASE("by the one that looks first") { options = looking(); }
  RunningFront server(app, options);
  HttpClient client(server.port());
  const auto answer_to = [&](const std::string& request, HttpClient::Body body) {
    client.send(request);
    return without_date(client.read(body));
  };
  for (const std::string path : {"hello", "letters?n=0", "letters?n=100000"}) {
    CHECK(answer_to(get("/quick/" + path), HttpClient::Body::kSent) ==
          answer_to(get("/" + path), HttpClient::Body::kSent));
    const auto head = [](const std::string& target) {
      return fmt::format("HEAD {} HTTP/1.1\r\nHost: a\r\n\r\n", target);
    };
    CHECK(answer_to(head("/quick/" + path), HttpClient::Body::kLeftOut) ==
          answer_to(head("/" + path), HttpClient::Body::kLeftOut));
  }
  CHECK(comes_true([&] { return server.front().counts().at_once == 6; }));
  // The server closes the connection if the client asks for it.
  client.send(get("/quick/hello", "Connection: close\r\n"));
  const Reply last = client.read();
  CHECK(last.header("connection") == "close");
  CHECK(last.body == "hello");
  CHECK(client.is_closed());
}

TEST_CASE("http: requests sent at once are answered in order, by whomever") {
  FakeApp app;
  http::FrontOptions options = any_port();
  SUBCASE("by the thread that watches the sockets") {}
  SUBCASE("by the one that looks first") { options = looking(); }
  RunningFront server(app, options);
  HttpClient client(server.port());
  std::string requests;
  const auto target = [](int i) {
    if (i % 7 == 3) return std::string("/quick/cold");
    return fmt::format("{}/letters?n={}", i % 3 == 0 ? "" : "/quick", i);
  };
  for (int i = 0; i < 200; ++i) requests += get(target(i));
  client.send(requests);
  for (int i = 0; i < 200; ++i) {
    CHECK(client.read().body ==
          (i % 7 == 3 ? "hello" : std::string(static_cast<std::size_t>(i), 'x')));
  }
  CHECK(server.front().counts().at_once > 100);
  CHECK(app.answered() == 200);
}

TEST_CASE("http: a client that does not read an immediate answer delays only itself") {
  constexpr std::size_t kMega = 1 << 20;
  FakeApp app;
  http::FrontOptions options = one_reader();
  options.answers = {100 * kMega, 4 * kMega, 100 * kMega};
  RunningFront server(app, options);
  const auto counts = [&] { return server.front().counts(); };
  std::vector<HttpClient> greedy;
  for (std::uint64_t i = 0; i < 8; ++i) {
    greedy.emplace_back(server.port(), 4096);
    // Many of them: all but the first wait in the socket until that is taken.
    for (int j = 0; j < 8; ++j) {
      greedy.back().send(get("/quick/letters?n=1500000", "From: greedy\r\n"));
    }
    CHECK(comes_true([&] { return counts().at_once == i + 1; }));
    HttpClient other(server.port());
    other.send(get("/letters?n=3"));
    CHECK(other.read().body == "xxx");
    CHECK(comes_true([&] { return counts().dropped_answers == (i < 2 ? 0 : i - 1); }));
  }
  CHECK(counts().answer_bytes <= 4 * kMega);
  CHECK(greedy.front().read_to_end().size() < 1'500'000);
  for (int j = 0; j < 8; ++j) CHECK(greedy.back().read().body.size() == 1'500'000);
}

TEST_CASE("http: one look is for all that came before it, and for whoever goes on with it") {
  FakeApp app;
  RunningFront server(app, looking(one_reader()));
  const auto queued = [&] { return server.front().counts().queued_reads; };
  // One that is long at work: what comes meanwhile waits for the next look.
  HttpClient first(server.port());
  first.send(get("/quick/wait"));
  app.wait_for_waiting(1);
  std::vector<HttpClient> others;
  for (const char* const path : {"/quick/looks", "/quick/cold/looks", "/quick/looks"}) {
    others.emplace_back(server.port());
    others.back().send(get(path));
  }
  CHECK(comes_true([&] { return queued() == others.size(); }));
  app.let_go();
  CHECK(first.read().body == "waited");
  for (HttpClient& other : others) CHECK(other.read().body == "1");
  CHECK(app.looks() == 1);
  CHECK(comes_true([&] { return server.front().counts().at_once == 3; }));
  CHECK(comes_true([&] { return server.front().counts().handed_over == 1; }));
  // The next comes after that look, and so does what needs a worker from the beginning.
  first.send(get("/quick/looks"));
  CHECK(first.read().body == "2");
  first.send(get("/looks"));
  CHECK(first.read().body == "3");
}

TEST_CASE("http: what has to wait for a look keeps no other request waiting") {
  FakeApp app;
  RunningFront server(app, looking());
  HttpClient first(server.port());
  first.send(get("/quick/wait"));
  app.wait_for_waiting(1);
  HttpClient other(server.port());
  other.send(get("/hello"));
  CHECK(other.read().body == "hello");
  app.let_go();
  CHECK(first.read().body == "waited");
}

TEST_CASE("http: a client that does not read an immediate answer is disconnected at the deadline") {
  FakeApp app;
  http::FrontOptions options = one_reader();
  SUBCASE("by the thread that watches the sockets") {}
  SUBCASE("by the one that looks first") { options.looks_first = true; }
  RunningFront server(app, options);
  HttpClient client(server.port(), 4096);
  client.send(get("/quick/letters?n=20000000"));
  CHECK(comes_true([&] { return server.front().counts().answer_bytes > 0; }));
  CHECK(comes_true([&] {
    server.advance(options.write_deadline);
    return server.front().counts().answer_bytes == 0;
  }));
}

TEST_SUITE_END();

}  // namespace chirp::test
