// Goal: the configuration of nginx that the project shows works unchanged, before one server and
// before several.
// Method: Debian's nginx with docs/nginx/chirp.conf (and servers.conf), only the places it listens
// at, its certificate and its patience changed, before the real front; a client of TLS is `openssl
// s_client`.
#include <array>
#include <csignal>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/fake_app.h"
#include "tests/support/http_client.h"
#include "tests/support/source_tree.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

constexpr const char* kNginx = "/usr/sbin/nginx";
constexpr const char* kOpenssl = "/usr/bin/openssl";

bool is_installed() {
  if (::access(kNginx, X_OK) == 0 && ::access(kOpenssl, X_OK) == 0) return true;
  MESSAGE("skipped: needs nginx-light and openssl");
  return false;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  REQUIRE_MESSAGE(text.find(what) != std::string::npos, "the configuration lacks ", what);
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

bool connects(const std::string& path) {
  try {
    const HttpClient client(HttpClient::Connected{HttpClient::connect_to(path)});
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// nginx as configured, at two sockets in a folder of its own.
class Nginx {
 public:
  // With `second` before two servers. `deadline`: for the parts of a request; on a busy machine one
  // that passes within a test passes for quick clients, too.
  explicit Nginx(std::uint16_t port, std::optional<std::uint16_t> second = std::nullopt,
                 std::string deadline = "1h")
      : deadline_(std::move(deadline)) {
    make_certificate();
    write_file(folder_ / "site.conf", second ? site_of_two(port, *second) : site(port));
    const std::string in = folder_.path().string();
    write_file(folder_ / "nginx.conf",
               fmt::format("daemon off; master_process off; pid {0}/pid; error_log {0}/error.log;\n"
                           "events {{ worker_connections 256; }}\n"
                           "http {{ access_log off; client_body_temp_path {0}/b;\n"
                           "proxy_temp_path {0}/p; fastcgi_temp_path {0}/f;\n"
                           "uwsgi_temp_path {0}/u; scgi_temp_path {0}/s;\n"
                           "include {0}/site.conf; }}\n",
                           in));
    process_.emplace(
        Command{{kNginx, "-p", in, "-c", in + "/nginx.conf", "-e", in + "/error.log"}});
    const bool is_up = comes_true([&] { return connects(plain()) && connects(tls()); });
    REQUIRE_MESSAGE(is_up, log());
  }
  ~Nginx() { process_->signal(SIGKILL); }
  Nginx(const Nginx&) = delete;
  Nginx& operator=(const Nginx&) = delete;

  [[nodiscard]] std::string plain() const { return (folder_ / "plain").string(); }
  [[nodiscard]] std::string tls() const { return (folder_ / "tls").string(); }
  [[nodiscard]] std::string certificate() const { return (folder_ / "cert.pem").string(); }
  [[nodiscard]] std::string log() const { return read_file(folder_ / "error.log"); }

 private:
  void make_certificate() {
    const Ended made =
        run({{kOpenssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
              "/CN=chirp.example", "-addext", "subjectAltName=DNS:chirp.example", "-keyout",
              (folder_ / "key.pem").string(), "-out", certificate()}});
    REQUIRE_MESSAGE(made.ok(), to_string(made));
  }

  std::string site(std::uint16_t port) {
    std::string text = adapted(source_file("docs/nginx/chirp.conf").text);
    replace_all(text, "127.0.0.1:8080", fmt::format("127.0.0.1:{}", port));
    return text;
  }

  // As servers.conf says how to put it there.
  std::string site_of_two(std::uint16_t first, std::uint16_t second) {
    std::string text = adapted(source_file("docs/nginx/chirp.conf").text);
    std::string servers = source_file("docs/nginx/servers.conf").text;
    replace_all(servers, "10.0.0.11:8080", fmt::format("127.0.0.1:{}", first));
    replace_all(servers, "10.0.0.12:8080", fmt::format("127.0.0.1:{}", second));
    const std::size_t upstream = text.find("upstream chirp {");
    REQUIRE(upstream != std::string::npos);
    text.replace(upstream, text.find("}\n", upstream) + 2 - upstream, servers);
    replace_all(text, "  proxy_next_upstream off;", "");
    return text;
  }

  std::string adapted(std::string text) {
    replace_all(text, "  listen [::]:80;\n", "");
    replace_all(text, "  listen [::]:443 ssl http2;\n", "");
    replace_all(text, "listen 80;", "listen unix:" + plain() + ";");
    replace_all(text, "listen 443 ssl http2;", "listen unix:" + tls() + " ssl http2;");
    replace_all(text, "/etc/ssl/certs/chirp.pem", certificate());
    replace_all(text, "/etc/ssl/private/chirp.key", (folder_ / "key.pem").string());
    replace_all(text, "client_header_timeout 10s", "client_header_timeout " + deadline_);
    replace_all(text, "client_body_timeout 10s", "client_body_timeout " + deadline_);
    return text;
  }

  const std::string deadline_;
  TempFolder folder_;
  std::optional<Background> process_;
};

// Talks TLS to nginx through `openssl s_client`, which takes and gives plain bytes.
class TlsClient {
 public:
  explicit TlsClient(const Nginx& nginx) {
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    const std::string tls = nginx.tls();
    const std::string certificate = nginx.certificate();
    child_ = ::fork();
    if (child_ == 0) {
      const int nowhere = ::open("/dev/null", O_WRONLY);
      ::dup2(ends[1], STDIN_FILENO);
      ::dup2(ends[1], STDOUT_FILENO);
      ::dup2(nowhere, STDERR_FILENO);
      ::execl(kOpenssl, kOpenssl, "s_client", "-quiet", "-unix", tls.c_str(), "-CAfile",
              certificate.c_str(), "-verify_return_error", "-servername", "chirp.example", nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    http.emplace(HttpClient::Connected{ends[0]});
  }
  ~TlsClient() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  TlsClient(const TlsClient&) = delete;
  TlsClient& operator=(const TlsClient&) = delete;

  std::optional<HttpClient> http;

 private:
  pid_t child_ = -1;
};

std::string to_example(std::string request) {
  const std::size_t at = request.find("localhost");
  return request.replace(at, 9, "chirp.example");
}

}  // namespace

TEST_CASE("nginx: requests come through TLS as they are, with the address that nginx saw") {
  if (!is_installed()) return;
  FakeApp app;
  RunningFront server(app);
  const Nginx nginx(server.port());
  TlsClient client(nginx);
  client.http->send(to_example(get("/seen?a=b%26c", "X-Forwarded-For: 6.6.6.6\r\nX-Odd: 1\r\n")));
  const Reply reply = client.http->read();
  CHECK(reply.status == 200);
  CHECK(reply.header("strict-transport-security") == "max-age=31536000");
  CHECK(reply.body.starts_with("GET /seen from 127.0.0.1\nsegment [seen]\nquery [a=b&c]\n"));
  CHECK(reply.body.find("header [host: chirp.example]\n") != std::string::npos);
  CHECK(reply.body.find("header [x-forwarded-for: unix:]\n") != std::string::npos);
  CHECK(reply.body.find("header [x-odd: 1]\n") != std::string::npos);
  CHECK(reply.body.find("header [connection:") == std::string::npos);

  const std::string body(FakeApp::kUploadMax, 'u');
  client.http->send(to_example(post("/upload", body)));
  CHECK(client.http->read().body == body);
  client.http->send(to_example(get("/letters?n=3000", "Accept-Encoding: gzip\r\n")));
  CHECK(client.http->read().header("content-encoding") == "gzip");
}

TEST_CASE("nginx: what the server measures is not shown to the world") {
  if (!is_installed()) return;
  FakeApp app;
  RunningFront server(app);
  const Nginx nginx(server.port());
  TlsClient client(nginx);
  for (const char* path :
       {"/metrics", "/metrics?a=b", "/%6detrics", "//metrics", "/x/../metrics"}) {
    client.http->send(to_example(get(path)));
    CHECK(client.http->read().status == 404);
  }
  CHECK(app.answered() == 0);
}

TEST_CASE("nginx: events come through one by one") {
  if (!is_installed()) return;
  FakeApp app;
  RunningFront server(app);
  const Nginx nginx(server.port());
  const std::string request = to_example(get("/v1/stream"));
  std::optional<TlsClient> client;
  client.emplace(nginx).http->send(request);
  const Reply head = client->http->read_head();
  CHECK(head.status == 200);
  CHECK(head.header("content-type") == "text/event-stream");
  const auto outlet = app.stream(0);
  for (const std::string event : {"5\r\nfirst\r\n", "5\r\nagain\r\n"}) {  // in chunks of nginx
    CHECK(outlet->send(event.substr(3, 5)));
    CHECK(client->http->read_bytes(event.size()) == event);
  }
  client.reset();
  CHECK(comes_true([&] { return outlet->flow() == http::Outlet::Flow::kGone; }));
}

TEST_CASE("nginx: a client has one of several servers, and another when that is gone") {
  if (!is_installed()) return;
  FakeApp app;
  FakeApp other_app;
  RunningFront server(app);
  auto other = std::make_unique<RunningFront>(other_app);
  const Nginx nginx(server.port(), other->port());
  TlsClient client(nginx);
  const auto ask = [&](int who) {
    client.http->send(to_example(get("/hello", fmt::format("Authorization: Bearer {}\r\n", who))));
    return client.http->read().body;
  };
  constexpr int kClients = 20;
  std::set<int> of_the_other;
  for (int round = 0; round < 3; ++round) {
    for (int who = 0; who < kClients; ++who) {
      const std::size_t before = other_app.answered();
      CHECK(ask(who) == "hello");
      const bool is_of_other = other_app.answered() != before;
      if (round == 0 && is_of_other) of_the_other.insert(who);
      CHECK(of_the_other.contains(who) == is_of_other);
    }
  }
  CHECK(of_the_other.size() > 0);
  CHECK(of_the_other.size() < kClients);
  other.reset();
  for (int who = 0; who < kClients; ++who) CHECK(ask(who) == "hello");
}

TEST_CASE("nginx: a slow client never comes as far as chirp") {
  if (!is_installed()) return;
  FakeApp app;
  RunningFront server(app);
  const Nginx nginx(server.port(), std::nullopt, "300ms");
  TlsClient head(nginx);
  TlsClient body(nginx);
  head.http->send("GET /hello HTTP/1.1\r\nHost: chirp.example\r\nX:");
  body.http->send(
      "POST /echo HTTP/1.1\r\nHost: chirp.example\r\nContent-Length: 60000\r\n\r\nslow");
  CHECK(head.http->is_closed());
  CHECK(body.http->is_closed());
  CHECK(server.front().counts().connections == 0);
  CHECK(app.answered() == 0);
}

TEST_CASE("nginx: a client without TLS is redirected") {
  if (!is_installed()) return;
  FakeApp app;
  RunningFront server(app);
  const Nginx nginx(server.port());
  HttpClient client(HttpClient::Connected{HttpClient::connect_to(nginx.plain())});
  client.send(get("/v1/feed?limit=3"));
  const Reply reply = client.read();
  CHECK(reply.status == 301);
  CHECK(reply.header("location") == "https://chirp.example/v1/feed?limit=3");
}

}  // namespace chirp::test
