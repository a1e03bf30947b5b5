// Whether what answers at an address is a server that chirp can work with: of a version that has
// what it uses, and with a session of its own for each connection.
//
// Statements that are prepared, settings and the locks of sessions are lost where a pooler such as
// pgbouncer gives each transaction another session. One that keeps a session for a client as long
// as it is connected is as good as none.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "store/postgres/patience.h"

struct pg_conn;

namespace chirp::postgres {

struct Finish {
  void operator()(pg_conn* connection) const;
};
using RawConnection = std::unique_ptr<pg_conn, Finish>;

// `version` is as libpq has it: 150004 for 15.4. Throws Error{kVersion} below 15.
void check_server_version(int version, const std::string& shown);

// Where a session is: told from others by `name`, shown in messages, and how long it is waited for.
struct SessionPlace {
  std::string name;
  std::string shown;
  WaitBounds bounds{};
};

// Asks a connection that was just made who answers it; one round trip. If that is a pooler,
// `another` makes a second connection by which it is tried, once in a process for each place.
// Throws Error{kIo} for one that pools by the transaction or statement, and {kUnavailable} for one
// that has no session left to be tried by.
void check_session(pg_conn& connection, const SessionPlace& place,
                   const std::function<RawConnection()>& another);

}  // namespace chirp::postgres
