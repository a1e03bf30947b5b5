#include "store/postgres/connection/session_check.h"

#include <cerrno>
#include <mutex>
#include <optional>
#include <poll.h>
#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/connection/errors.h"
#include "store/postgres/connection/libpq.h"

namespace chirp::postgres {
namespace {

constexpr int kVersionLeast = 150'000;

// A session is identified by its process and the start time of its server.
constexpr const char* kSession =
    "select pg_backend_pid() || ' ' || extract(epoch from pg_postmaster_start_time())";
constexpr const char* kBeginSession =
    "begin; select pg_backend_pid() || ' ' || extract(epoch from pg_postmaster_start_time())";

constexpr int kWaitMs = 3000;
// By chance, another client may take the session between two queries, but hardly five times.
constexpr int kTries = 5;

struct Clear {
  void operator()(PGresult* result) const { libpq().clear(result); }
};
using RawResult = std::unique_ptr<PGresult, Clear>;

// Empty if the statement failed.
std::string text_of(const PGresult* result) {
  if (libpq().result_status(result) != PGRES_TUPLES_OK || libpq().rows(result) != 1) return "";
  return libpq().value(result, 0, 0);
}

// Returns the answer to one statement; also empty once the connection is lost. Throws PostgresError
// if the server does not answer.
std::string answer_of(pg_conn& connection, const char* statement, const SessionPlace& place) {
  if (libpq().send_query(&connection, statement) != 1) return "";
  std::string text;
  for (;;) {
    while (libpq().is_busy(&connection) != 0) {
      short ready = 0;
      const std::string why =
          wait_for_socket(libpq().socket(&connection), POLLIN, ready, place.bounds);
      if (!why.empty()) {
        throw PostgresError(ErrorCode::kUnavailable,
                            fmt::format("There is no connecting to the database {}: {}.{}",
                                        place.shown, why, advice("", {})),
                            "", "");
      }
      if (libpq().consume_input(&connection) != 1) return "";
    }
    const RawResult result(libpq().get_result(&connection));
    if (!result) return text;
    text = text_of(result.get());
  }
}

std::string session_of(pg_conn& connection, const SessionPlace& place) {
  return answer_of(connection, kSession, place);
}

// Begins a transaction and returns its session; empty if the pooler has no session in time.
std::optional<std::string> begin_session(pg_conn& connection) {
  if (libpq().send_query(&connection, kBeginSession) != 1) return "";
  pollfd socket{libpq().socket(&connection), POLLIN, 0};
  int ready = ::poll(&socket, 1, kWaitMs);
  while (ready < 0 && errno == EINTR) ready = ::poll(&socket, 1, kWaitMs);
  if (ready == 0) return std::nullopt;
  std::string session;
  while (const RawResult result{libpq().get_result(&connection)}) session = text_of(result.get());
  return session;
}

[[noreturn]] void refuse(const std::string& shown) {
  throw Error(ErrorCode::kIo,
              fmt::format("A pooler is in front of the database {} that gives each transaction "
                          "another session, and chirp keeps statements and locks in its sessions. "
                          "Set its pool_mode to session, or name the server itself.",
                          shown));
}

[[noreturn]] void has_no_second(const std::string& shown) {
  throw Error(ErrorCode::kUnavailable,
              fmt::format("The pooler before the database {} has no second session for chirp, so "
                          "whether it pools by session is not known. Raise its default_pool_size, "
                          "or name the server itself.",
                          shown));
}

// Uses two connections, the second in a transaction. The pooler pools by transaction if the second
// gets the first one's session, or if the first has another session afterwards.
void try_pooler(pg_conn& first, pg_conn& second, const SessionPlace& place) {
  for (int tried = 0; tried < kTries; ++tried) {
    const std::string before = session_of(first, place);
    const std::optional<std::string> other = begin_session(second);
    if (!other) has_no_second(place.shown);
    if (before.empty() || other->empty() || *other == before) refuse(place.shown);
    if (session_of(first, place) != before) refuse(place.shown);
    (void)answer_of(second, "rollback", place);
  }
}

// A server tells each client the process of its session; a pooler's value is made up.
bool is_pooled(pg_conn& connection, const SessionPlace& place) {
  const std::string session = session_of(connection, place);
  // The caller's next statement reports the lost connection.
  if (libpq().status(&connection) != CONNECTION_OK) return false;
  return !session.starts_with(fmt::format("{} ", libpq().process(&connection)));
}

}  // namespace

void Finish::operator()(pg_conn* connection) const { libpq().finish(connection); }

void check_server_version(int version, const std::string& shown) {
  if (version >= kVersionLeast) return;
  const std::string name =
      version >= 100'000
          ? fmt::format("{}.{}", version / 10'000, version % 10'000)
          : fmt::format("{}.{}.{}", version / 10'000, version / 100 % 100, version % 100);
  throw Error(ErrorCode::kVersion,
              fmt::format("The database {} is on PostgreSQL {}, and chirp needs {} or later.",
                          shown, name, kVersionLeast / 10'000));
}

void check_session(pg_conn& connection, const SessionPlace& place,
                   const std::function<RawConnection()>& another) {
  static std::mutex mutex;
  static std::set<std::string> tried;
  if (!is_pooled(connection, place)) return;
  {
    const std::lock_guard guard(mutex);
    if (tried.contains(place.name)) return;
  }
  const RawConnection second = another();
  if (libpq().status(second.get()) != CONNECTION_OK) has_no_second(place.shown);
  try_pooler(connection, *second, place);
  const std::lock_guard guard(mutex);
  tried.insert(place.name);
}

}  // namespace chirp::postgres
