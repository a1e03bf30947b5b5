// Opens connections: parses addresses, and explains why a connection failed.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct pg_conn;

namespace chirp::postgres {

struct Address;
struct Role;
struct Server;

// Throws Error{kInvalidArgument} if this is not a PostgreSQL URL, or contains a password, which
// every list of processes would show.
void check_url(const std::string& url);

// Returns the servers that a URL names, in its order: one, or several hosts separated by commas.
// Throws what check_url throws, and Error{kInvalidArgument} for hosts that are not distinct or do
// not match their ports.
[[nodiscard]] std::vector<Server> servers_in(const std::string& url);

// Returns a connection, which the caller must finish, and the database's name for messages ("chirp
// at db.example.org"). Throws what check_url throws, and PostgresError: kUnavailable for an
// unreachable server, kIo for a missing database, kNotLetIn for a refused role or password. Also
// throws if check_session() refuses the server (session_check.h).
[[nodiscard]] std::pair<pg_conn*, std::string> connect(const Address& address);

// Returns the role of a connection, whether established or refused.
[[nodiscard]] Role role_of(const pg_conn& connection);

// Whether others on the network can read the traffic to a server at this address (as PQhostaddr
// returns it). False for sockets, loopback addresses and encrypted connections.
[[nodiscard]] bool is_in_the_clear(std::string_view address, bool is_encrypted);

}  // namespace chirp::postgres
