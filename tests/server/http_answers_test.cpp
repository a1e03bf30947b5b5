// Goal: sound requests are answered in order, whole and once, with heads that say what is so.
// Method: a fake App behind the real front, raw sockets before it.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <zlib.h>

#include "server/limits.h"
#include "tests/support/fake_app.h"
#include "tests/support/http_client.h"

namespace chirp::test {
namespace {

std::string unzipped(const std::string& bytes) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  std::string text(1 << 20, '\0');
  std::string input = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("http: a request comes to the App as it was sent") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  client.send(
      "\r\nPUT /seen/?a=1&b=x+y%26z&&c HTTP/1.1\r\nHost: Localhost:80\r\nX-Odd:\t caf\xc3\xa9\tau "
      "lait \r\nRange: bytes=0-,0-,0-\r\nEmpty:\r\nREMOTE_ADDR: 6.6.6.6\r\nContent-Length: "
      "003\r\n\r\n{\r\n");
  CHECK(client.read().status == 404);  // "/seen/" is another path
  client.send(
      "PUT /%73een?a=1&b=x+y%26z&&c HTTP/1.1\r\nHost: Localhost:80\r\nContent-Length: 1\r\n\r\n{");
  CHECK(client.read().status == 404);  // so is "/%73een", as sent
  client.send(
      "PUT /seen?a=1&b=x+y%26z&&c HTTP/1.1\r\nHost: Localhost:80\r\nX-Odd:\t caf\xc3\xa9\tau "
      "lait \r\nRange: bytes=0-,0-,0-\r\nEmpty:\r\nREMOTE_ADDR: 6.6.6.6\r\nContent-Length: "
      "003\r\n\r\n{\r\n");
  const Reply reply = client.read();
  CHECK(reply.status == 200);
  CHECK(reply.body ==
        "PUT /seen from 127.0.0.1\nsegment [seen]\nquery [a=1]\nquery [b=x y&z]\nquery [c=]\n"
        "header [host: Localhost:80]\nheader [x-odd: caf\xc3\xa9 au lait]\n"
        "header [range: bytes=0-,0-,0-]\nheader [empty: ]\nheader [remote_addr: 6.6.6.6]\n"
        "header [content-length: 003]\nbody [{\r\n]\n");
}

TEST_CASE("http: cookies and bytes in headers that nobody reads are no reason to refuse") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  const std::string begin = "PUT /seen HTTP/1.1\r\nHost: localhost\r\n";
  std::string cookies;
  for (int i = 0; i < 20; ++i) cookies += "CooKie: " + std::string(1'000, 'v') + "\r\n";
  // In one piece, and split within a cookie and its line end.
  client.send(begin + cookies + "Cookie:who=J\xf8rn\r\nX: J\xf8rn\r\nCookie:\r\n\r\n");
  const std::string seen = "PUT /seen from 127.0.0.1\nsegment [seen]\nheader [host: localhost]\n";
  CHECK(client.read().body == seen + "header [x: J?rn]\nbody []\n");
  for (const std::size_t cut :
       {std::size_t{3}, std::size_t{8}, std::size_t{500}, cookies.size() - 1}) {
    CAPTURE(cut);
    client.send(begin + cookies.substr(0, cut));
    CHECK(comes_true([&] { return server.front().counts().connections == 1; }));
    client.send(cookies.substr(cut) + "Y: 1\r\n\r\n");
    CHECK(client.read().body == seen + "header [y: 1]\nbody []\n");
  }
  client.send(begin + "Cookie: " + std::string(limits::kHeadBytesMax, 'v') + "\r\n\r\n");
  CHECK(client.read().status == 431);
}

TEST_CASE("http: a body in chunks comes to the App whole, and the next request behind it") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  const std::string head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n";
  const std::string chunks =
      "5;q=\"x\"\r\nhello\r\n00A ; name=1\r\n, you all!\r\n"
      "0\r\nExpires: never\r\nX: y\r\n\r\n";
  const std::string all = head + chunks + get("/hello");
  client.send(all);
  CHECK(client.read().body == "hello, you all!");
  CHECK(client.read().body == "hello");
  for (std::size_t cut = head.size() - 1; cut <= head.size() + chunks.size(); ++cut) {
    client.send(all.substr(0, cut));
    client.send(all.substr(cut));
    CHECK(client.read().body == "hello, you all!");
    CHECK(client.read().body == "hello");
  }
  // As much as the path takes, and no more.
  const std::string letters(limits::kJsonBodyMax, 'x');
  client.send(head + fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", letters.size(), letters));
  CHECK(client.read().body == letters);
  client.send(
      "PUT /seen HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n");
  CHECK(client.read().body.find("header [content-length: 2]\nbody [{}]\n") != std::string::npos);
  client.send(get("/hello", "Transfer-Encoding: chunked\r\n") + "1\r\nx\r\n0\r\n\r\n" +
              get("/hello"));
  CHECK(client.read().body == "hello");
  CHECK(client.read().body == "hello");
  client.send(head + fmt::format("{:x}\r\n{}\r\n1\r\nx\r\n", letters.size(), letters));
  CHECK(client.read().status == 413);
}

TEST_CASE("http: the head of an answer has what belongs there, and nothing else") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  client.send(get("/hello"));
  const Reply reply = client.read();
  std::string names;
  for (const auto& [name, value] : reply.headers) names += name + " ";
  CHECK(names == "content-length content-type date keep-alive server vary ");
  CHECK(reply.header("content-type") == "text/plain");
  CHECK(reply.header("server") == "chirp");
  CHECK(reply.header("vary") == "Accept-Encoding");
  CHECK(reply.header("date").size() == 29);
  CHECK(reply.header("date").ends_with(" GMT"));
}

TEST_CASE("http: requests sent at once are answered in order") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  std::string all;
  for (int i = 0; i < 200; ++i) {
    // A GET with a body that looks like a request: it is a body.
    const std::string body = i % 3 == 0 ? get("/throw") : "";
    all += fmt::format("{} /{} HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\nX: {}\r\n\r\n{}",
                       i % 2 == 0 ? "GET" : "POST", i % 5 == 0 ? "nothing" : "seen", body.size(), i,
                       body);
  }
  client.send(all);
  for (int i = 0; i < 200; ++i) {
    const Reply reply = client.read();
    if (i % 5 == 0) {
      CHECK(reply.status == 204);
    } else {
      CHECK(reply.body.find(fmt::format("header [x: {}]", i)) != std::string::npos);
      const bool has_body = i % 3 == 0 && i % 2 != 0;  // of a GET it is dropped
      CHECK((reply.body.find("body []") == std::string::npos) == has_body);
    }
  }
  CHECK(app.answered() == 200);
}

TEST_CASE("http: requests that come byte by byte") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  for (const char c : post("/echo", "one") + post("/echo", "two")) client.send({&c, 1});
  CHECK(client.read().body == "one");
  CHECK(client.read().body == "two");
}

TEST_CASE("http: HEAD has the head of GET, and no body") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  for (const char* target : {"/hello", "/letters?n=3000", "/part", "/nothing", "/missing"}) {
    for (const char* accept : {"", "Accept-Encoding: gzip\r\n"}) {
      CAPTURE(target);
      const auto request = get(target, accept);
      client.send(request);
      Reply full = client.read();
      client.send("HEAD" + request.substr(3));
      Reply head = client.read(HttpClient::Body::kLeftOut);
      CHECK(head.status == full.status);
      full.headers.erase("date");
      head.headers.erase("date");
      CHECK(head.headers == full.headers);
    }
  }
  client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(client.read(HttpClient::Body::kLeftOut).header("content-type") == "text/event-stream");
  CHECK(client.is_closed());
}

TEST_CASE("http: answers without a body don't speak of one") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  for (const auto& [target, status] : {std::pair("/nothing", 204), std::pair("/unchanged", 304)}) {
    client.send(get(target));
    const Reply reply = client.read();
    CHECK(reply.status == status);
    CHECK_FALSE(reply.headers.contains("content-length"));
    CHECK_FALSE(reply.headers.contains("content-type"));
  }
  client.send(get("/missing"));
  CHECK(client.read().header("content-length") == "0");
}

TEST_CASE("http: gzip is only for clients that accept it") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  const std::string plain(3000, 'x');
  for (const char* accept : {"gzip", "deflate, gzip", "GZIP", "gzip;q=0.5", "br, gzip;q=1.0", "*",
                             "br;q=1, *;q=0.1", "gzip ; q=0.001"}) {
    CAPTURE(accept);
    client.send(get("/letters?n=3000", fmt::format("Accept-Encoding: {}\r\n", accept)));
    const Reply reply = client.read();
    CHECK(reply.header("content-encoding") == "gzip");
    CHECK(reply.header("vary") == "Accept-Encoding");
    CHECK(unzipped(reply.body) == plain);
  }
  for (const char* accept : {"", "br", "deflate", "identity", "gzip;q=0", "gzip;q=0.0", "gzip; Q=0",
                             "*;q=0", "gzip;q=0, *", "br, *;q=0", "xgzip", "gzip;q=", "gzip;q=x"}) {
    CAPTURE(accept);
    client.send(get("/letters?n=3000", fmt::format("Accept-Encoding: {}\r\n", accept)));
    const Reply reply = client.read();
    CHECK(reply.header("content-encoding").empty());
    CHECK(reply.header("vary") == "Accept-Encoding");
    CHECK(reply.body == plain);
  }
  client.send(get("/hello", "Accept-Encoding: gzip\r\n"));
  CHECK(client.read().body == "hello");  // too short to gain anything
  client.send(get("/part", "Accept-Encoding: gzip\r\n"));
  const Reply part = client.read();  // a part of the bytes, as they are
  CHECK(part.status == 206);
  CHECK(part.body == std::string(1000, 'p'));
  CHECK(part.header("content-range") == "bytes 0-999/2000");
  const auto coding = [&](const char* type) {
    client.send(get(fmt::format("/letters?n=3000&type={}", type), "Accept-Encoding: gzip\r\n"));
    const Reply reply = client.read();
    CHECK(reply.header("vary").empty() == reply.header("content-encoding").empty());
    return reply.header("content-type") + " " + reply.header("content-encoding");
  };
  CHECK(coding("application/json") == "application/json gzip");
  CHECK(coding("application/yaml") == "application/yaml gzip");
  CHECK(coding("application/problem%2Bjson") == "application/problem+json gzip");
  CHECK(coding("text/javascript") == "text/javascript gzip");
  CHECK(coding("image/svg%2Bxml") == "image/svg+xml gzip");
  CHECK(coding("image/png") == "image/png ");
  CHECK(coding("video/mp4") == "video/mp4 ");
}

TEST_CASE("http: a Range is the App's to answer") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  std::string ranges = "Range: bytes=0-";
  for (int i = 0; i < 1500; ++i) ranges += ",0-";
  client.send(get("/letters?n=3000", ranges + "\r\n"));
  const Reply reply = client.read();
  CHECK(reply.status == 200);
  CHECK(reply.body.size() == 3000);
}

TEST_CASE("http: the connection is kept and closed as was agreed") {
  FakeApp app;
  RunningFront server(app);
  const auto closes = [&](const std::string& bytes) {
    HttpClient client(server.port());
    client.send(bytes);
    const Reply reply = client.read();
    CHECK(reply.body == "hello");
    const bool says_so = reply.header("connection") == "close";
    CHECK(reply.headers.contains("keep-alive") != says_so);
    if (says_so) {
      CHECK(client.is_closed());
    } else {
      client.send(get("/hello"));
      CHECK(client.read().body == "hello");
    }
    return says_so;
  };
  CHECK_FALSE(closes(get("/hello")));
  CHECK_FALSE(closes(get("/hello", "Connection: keep-alive\r\n")));
  CHECK(closes(get("/hello", "Connection: close\r\n")));
  CHECK(closes(get("/hello", "Connection: Upgrade, CLOSE\r\n")));
  CHECK(closes(get("/hello", "Connection: x\r\nConnection: close\r\n")));
  CHECK(closes("GET /hello HTTP/1.0\r\n\r\n"));
  CHECK(closes("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

TEST_CASE("http: a client that has said all is still answered") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  client.send(get("/hello") + get("/letters?n=300000"));
  client.finish_sending();
  CHECK(client.read().body == "hello");
  CHECK(client.read().body.size() == 300'000);
  CHECK(client.is_closed());
}

TEST_CASE("http: a client that asks before sending a body learns whether to go on") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  CHECK(client.read().status == 100);
  client.send("body");
  CHECK(client.read().body == "body");
  // A client that does not wait gets no 100.
  client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-Continue\r\n\r\nbody");
  CHECK(client.read().body == "body");
  client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\nExpect: 100-continue\r\n\r\n");
  CHECK(client.read().status == 413);
  CHECK(client.is_closed());
}

TEST_CASE("http: bodies up to the limit of their operation") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  std::string body(limits::kJsonBodyMax, 'b');
  client.send(post("/echo", body));
  CHECK(client.read().body == body);
  body.resize(FakeApp::kUploadMax, 'c');
  client.send(post("/upload", body));
  CHECK(client.read().body == body);
  // The answer reaches who has sent all of a body that is too long.
  client.send(post("/upload", body + "d"));
  CHECK(client.read().status == 413);
}

TEST_CASE("http: a refused client may finish its request") {
  FakeApp app;
  RunningFront server(app);
  HttpClient client(server.port());
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n");
  CHECK(client.read().status == 413);
  // A connection that was closed with bytes unread would be reset, and the answer might be lost.
  for (int i = 0; i < 20; ++i) CHECK(client.send(std::string(1000, 'b')));
  CHECK(client.is_closed());
}

TEST_CASE("http: an App that throws is a 500 that tells nothing") {
  FakeApp app;
  RunningFront server(app);
  for (const char* target : {"/throw", "/split"}) {
    HttpClient client(server.port());
    client.send(get(target));
    const Reply reply = client.read();
    CHECK(reply.status == 500);
    CHECK(reply.header("content-type") == "application/problem+json");
    CHECK((reply.head + reply.body).find("secret") == std::string::npos);
    CHECK((reply.head + reply.body).find("Set-Cookie") == std::string::npos);
    client.send(get("/hello"));
    CHECK(client.read().body == "hello");
  }
  HttpClient client(server.port());
  client.send(get("/throw-late"));
  CHECK(client.read_head().status == 200);
  CHECK(client.is_closed());
}

TEST_SUITE_END();

}  // namespace chirp::test
