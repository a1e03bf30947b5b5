#include "cli/bench/postgres/scratch.h"

#include <chrono>
#include <exception>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/bench/stop_pipe.h"
#include "cli/isolated.h"
#include "core/error.h"
#include "store/postgres/connection.h"

namespace chirp::cli::bench {
namespace {

constexpr std::string_view kNoRight = "42501";

// Nobody else's: of this process, and of this moment.
std::string fresh_name() {
  return fmt::format("chirp_bench_{}_{}", ::getpid(),
                     std::chrono::system_clock::now().time_since_epoch().count());
}

void make(postgres::Connection& connection, const std::string& name) {
  try {
    connection.script(
        fmt::format("create database {} template template0 encoding 'UTF8' locale 'C'", name));
  } catch (const postgres::PostgresError& error) {
    if (error.sqlstate() != kNoRight) throw;
    throw Error(ErrorCode::kForbidden,
                "The benchmark makes a database of its own on that server and drops it again, "
                "which this role may not do. Let it (`alter role NAME createdb`), or name another "
                "role in the address.");
  }
}

void drop(const std::string& url, const std::string& name) {
  const std::string sql = fmt::format("drop database if exists {} with (force)", name);
  try {
    postgres::Connection({url}).script(sql);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{} What the benchmark has made is still there: `drop "
                                          "database {}`.",
                                          error.what(), name));
  }
}

// Makes the database, and drops it once `stop` says so or who would say so is gone. A session of
// its own keeps it from what is typed at the terminal.
void keep(const std::string& url, const std::string& name, StopPipe& stop, const Send& send) {
  ::setsid();
  {
    postgres::Connection connection({url});
    make(connection, name);
  }
  try {
    // Who sends to a parent that is gone ends there.
    if (!stop.is_closed()) {
      send("made");
      stop.wait();
    }
  } catch (...) {
    drop(url, name);
    throw;
  }
  drop(url, name);
}

}  // namespace

std::string with_option(std::string url, std::string_view option, std::string_view value) {
  const char separator = url.find('?') == std::string::npos ? '?' : '&';
  return fmt::format("{}{}{}={}", std::move(url), separator, option, value);
}

std::string unsynced(std::string url) {
  return with_option(std::move(url), "options", "-c%20synchronous_commit%3Doff");
}

void with_scratch_database(const std::string& url,
                           const std::function<void(const std::string&)>& use) {
  const std::string name = fresh_name();
  StopPipe stop;
  std::exception_ptr failed;
  const auto ended =
      run_isolated([&](const Send& send) { keep(url, name, stop, send); },
                   [&](const std::string& /*made*/) {
                     try {
                       use(with_option(url, "dbname", name));
                     } catch (...) {
                       failed = std::current_exception();  // thrown on once the database is gone
                     }
                     stop.close();
                   });
  if (failed) std::rethrow_exception(failed);
  if (!ended.complete) {
    throw Error(ErrorCode::kInternal,
                fmt::format("The process that drops what the benchmark has made came to no good "
                            "end. See whether the database {} is still there, and drop it.",
                            name));
  }
}

}  // namespace chirp::cli::bench
