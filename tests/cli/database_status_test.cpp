// Goal: `chirp status` tells which servers are at work on a database or a folder, where they listen
// and which of them runs the consumers, and tells of none that has ended.
// Method: servers of the program itself, on a database of the test's own and in a folder.
#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/postgres/connection/connection.h"
#include "tests/support/child.h"
#include "tests/support/eventually.h"
#include "tests/support/json_value.h"
#include "tests/support/postgres_server.h"
#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::database_status_test {
namespace {

using Words = std::vector<std::string>;

std::string said(const std::string& data, Words arguments) {
  const Ended ended = run(chirp_command(data, std::move(arguments)));
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  return ended.out;
}

JsonValue status_of(const std::string& data) {
  return JsonValue::parse(said(data, {"status", "--json"}));
}

std::string address_of(const ServerProcess& server) {
  return fmt::format("127.0.0.1:{}", server.port());
}

// Where they listen, in the order of these texts.
Words addresses_in(const JsonValue& status) {
  Words addresses;
  for (const JsonValue& server : status["servers"].list()) {
    addresses.push_back(server["address"].text());
  }
  std::ranges::sort(addresses);
  return addresses;
}

}  // namespace

TEST_CASE("status: servers on a database, and which of them runs the consumers") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  const std::string& url = database.url();
  (void)make_served_directory(url, {"mira"});
  CHECK(addresses_in(status_of(url)).empty());
  CHECK_FALSE(status_of(url)["consumers"]["running"].as<bool>());
  auto one = std::make_unique<ServerProcess>(url);
  CHECK(eventually([&] {
    const auto status = status_of(url);
    return status["consumers"]["running"].as<bool>() &&
           addresses_in(status) == Words{address_of(*one)};
  }));
  const auto alone = status_of(url);
  CHECK(alone["servers"][0]["pid"].as<std::int64_t>() == one->pid());
  CHECK(alone["consumers"]["owner"]["pid"].as<std::int64_t>() == one->pid());
  CHECK(alone["consumers"]["owner"]["address"].text() == address_of(*one));
  ServerProcess other(url);
  Words both{address_of(*one), address_of(other)};
  std::ranges::sort(both);
  CHECK(eventually([&] { return addresses_in(status_of(url)) == both; }));
  const std::string told = said(url, {"status"});
  for (const std::string& address : both) {
    CHECK_MESSAGE(told.find("server\thttp://" + address + ", pid ") != std::string::npos, told);
  }
  CHECK(told.find("copies\tnone") != std::string::npos);
  // A killed process cleans up nothing, and is no longer listed.
  one->end(SIGKILL);
  CHECK(eventually([&] { return addresses_in(status_of(url)) == Words{address_of(other)}; }));
  CHECK(eventually([&] {
    const auto status = status_of(url);
    return status["consumers"]["running"].as<bool>() &&
           status["consumers"]["owner"]["pid"].as<std::int64_t>() == other.pid();
  }));
  CHECK(other.end(SIGTERM).ok());
}

TEST_CASE("status: the server of a folder") {
  const TempFolder folder;
  const std::string data = (folder / "world").string();
  (void)make_served_directory(data, {"mira"});
  CHECK(addresses_in(status_of(data)).empty());
  ServerProcess server(data);
  const auto status = status_of(data);
  CHECK(addresses_in(status) == Words{address_of(server)});
  CHECK(status["servers"][0]["pid"].as<std::int64_t>() == server.pid());
  CHECK(eventually([&] { return status_of(data)["consumers"]["running"].as<bool>(); }));
  const Ended second = run(chirp_command(data, {"serve", "--port", "0"}));
  CHECK(second.err.find(fmt::format("already served by pid {}. Stop it", server.pid())) !=
        std::string::npos);
  CHECK(server.end(SIGTERM).ok());
  CHECK(addresses_in(status_of(data)).empty());
}

TEST_CASE("status: a role that may not see everything learns what to grant") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  (void)make_served_directory(database.url(), {"mira"});
  postgres::Connection owner({database.url()});
  owner.script(
      "drop role if exists viewer; create role viewer login;"
      " grant select on all tables in schema public to viewer");
  ServerProcess server(database.url());
  std::string url = database.url();
  url.replace(url.find("chirp@"), 6, "viewer@");
  Ended ended;
  // Its sessions have its name once it has asked something.
  CHECK(eventually([&] {
    ended = run(chirp_command(url, {"status"}));
    return ended.out.find(address_of(server)) != std::string::npos;
  }));
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  CHECK(ended.err.find("grant pg_read_all_stats to viewer") != std::string::npos);
  CHECK(run(chirp_command(database.url(), {"status"})).err.empty());
  CHECK(server.end(SIGTERM).ok());
  owner.script("drop owned by viewer; drop role viewer");
}

}  // namespace chirp::test::database_status_test
