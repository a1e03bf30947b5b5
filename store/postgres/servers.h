// The servers that an address names: which of them takes changes, and how far the others have come.
//
// One is home. The others are copies, which PostgreSQL's own streaming replication keeps. Which is
// which is asked of themselves, so a copy that was promoted is home, wherever it stands in the
// address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/postgres/connection.h"
#include "store/postgres/schema.h"

namespace chirp::postgres {

// The addresses of each of them; `address` itself where it names one. Throws what servers_in()
// throws (connecting.h).
[[nodiscard]] std::vector<Address> addresses_of(const Address& address);
// Of one of them, for messages; "its default host" for one that is not named.
[[nodiscard]] std::string name_of(const Address& address);

// What a server says of itself.
struct ServerSeen {
  std::string name;
  // Why it could not be asked, in a sentence, and that error; empty for one that answered.
  std::string problem{};
  std::optional<ErrorCode> code{};
  bool is_copy = false;                // replays what another has done
  std::optional<Identity> identity{};  // empty where chirp has made nothing
  std::int64_t newest = -1;            // the newest commit there; -1 where there is none
  std::unique_ptr<Connection> connection{};

  [[nodiscard]] bool is_reachable() const { return connection != nullptr; }
};

// Looks at all of them at once, in the order of the address. Throws what addresses_of() throws;
// what is wrong with one of them is said of that one.
[[nodiscard]] std::vector<ServerSeen> look_at_servers(const Address& address);

// The one that takes changes. Throws Error{kUnavailable} where none or several do, since the
// changes of one of several would be lost, {kCorrupt} and {kVersion} for a server of another
// database or format beside it. Of a server that alone is named it throws what connecting threw.
[[nodiscard]] std::size_t home_of(std::span<const ServerSeen> servers);

[[nodiscard]] bool is_in_recovery(Connection& connection);

}  // namespace chirp::postgres
