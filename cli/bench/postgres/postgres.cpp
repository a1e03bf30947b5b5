// Figures of a store on PostgreSQL, each compared with plain SQL on the same server.
#include <array>
#include <string>

#include <fmt/format.h>

#include "cli/bench/postgres/scene.h"
#include "cli/bench/postgres/scratch.h"
#include "cli/bench/runs.h"
#include "core/error.h"
#include "server/json/json_writer.h"

namespace chirp::cli::bench {
namespace {

// Prints the server's settings that affect writes.
void print_server(Output& out, postgres::Connection& connection) {
  constexpr std::array kSettings{"server_version",   "fsync",     "synchronous_commit",
                                 "full_page_writes", "wal_level", "shared_buffers",
                                 "max_wal_size"};
  api::JsonWriter json;
  json.begin_object().field("name", "server");
  std::string said;
  for (const char* const setting : kSettings) {
    const std::string value =
        connection.run("select current_setting($1::text)", postgres::Params().text(setting))
            .text(0, 0);
    json.field(setting, value);
    said += fmt::format("{}{} {}", said.empty() ? "" : ", ", setting, value);
  }
  json.field("worldMade", "unsafe: synchronous_commit = off");
  json.end_object();
  if (out.json()) {
    out.document(json);
  } else {
    out.print(said + ", world made unsafely (synchronous_commit = off)\n");
  }
  out.flush();
}

}  // namespace

void run_postgres(Context& context, const BenchRequest& request) {
  if (!request.directory || !request.directory->is_database()) {
    throw Error(ErrorCode::kInvalidArgument,
                "Name a server to measure on: --data postgresql://HOST/DATABASE. The benchmark "
                "makes a database beside that one and drops it at the end.",
                "data");
  }
  const std::size_t databases = 1 + request.nodes;
  with_scratch_databases(request.directory->url(), databases, [&](auto urls) {
    PostgresScene scene(context, request, {urls.begin(), urls.end()});
    print_server(context.out(), scene.connection());
    run_postgres_bytes(scene);
    run_postgres_pages(scene);
    run_postgres_deliveries(scene);
    run_postgres_trips(scene);
    run_postgres_writes(scene);
    run_postgres_follows(scene);
  });
}

}  // namespace chirp::cli::bench
