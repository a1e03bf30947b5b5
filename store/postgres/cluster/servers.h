// The servers of an address: which one accepts writes, and how far the others have replayed.
//
// One is home. The others are standbys, kept up to date by PostgreSQL's streaming replication. The
// servers themselves are asked which is which, so a promoted standby is home, wherever it is in the
// address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/postgres/cluster/schema.h"
#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

// Returns an address for each server; `address` itself if it names only one. Throws what
// servers_in() throws (connecting.h).
[[nodiscard]] std::vector<Address> addresses_of(const Address& address);
// The server's name for messages; "its default host" if the address names none.
[[nodiscard]] std::string name_of(const Address& address);

// A server's own report.
struct ServerSeen {
  std::string name;
  // Why it could not be queried, as a sentence, and the error; empty if it answered.
  std::string problem{};
  std::optional<ErrorCode> code{};
  bool is_copy = false;                // in recovery
  std::optional<Identity> identity{};  // empty if chirp has not set it up
  std::int64_t newest = -1;            // the newest commit; -1 without commits
  std::unique_ptr<Connection> connection{};

  [[nodiscard]] bool is_reachable() const { return connection != nullptr; }
};

// Queries all servers at once; the result is in the order of the address. Throws what
// addresses_of() throws. A server's own error goes into its entry.
[[nodiscard]] std::vector<ServerSeen> look_at_servers(const Address& address);

// Returns the index of the server that accepts writes. Throws Error{kUnavailable} if none or
// several do (the changes of all but one would be lost), {kCorrupt} and {kVersion} for a server of
// another database or format. For a single server, throws its connection error.
[[nodiscard]] std::size_t home_of(std::span<const ServerSeen> servers);

[[nodiscard]] bool is_in_recovery(Connection& connection);

}  // namespace chirp::postgres
