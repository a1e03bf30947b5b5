#include <mutex>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

#include "store/postgres/connection/connection.h"
#include "tests/support/postgres_models.h"
#include "tests/support/postgres_run.h"
#include "tests/support/postgres_server.h"
#include "tests/support/stores.h"

namespace chirp::test {
namespace {

// Digits alone behind the first part, for tests that put others in their place.
std::string new_name() {
  static std::mutex mutex;
  static int count = 0;
  const std::lock_guard guard(mutex);
  return fmt::format("chirp_{}{:06}", ::getpid(), ++count);
}

// The server of this process.
struct Home {
  std::unique_ptr<PostgresServer> own;  // none if that of a run of ctest is used
  std::string host;
};

Home make_home(bool is_own) {
  need_database_label();
  Home home;
  if (const auto of_run = is_own ? std::nullopt : postgres_of_run()) {
    home.host = of_run->string();
  } else {
    home.own = PostgresServer::with_models();
    home.host = home.own->host();
  }
  return home;
}

const Home& home(bool is_own) {
  static const Home kHome = make_home(is_own);
  return kHome;
}

// As whoever the server lets do everything, by one session for all that is asked; the server may
// have been started anew since the last time.
void administer(const std::string& sql) {
  static std::mutex mutex;
  static std::unique_ptr<postgres::Connection> session;
  const std::lock_guard guard(mutex);
  const auto run = [&] {
    if (!session || session->broken()) {
      session = std::make_unique<postgres::Connection>(
          postgres::Address{shared_postgres_url("postgres")});
    }
    session->script(sql);
  };
  try {
    run();
  } catch (const Error&) {
    if (!session || !session->broken()) throw;
    run();
  }
}

}  // namespace

std::string shared_postgres_url(const std::string& database) {
  return url_at_host(home(false).host, database);
}

PostgresServer& own_postgres() {
  const Home& mine = home(true);
  if (!mine.own) throw std::logic_error("databases of this test are in the server of all tests");
  return *mine.own;
}

PostgresDatabase::PostgresDatabase(const std::string& model)
    : name_(new_name()), url_(shared_postgres_url(name_)) {
  administer(fmt::format("create database {} template {} strategy = file_copy", name_, model));
}

PostgresDatabase::PostgresDatabase() : PostgresDatabase(std::string("template1")) {}

PostgresDatabase::PostgresDatabase(std::uint32_t machine)
    : PostgresDatabase(std::string(kDatabaseModel)) {
  if (machine == kTestMachine) return;
  postgres::Connection({url_}).run("update meta set machine = $1::int4",
                                   postgres::Params().int4(static_cast<std::int32_t>(machine)));
}

std::unique_ptr<PostgresDatabase> PostgresDatabase::like(const std::string& model) {
  return std::unique_ptr<PostgresDatabase>(new PostgresDatabase(model));
}

std::unique_ptr<PostgresDatabase> PostgresDatabase::copy() const { return like(name_); }

PostgresDatabase::~PostgresDatabase() {
  try {
    administer(fmt::format("drop database {} with (force)", name_));
  } catch (const Error&) {
    // The server goes with the test.
  }
}

}  // namespace chirp::test
