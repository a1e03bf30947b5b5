#include "store/postgres/cluster/servers.h"

#include <algorithm>
#include <future>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "store/postgres/connection/connecting.h"

namespace chirp::postgres {
namespace {

constexpr std::string_view kNewestNumber = "select max(n) from commits where published";

// Bounds how long one of several servers delays the others.
constexpr std::chrono::seconds kPatience{5};

ServerSeen look_at(const Address& address) {
  ServerSeen seen{name_of(address)};
  try {
    auto connection = std::make_unique<Connection>(address);
    seen.is_copy = is_in_recovery(*connection);
    seen.identity = find_identity(*connection);
    if (seen.identity) {
      const Result newest = connection->run(kNewestNumber);
      if (!newest.is_null(0, 0)) seen.newest = newest.number(0, 0);
    }
    seen.connection = std::move(connection);
  } catch (const Error& error) {
    seen.problem = error.what();
    seen.code = error.code();
  }
  return seen;
}

std::string names_of(std::span<const ServerSeen* const> servers) {
  std::string names;
  for (const ServerSeen* const server : servers) {
    names += (names.empty() ? "" : " and ") + server->name;
  }
  return names;
}

void check_same(const ServerSeen& home, const ServerSeen& other) {
  if (!other.identity || other.identity == home.identity) return;
  throw Error(ErrorCode::kCorrupt,
              fmt::format("The address names servers of two databases: {} holds {}, and {} holds "
                          "{}. Name one database and its copies.",
                          home.name, home.identity ? home.identity->uuid : "none", other.name,
                          other.identity->uuid));
}

Error no_home(std::span<const ServerSeen> servers) {
  std::string all;
  // An error that all servers share, such as a wrong password, keeps its code.
  const auto is_first = [&](const ServerSeen& server) {
    return server.code == servers.front().code;
  };
  const ErrorCode code = servers.front().code && std::ranges::all_of(servers, is_first)
                             ? *servers.front().code
                             : ErrorCode::kUnavailable;
  for (const ServerSeen& server : servers) {
    all += fmt::format(
        " {}: {}", server.name,
        server.problem.empty() ? "it is a copy, which takes no changes." : server.problem);
  }
  return {code, fmt::format(
                    "None of the servers that the address names takes changes. Start the one that "
                    "did, or promote a copy (`pg_ctl promote`).{}",
                    all)};
}

}  // namespace

std::vector<Address> addresses_of(const Address& address) {
  if (!address.server.host.empty()) return {address};
  const auto servers = servers_in(address.url);
  if (servers.size() == 1) return {address};
  std::vector<Address> addresses;
  for (const Server& server : servers) {
    Address& one = addresses.emplace_back(address);
    one.server = server;
  }
  return addresses;
}

std::string name_of(const Address& address) {
  const Server server =
      address.server.host.empty() ? servers_in(address.url).front() : address.server;
  return server.host.empty() ? "its default host" : server.name();
}

std::vector<ServerSeen> look_at_servers(const Address& address) {
  auto addresses = addresses_of(address);
  std::vector<ServerSeen> seen;
  if (addresses.size() == 1) {
    seen.push_back(look_at(addresses.front()));
    return seen;
  }
  std::vector<std::future<ServerSeen>> looks;
  for (Address& one : addresses) {
    one.patience = kPatience;
    looks.push_back(std::async(std::launch::async, [&one] { return look_at(one); }));
  }
  for (auto& look : looks) seen.push_back(look.get());
  return seen;
}

std::size_t home_of(std::span<const ServerSeen> servers) {
  std::vector<const ServerSeen*> writable;
  for (const ServerSeen& server : servers) {
    if (server.is_reachable() && !server.is_copy) writable.push_back(&server);
  }
  for (const ServerSeen& server : servers) {
    // A server of another version can't be used, and waiting does not help.
    if (server.code == ErrorCode::kVersion) throw Error(*server.code, server.problem);
  }
  if (writable.empty()) {
    if (servers.size() == 1 && servers.front().code) {
      throw Error(*servers.front().code, servers.front().problem);
    }
    throw no_home(servers);
  }
  const ServerSeen& home = *writable.front();
  for (const ServerSeen& server : servers) check_same(home, server);
  if (writable.size() > 1) {
    throw Error(
        ErrorCode::kUnavailable,
        fmt::format("{} take changes, each by itself, so none is a copy of another, and what is "
                    "written to one is lost to the other. Stop the one that was home before, and "
                    "make it a copy anew (pg_rewind or pg_basebackup); or leave it out of the "
                    "address, where both names are of one server, too.",
                    names_of(writable)));
  }
  return static_cast<std::size_t>(&home - servers.data());
}

bool is_in_recovery(Connection& connection) {
  return connection.run("select pg_is_in_recovery()").number(0, 0) != 0;
}

}  // namespace chirp::postgres
