// Goal: a pooler that gives each transaction another session is refused, and one that keeps them is
// worked with. Method: Debian's pgbouncer before a server of the test's own, in each of its modes.
#include <filesystem>
#include <optional>
#include <pwd.h>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "store/postgres/connection/connection.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/eventually.h"
#include "tests/support/http_client.h"
#include "tests/support/postgres_server.h"
#include "tests/support/stores.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;
using postgres::Connection;

constexpr const char* kPooler = "/usr/sbin/pgbouncer";

bool has_pooler() {
  if (!has_postgres()) return false;
  if (fs::exists(kPooler)) return true;
  MESSAGE("skipped: needs pgbouncer");
  return false;
}

bool listens(const fs::path& socket) {
  try {
    ::close(HttpClient::connect_to(socket.string()));
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

// pgbouncer before the server of a database, at a socket in a folder of its own.
class Pooler {
 public:
  Pooler(const PostgresDatabase& database, const std::string& mode, int sessions) {
    const std::string& url = database.url();
    const std::string name = url.substr(url.find("@/") + 2, url.find('?') - url.find("@/") - 2);
    const std::string server = url.substr(url.find("host=") + 5);
    const std::string folder = folder_.path().string();
    url_ = fmt::format("postgresql://chirp@/{}?host={}&port=6432", name, folder);
    write_file(folder_ / "pgbouncer.ini",
               fmt::format("[databases]\n* = host={} user=chirp\n[pgbouncer]\nlisten_addr =\n"
                           "listen_port = 6432\nunix_socket_dir = {}\nauth_type = any\n"
                           "pool_mode = {}\ndefault_pool_size = {}\n",
                           server, folder, mode, sessions));
    std::vector<std::string> command{kPooler, "-q", (folder_ / "pgbouncer.ini").string()};
    if (::geteuid() == 0) {
      // It refuses to be root's.
      const passwd* const user = ::getpwnam("nobody");
      if (::chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0) FAIL("no giving away");
      fs::permissions(folder_ / "pgbouncer.ini", fs::perms(0644));
      command.insert(command.end(), {"-u", "nobody"});
    }
    process_.emplace(Command{.arguments = command});
    // Its socket is there a little before it listens.
    CHECK(eventually([&] { return listens(folder_ / ".s.PGSQL.6432"); }));
  }

  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  TempFolder folder_;
  std::string url_;
  std::optional<Background> process_;
};

}  // namespace

TEST_CASE("pooler: one that pools by the transaction or the statement is refused") {
  if (!has_pooler()) return;
  const PostgresDatabase database(kTestMachine);
  for (const std::string& mode : {std::string("transaction"), std::string("statement")}) {
    for (const int sessions : {1, 2, 20}) {
      CAPTURE(mode);
      CAPTURE(sessions);
      const Pooler pooler(database, mode, sessions);
      // Again, too: the answer is kept of none that was refused.
      for (int again = 0; again < 2; ++again) {
        const Error error = error_of([&] { const Connection connection({pooler.url()}); });
        CHECK(error.code() == ErrorCode::kIo);
        const std::string said = error.what();
        CHECK_MESSAGE(said.find("Set its pool_mode to session") != std::string::npos, said);
      }
      const Ended ended = run(chirp_command(pooler.url(), {"stats"}));
      CHECK_MESSAGE(ended.status == 1, to_string(ended));
    }
  }
}

TEST_CASE("pooler: one that pools by the session is worked with") {
  if (!has_pooler()) return;
  const PostgresDatabase database(kTestMachine);
  const Pooler pooler(database, "session", 20);
  for (int again = 0; again < 3; ++again) {
    Connection connection({pooler.url()});
    CHECK(connection.run("select 42").number(0, 0) == 42);
  }
  for (const std::vector<std::string>& command : {std::vector<std::string>{"user", "add", "mira"},
                                                  {"post", "add", "mira", "First frost"},
                                                  {"feed", "show", "mira"},
                                                  {"doctor"},
                                                  {"status"}}) {
    const Ended ended = run(chirp_command(pooler.url(), command));
    CHECK_MESSAGE(ended.ok(), to_string(ended));
  }
}

TEST_CASE("pooler: one that has no second session is refused, since its mode is not known") {
  if (!has_pooler()) return;
  const PostgresDatabase database(kTestMachine);
  const Pooler pooler(database, "session", 1);
  const Error error = error_of([&] { const Connection connection({pooler.url()}); });
  CHECK(error.code() == ErrorCode::kUnavailable);
  CHECK(std::string(error.what()).find("default_pool_size") != std::string::npos);
}

}  // namespace chirp::test
