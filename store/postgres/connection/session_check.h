// Checks that chirp can work with the server at an address: it has a supported version and gives
// each connection a session of its own.
//
// Prepared statements, settings and session locks are lost if a pooler such as pgbouncer gives each
// transaction another session. A pooler that keeps one session per connected client does no harm.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "store/postgres/connection/patience.h"

struct pg_conn;

namespace chirp::postgres {

struct Finish {
  void operator()(pg_conn* connection) const;
};
using RawConnection = std::unique_ptr<pg_conn, Finish>;

// `version` is as libpq has it: 150004 for 15.4. Throws Error{kVersion} below 15.
void check_server_version(int version, const std::string& shown);

// A session: `name` tells it apart, `shown` is for messages, and `bounds` limit the wait for it.
struct SessionPlace {
  std::string name;
  std::string shown;
  WaitBounds bounds{};
};

// Finds out who answers on a new connection; one round trip. If a pooler answers, `another` makes a
// second connection to test it, once per process and place. Throws Error{kIo} for a pooler that
// pools by transaction or statement, and {kUnavailable} for one that has no session left for the
// test.
void check_session(pg_conn& connection, const SessionPlace& place,
                   const std::function<RawConnection()>& another);

}  // namespace chirp::postgres
