// Goal: what is no sound request gets its status, ends at most its own connection, and is never
// taken for another request; escapes are undone strictly.
// Method: a table of requests as bytes, each sent over a raw socket to one server, which must
// answer a good request after each.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "server/http/grammar.h"
#include "server/limits.h"
#include "tests/support/fake_app.h"
#include "tests/support/http_client.h"

namespace chirp::test {
namespace {

using namespace std::string_literals;

struct Case {
  std::string bytes;
  int status;
};

// A GET with these lines instead of `Host: localhost`.
std::string lines(std::string_view text) {
  return fmt::format("GET /hello HTTP/1.1\r\n{}\r\n", text);
}
// A GET of this target.
std::string target(std::string_view text) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", text);
}
// A POST with these lines beside the Host, and this after the head.
std::string body(std::string_view text, std::string_view after = "{}") {
  return fmt::format("POST /echo HTTP/1.1\r\nHost: localhost\r\n{}\r\n{}", text, after);
}

std::vector<Case> request_lines() {
  const std::string rest = "\r\nHost: localhost\r\n\r\n";
  return {{"GET /hello" + rest, 400},
          {"GET /hello HTTP/0.9" + rest, 400},
          {"GET /hello HTTP/2.0" + rest, 400},
          {"GET /hello HTTP/1.2" + rest, 400},
          {"GET /hello HTTP/3" + rest, 400},
          {"GET /hello HTTP/1.10" + rest, 400},
          {"GET /hello http/1.1" + rest, 400},
          {"GET /hello XTTP/1.1" + rest, 400},
          {"GET /hello HTTP/a.b" + rest, 400},
          {"GET  /hello HTTP/1.1" + rest, 400},
          {"GET /hello  HTTP/1.1" + rest, 400},
          {"GET /hello HTTP/1.1 " + rest, 400},
          {" GET /hello HTTP/1.1" + rest, 400},
          {"GET\t/hello\tHTTP/1.1" + rest, 400},
          {"GET /hel lo HTTP/1.1" + rest, 400},
          {"GET HTTP/1.1" + rest, 400},
          {"GET" + rest, 400},
          {"G@T /hello HTTP/1.1" + rest, 400},
          {"G\xc3\x84T /hello HTTP/1.1" + rest, 400},
          {"CONNECT localhost:80 HTTP/1.1" + rest, 400},
          {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
          {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s, 400},
          {"\r\n\r\n", 400},
          {"\n", 400},
          {"\r\r\n", 400},
          {"\0"s, 400},
          {std::string(3000, 'A'), 414},
          {"GET /" + std::string(limits::kTargetBytesMax, 'a') + " HTTP/1.1" + rest, 414},
          {"GET /" + std::string(100'000, 'a'), 414}};
}

std::vector<Case> targets() {
  return {{target("hello"), 400},
          {target("*"), 400},
          {target("?a=b"), 400},
          {target("localhost:80"), 400},
          {target("http://"), 400},
          {target("http:///hello"), 400},
          {target("http://me@localhost/hello"), 400},
          {target("http://local host/hello"), 400},
          {target("https://localhost/hello"), 400},
          {target("ftp://localhost/hello"), 400},
          {target("/hello#there"), 400},
          {target("/h\xc3\xa9llo"), 400},
          {target("/hel\x7flo"), 400},
          {target("/hel\x01lo"), 400},
          {target("/hel\0lo"s), 400},
          {target("/%"), 400},
          {target("/%4"), 400},
          {target("/%zz"), 400},
          {target("/%4g"), 400},
          {target("/% 41"), 400},
          {target("/%00"), 400},
          {target("/a%00b?c=d"), 400},
          {target("/%ff"), 400},
          {target("/%c0%af"), 400},
          {target("/%ed%a0%80"), 400},
          {target("/hello?a=%"), 400},
          {target("/hello?a=%00"), 400},
          {target("/hello?%zz=a"), 400},
          {target("/hello?a=%ff"), 400},
          {target("//"), 404},
          {target("/%2e%2e%2f%2e%2e%2fetc/passwd"), 404},
          {target("/../../etc/passwd"), 404},
          {target("/hello/"), 404}};
}

std::vector<Case> headers() {
  const std::string host = "Host: localhost\r\n";
  std::string many = host;
  for (std::size_t i = 0; i < limits::kHeadersMax; ++i) many += "a: b\r\n";
  return {{lines(""), 400},
          {lines("Host:\r\n"), 400},
          {lines("Host: a b\r\n"), 400},
          {lines("Host: a/b\r\n"), 400},
          {lines("Host: me@localhost\r\n"), 400},
          {lines("Host: localhost:\r\nHost: localhost\r\n"), 400},
          {lines(host + host), 400},
          {lines(host + "Host: other\r\n"), 400},
          {lines("Host: localhost:eighty\r\n"), 400},
          {lines("Host: [::1\r\n"), 400},
          {lines("Host: [zz]\r\n"), 400},
          {lines(host + "No colon\r\n"), 400},
          {lines(host + ": nameless\r\n"), 400},
          {lines(host + "Blank : before\r\n"), 400},
          {lines(host + "Bl ank: within\r\n"), 400},
          {lines(host + "(par): en\r\n"), 400},
          {lines(host + "N\xc3\xa9: e\r\n"), 400},
          {lines(host + "A: b\r\n folded\r\n"), 400},
          {lines(host + "A: b\r\n\tfolded\r\n"), 400},
          {lines(" A: b\r\n" + host), 400},
          {lines(host + "A: \0\r\n"s), 400},
          {lines(host + "A: b\rc\r\n"), 400},
          {lines(host + "A: b\nc: d\r\n"), 400},
          {lines("Host: localhost\n"), 400},
          {lines(host + "A: \x1b[31m\r\n"), 400},
          {lines(host + "A: \x7f\r\n"), 400},
          {lines(host + "Authorization: \xff\xfe\r\n"), 400},
          {lines(host + "Origin: \xc3(\r\n"), 400},
          {lines(host + "Authorization: a\r\nAuthorization: b\r\n"), 400},
          {lines(host + "Origin: http://a\r\nOrigin: http://localhost\r\n"), 400},
          {lines(host + "Range: bytes=0-1\r\nRange: bytes=2-3\r\n"), 400},
          {lines(host + "If-Range: a\r\nX: 1\r\nif-range: b\r\n"), 400},
          {lines(host + "Idempotency-Key: a\r\nIdempotency-Key: a\r\n"), 400},
          {lines(host + "Last-Event-ID: 1\r\nLast-Event-ID: 2\r\n"), 400},
          {lines(host + "Access-Control-Request-Method: PUT\r\n"
                        "Access-Control-Request-Method: GET\r\n"),
           400},
          {lines(many), 431},
          {lines(host + "A: " + std::string(limits::kHeadBytesMax, 'b') + "\r\n"), 431},
          {"GET / HTTP/1.1\r\nA: " + std::string(100'000, 'b'), 431},
          {"GET / HTTP/1.1\r\n" + std::string(100'000, 'a'), 431}};
}

std::vector<Case> bodies() {
  const std::string over = std::to_string(limits::kJsonBodyMax + 1);
  return {{body("Content-Length: " + over + "\r\n"), 413},
          {body("Content-Length: 1000000000000000000\r\n"), 413},
          {body("Content-Length: 18446744073709551618\r\n"), 413},
          {body("Content-Length: 99999999999999999999999999\r\n"), 413},
          {body("Content-Length: -1\r\n"), 400},
          {body("Content-Length: +2\r\n"), 400},
          {body("Content-Length: 5, 5\r\n"), 400},
          {body("Content-Length: 2\r\nContent-Length: 2\r\n"), 400},
          {body("Content-Length: 2\r\nContent-Length: 3\r\n"), 400},
          {body("Content-Length:\r\n"), 400},
          {body("Content-Length: 0x2\r\n"), 400},
          {body("Content-Length: 2a\r\n"), 400},
          {body("Content-Length: 2 2\r\n"), 400},
          {body("Content-Length: 2.0\r\n"), 400},
          {body("Content-Length: two\r\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "0x2\r\n{}\r\n0\r\n\r\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "\r\n{}\r\n0\r\n\r\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", " 2\r\n{}\r\n0\r\n\r\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "2 \r\n{}\r\n0\r\n\r\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "2\n{}\n0\n\n\r\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "2\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "2\r\n{}\n0\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "1\r\n{}\r\n0\r\n\r\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "2\r\n{}0\r\n\r\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "2;a=\x01\r\n{}\r\n0\r\n\r\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "10000000000000000\r\n"), 400},
          {body("Transfer-Encoding: chunked\r\n", "FFFFFFFFFFFFFFFF\r\n"), 413},
          {body("Transfer-Encoding: chunked\r\n", "10001\r\n"), 413},
          {body("Transfer-Encoding: chunked\r\n", std::string(1'000, '0')), 400},
          {body("Transfer-Encoding: chunked\r\n", "0\r\n" + std::string(9'000, 'a')), 431},
          {body("Transfer-Encoding: chunked\r\n", "0\r\na: \x01\r\n\r\n"), 400},
          {body("Transfer-Encoding: identity\r\n"), 501},
          {body("Transfer-Encoding: gzip, chunked\r\n"), 501},
          {body("Transfer-Encoding: chunked, chunked\r\n"), 501},
          {body("Transfer-Encoding: xchunked\r\n"), 501},
          {body("Transfer-Encoding:\r\n"), 501},
          {body("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400},
          {"POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
          {body("Transfer-Encoding: chunked\r\nContent-Length: 2\r\n"), 400},
          {body("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"), 400},
          {body("Transfer-Encoding : chunked\r\nContent-Length: 2\r\n"), 400},
          {body("Content-Encoding: gzip\r\nContent-Length: 2\r\n"), 415},
          {body("Content-Encoding: br\r\nContent-Length: 2\r\n"), 415},
          {body("Content-Encoding: gzip, gzip\r\nContent-Length: 2\r\n"), 415},
          {body("Content-Type: a/b\r\nContent-Type: c/d\r\nContent-Length: 2\r\n"), 400}};
}

std::string printable(std::string_view bytes) {
  std::string text;
  for (const char c : bytes.substr(0, 200)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte > 0x7e ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return text;
}

void check(const std::vector<Case>& cases) {
  FakeApp app;
  RunningFront server(app);
  std::size_t answered = 0;
  for (const Case& each : cases) {
    CAPTURE(printable(each.bytes));
    HttpClient client(server.port());
    client.send(each.bytes);
    const Reply reply = client.read();
    CHECK(reply.status == each.status);
    if (reply.status != 404) {
      CHECK(reply.header("content-type") == "application/problem+json");
      CHECK(reply.header("ratelimit-limit") == "100");
      CHECK(reply.header("connection") == "close");
      CHECK(client.is_closed());
    } else {
      ++answered;
    }
    HttpClient other(server.port());
    other.send(get("/hello"));
    CHECK(other.read().body == "hello");
    // Nobody was asked what was never a request.
    CHECK(app.answered() == ++answered);
  }
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("http: invalid request lines") { check(request_lines()); }

TEST_CASE("http: invalid targets") { check(targets()); }

TEST_CASE("http: invalid headers") { check(headers()); }

TEST_CASE("http: bodies that can't be framed") { check(bodies()); }

TEST_CASE("http: a method of somebody else's is for the App to refuse") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  for (const char* method : {"TRACE", "BREW", "get", "PROPFIND"}) {
    client.send(
        fmt::format("{} /seen HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi", method));
    CHECK(client.read().body.starts_with("OTHER /seen from 127.0.0.1\n"));
  }
}

TEST_CASE("http: the hosts that a request names are the App's to judge, without their ports") {
  FakeApp app;
  RunningFront server(app);
  const auto hosts_of = [&](const std::string& bytes) {
    HttpClient client(server.port());
    client.send(bytes);
    const auto answer = client.read();
    return fmt::format("{} {}", answer.status, answer.body);
  };
  const auto named = [](std::string_view host) {
    return fmt::format("GET /hosts HTTP/1.1\r\nHost: {}\r\n\r\n", host);
  };
  const auto whole_target = [](std::string_view host) {
    return fmt::format("GET http://{}/hosts HTTP/1.1\r\nHost: localhost\r\n\r\n", host);
  };
  CHECK(hosts_of(named("localhost")) == "200 localhost");
  CHECK(hosts_of(named("foreign.example:80")) == "200 foreign.example");
  CHECK(hosts_of(named("[::1]:80")) == "200 [::1]");
  CHECK(hosts_of(whole_target("[::1]:80")) == "200 localhost [::1]");
  CHECK(hosts_of(whole_target("foreign.example")) == "200 localhost foreign.example");
  CHECK(hosts_of("GET /hosts HTTP/1.0\r\n\r\n") == "200 ");
  CHECK(hosts_of(named("::1")).starts_with("400 "));
}

TEST_SUITE_END();

}  // namespace chirp::test

namespace chirp::http {

TEST_CASE("grammar: escapes are undone, and a NUL is never text, escaped or bare") {
  CHECK(percent_decoded("a%20b%C3%A9+", Plus::kIsPlus) == "a b\xC3\xA9+");
  CHECK(percent_decoded("a+%2B", Plus::kIsBlank) == "a +");
  for (const std::string_view bad :
       {std::string_view("%00"), std::string_view("a\0b", 3), std::string_view("%0"),
        std::string_view("%zz"), std::string_view("%FF")}) {
    CHECK_FALSE(percent_decoded(bad, Plus::kIsPlus));
  }
}

}  // namespace chirp::http
