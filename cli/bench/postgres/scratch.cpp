#include "cli/bench/postgres/scratch.h"

#include <chrono>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/processes.h"
#include "core/error.h"
#include "store/postgres/connection/connection.h"

namespace chirp::cli::bench {
namespace {

constexpr std::string_view kNoRight = "42501";

// Unique by this process's id and the time.
std::vector<std::string> fresh_names(std::size_t count) {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(fmt::format("chirp_bench_{}_{}_{}", ::getpid(), now, i));
  }
  return names;
}

void make(postgres::Connection& connection, const std::string& name) {
  try {
    connection.script(
        fmt::format("create database {} template template0 encoding 'UTF8' locale 'C'", name));
  } catch (const postgres::PostgresError& error) {
    if (error.sqlstate() != kNoRight) throw;
    throw Error(
        ErrorCode::kForbidden,
        "The benchmark makes its own database on that server, and this role may not create "
        "databases. Allow it (`alter role NAME createdb`), or name another role in the address.");
  }
}

void drop(const std::string& url, const std::string& name) {
  const std::string sql = fmt::format("drop database if exists {} with (force)", name);
  try {
    postgres::Connection({url}).script(sql);
  } catch (const Error& error) {
    throw Error(
        error.code(),
        fmt::format("{} The benchmark's database still exists. Remove it with `drop database {}`.",
                    error.what(), name));
  }
}

void drop_all(const std::string& url, std::span<const std::string> names) {
  for (const std::string& name : names) drop(url, name);
}

// Makes the databases, and drops them when `stop` is closed, also by the end of its writer. A
// session of its own protects it from signals of the terminal.
void keep(const std::string& url, std::span<const std::string> names, StopPipe& stop,
          const Send& send) {
  ::setsid();
  std::vector<std::string> made;
  try {
    {
      postgres::Connection connection({url});
      for (const std::string& name : names) {
        make(connection, name);
        made.push_back(name);
      }
    }
    // Writing to a parent that has ended would end this process.
    if (!stop.is_closed()) {
      send("made");
      stop.wait();
    }
  } catch (...) {
    drop_all(url, made);
    throw;
  }
  drop_all(url, made);
}

}  // namespace

std::string with_option(std::string url, std::string_view option, std::string_view value) {
  const char separator = url.find('?') == std::string::npos ? '?' : '&';
  return fmt::format("{}{}{}={}", std::move(url), separator, option, value);
}

std::string unsynced(std::string url) {
  return with_option(std::move(url), "options", "-c%20synchronous_commit%3Doff");
}

void with_scratch_databases(const std::string& url, std::size_t count,
                            const std::function<void(std::span<const std::string>)>& use) {
  const std::vector<std::string> names = fresh_names(count);
  std::vector<std::string> urls;
  for (const std::string& name : names) urls.push_back(with_option(url, "dbname", name));
  run_until_done([&](StopPipe& stop, const Send& send) { keep(url, names, stop, send); },
                 [&](const std::string& /*made*/) {
                   use(urls);
                   return Receiving::kIsDone;
                 },
                 fmt::format("The process that drops the benchmark's databases failed. Look for "
                             "databases like {}, and drop them.",
                             names.front()));
}

}  // namespace chirp::cli::bench
