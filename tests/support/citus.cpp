#include "tests/support/citus.h"

#include <cstdlib>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/postgres/cluster/places.h"
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

std::string CitusServers::make_database(const std::string& name, const std::string& owner) {
  constexpr std::string_view kEverything = "chirp";
  const auto prepare = [&](const PostgresServer& server) {
    postgres::Connection all({server.url("postgres")});
    if (owner != kEverything) all.script("create role " + owner + " login");
    all.script(fmt::format("create database {} owner {}", name, owner));
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
  std::string url = coordinator_->url(name);
  return url.replace(url.find(kEverything), kEverything.size(), owner);
}

void CitusServers::drop_database(const std::string& name) {
  const auto drop = [&](const PostgresServer& server) {
    postgres::Connection({server.url("postgres")})
        .script(fmt::format("drop database {} with (force)", name));
  };
  drop(*coordinator_);
  for (const auto& worker : workers_) drop(*worker);
}

CitusServers& shared_citus() {
  static CitusServers kServers;
  return kServers;
}

CitusDatabase::CitusDatabase() {
  static int count = 0;
  name_ = fmt::format("world_{}", ++count);
  url_ = shared_citus().make_database(name_);
  postgres::Connection connection({url_});
  postgres::init_citus(connection, {postgres::kFormatVersion, "test", kTestMachine, "citus"},
                       postgres::kBucketsLeast);
}

CitusDatabase::~CitusDatabase() {
  try {
    shared_citus().drop_database(name_);
  } catch (const Error&) {
    // The servers go with the test.
  }
}

}  // namespace chirp::test
