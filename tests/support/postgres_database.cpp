#include <mutex>

#include <fmt/format.h>

#include "store/postgres/connection.h"
#include "tests/support/postgres_models.h"
#include "tests/support/postgres_server.h"
#include "tests/support/stores.h"

namespace chirp::test {
namespace {

std::string new_name() {
  static std::mutex mutex;
  static int count = 0;
  const std::lock_guard guard(mutex);
  return fmt::format("chirp_{}", ++count);
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
          postgres::Address{shared_postgres().url("postgres")});
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

PostgresServer& shared_postgres() {
  static const std::unique_ptr<PostgresServer> kServer = PostgresServer::with_models();
  return *kServer;
}

PostgresDatabase::PostgresDatabase(const std::string& model)
    : name_(new_name()), url_(shared_postgres().url(name_)) {
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
