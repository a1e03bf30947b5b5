// Goal: a database is spoken to by TLS where its address says so, one that can't prove who it is is
// refused, and a server warns of what is not encrypted.
// Method: a server of PostgreSQL with a certificate that openssl makes.
#include <arpa/inet.h>
#include <csignal>
#include <filesystem>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <netinet/in.h>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "store/postgres/connection/connection.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/pattern.h"
#include "tests/support/postgres_server.h"
#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;
using postgres::Connection;
using Words = std::vector<std::string>;

constexpr const char* kOpenssl = "/usr/bin/openssl";
constexpr const char* kHere = "127.0.0.1";

bool has_tls() {
  if (!has_postgres()) return false;
  if (fs::exists(kOpenssl)) return true;
  MESSAGE("skipped: needs openssl");
  return false;
}

// Signed by itself, for an address.
class Certificate {
 public:
  explicit Certificate(const std::string& address) {
    const Ended ended =
        run({.arguments = {kOpenssl, "req", "-x509", "-newkey", "ec", "-pkeyopt",
                           "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                           "/CN=database", "-addext", "subjectAltName=IP:" + address, "-keyout",
                           (folder_ / "key").string(), "-out", file()}});
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  }
  [[nodiscard]] std::string file() const { return (folder_ / "certificate").string(); }
  [[nodiscard]] std::string text() const { return read_file(folder_ / "certificate"); }
  [[nodiscard]] std::string key() const { return read_file(folder_ / "key"); }

 private:
  TempFolder folder_;
};

void make_world(const PostgresServer& server) {
  Connection({server.url("postgres")}).script("create database world");
}

void check_refused(const std::string& url, const Words& patterns) {
  const Ended ended = run(chirp_command(url, {"stats"}));
  CHECK_MESSAGE(ended.status == 1, to_string(ended));
  for (const std::string& pattern : patterns) {
    CHECK_MESSAGE(Pattern(pattern).is_in(ended.err), pattern, "\n", to_string(ended));
  }
}

// An address of this machine that is not loopback; empty if it has none.
std::string outer_address() {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return "";
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(all, &::freeifaddrs);
  for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    if ((each->ifa_flags & IFF_LOOPBACK) != 0 || (each->ifa_flags & IFF_UP) == 0) continue;
    std::string text(INET_ADDRSTRLEN, '\0');
    const auto* const place = reinterpret_cast<const sockaddr_in*>(each->ifa_addr);
    if (::inet_ntop(AF_INET, &place->sin_addr, text.data(), INET_ADDRSTRLEN) == nullptr) continue;
    return text.substr(0, text.find('\0'));
  }
  return "";
}

bool warns(const std::string& url) {
  ServerProcess server(url);
  const Ended ended = server.end(SIGTERM);
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  return ended.err.find("is not encrypted") != std::string::npos;
}

}  // namespace

TEST_CASE("tls: a database whose certificate is right is worked with") {
  if (!has_tls()) return;
  const Certificate certificate(kHere);
  PostgresServer server;
  make_world(server);
  server.listen(kHere, certificate.text(), certificate.key());
  const std::string url =
      server.url_at(kHere, "world", "sslmode=verify-full&sslrootcert=" + certificate.file());
  for (const Words& command :
       {Words{"init"}, Words{"user", "add", "mira"}, Words{"post", "add", "mira", "First frost"}}) {
    const Ended ended = run(chirp_command(url, command));
    CHECK_MESSAGE(ended.ok(), to_string(ended));
  }
  Connection connection({url});
  CHECK(connection.run("select ssl from pg_stat_ssl where pid = pg_backend_pid()").number(0, 0) ==
        1);
}

TEST_CASE("tls: a database that can't prove who it is is refused, with what to look at") {
  if (!has_tls()) return;
  const Certificate certificate(kHere);
  const Certificate another(kHere);
  PostgresServer server;
  make_world(server);
  server.listen(kHere, certificate.text(), certificate.key());
  const std::string verify = "sslmode=verify-full&sslrootcert=";
  check_refused(server.url_at(kHere, "world", verify + another.file()),
                {"certificate verify failed", "See sslmode and sslrootcert"});
  check_refused(server.url_at(kHere, "world", verify + another.file() + ".missing"),
                {"does not exist", "See sslmode and sslrootcert"});
  const std::string named = server.url_at("localhost", "world", verify + certificate.file());
  check_refused(named + "&hostaddr=127.0.0.1", {"does not match", "See sslmode and sslrootcert"});
}

TEST_CASE("tls: a server warns of a database that it reaches in the clear over a network") {
  if (!has_tls()) return;
  const std::string outer = outer_address();
  if (outer.empty()) {
    MESSAGE("skipped: this machine is on no network");
    return;
  }
  const Certificate certificate(outer);
  PostgresServer server;
  make_world(server);
  server.listen(outer, certificate.text(), certificate.key());
  (void)make_served_directory(server.url("world"), {"mira"});
  CHECK_FALSE(warns(server.url("world")));
  CHECK(warns(server.url_at(outer, "world", "sslmode=disable")));
  CHECK_FALSE(warns(
      server.url_at(outer, "world", "sslmode=verify-full&sslrootcert=" + certificate.file())));
}

}  // namespace chirp::test
