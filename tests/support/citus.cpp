#include "tests/support/citus.h"

#include <cstdlib>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/postgres/places.h"
#include "tests/support/stores.h"

namespace chirp::test {
namespace {

constexpr std::size_t kWorkers = 3;

const char* citus_programs() { return std::getenv("CHIRP_CITUS"); }

}  // namespace

bool has_citus() {
  static const bool kThere = [] {
    const bool is_there = citus_programs() != nullptr && has_postgres();
    if (!is_there) {
      MESSAGE("skipped: CHIRP_CITUS names no folder with the programs of a PostgreSQL with Citus");
    }
    return is_there;
  }();
  return kThere;
}

CitusServers::CitusServers() : coordinator_(PostgresServer::with_citus(citus_programs())) {
  for (std::size_t i = 0; i < kWorkers; ++i) {
    workers_.push_back(PostgresServer::with_citus(citus_programs()));
  }
}

std::string CitusServers::make_database(const std::string& name) {
  const auto prepare = [&](const PostgresServer& server) {
    postgres::Connection({server.url("postgres")}).script("create database " + name);
    postgres::Connection({server.url(name)}).script("create extension citus");
  };
  prepare(*coordinator_);
  for (const auto& worker : workers_) prepare(*worker);
  postgres::Connection connection({coordinator_->url(name)});
  connection.script(
      fmt::format("select citus_set_coordinator_host('127.0.0.1', {})", coordinator_->port()));
  for (const auto& worker : workers_) {
    connection.script(fmt::format("select citus_add_node('127.0.0.1', {})", worker->port()));
  }
  return coordinator_->url(name);
}

CitusServers& shared_citus() {
  static CitusServers kServers;
  return kServers;
}

std::string fresh_on_citus() {
  static int count = 0;
  const std::string url = shared_citus().make_database(fmt::format("world_{}", ++count));
  postgres::Connection connection({url});
  postgres::init_citus(connection, {postgres::kFormatVersion, "test", kTestMachine, "citus"},
                       postgres::kBucketsLeast);
  return url;
}

}  // namespace chirp::test
