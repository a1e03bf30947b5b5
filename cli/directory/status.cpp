// `chirp status`: the state of a data directory, and the processes that use it.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/directory/pending.h"
#include "cli/table.h"
#include "core/model/byte_count.h"

namespace chirp::cli {
namespace {

using store::CopyStatus;
using store::DatabaseStatus;
using store::DirectoryStatus;
using store::ProcessStatus;
using store::WorkerStatus;

struct DirectoryState {
  DirectoryStatus status;
  std::vector<std::string> warnings;
  StoreState state;
  store::StoreBytes bytes;
  store::EngineUse use;
};

DirectoryState look(Context& context) {
  store::DataDirectory& directory = context.directory();
  const StoreState state = directory.storage().snapshot()->state();
  std::vector<std::string> warnings = directory.losses();
  for (std::string& remark : directory.remarks()) warnings.push_back(std::move(remark));
  return {directory.status(), std::move(warnings), state, directory.bytes(),
          directory.engine_use()};
}

bool is_paused(const DirectoryState& standing) {
  return standing.status.reserve && standing.status.reserve->is_reached;
}

// ---- as JSON

void write_count(api::JsonWriter& json, const char* name, std::optional<std::int64_t> count) {
  json.key(name);
  count ? json.integer(*count) : json.null();
}

void write_time(api::JsonWriter& json, const char* name, std::optional<Time> time) {
  json.key(name);
  time ? json.time(*time) : json.null();
}

void write_process(api::JsonWriter& json, const ProcessStatus& process, bool on_database) {
  json.begin_object();
  if (!process.address.empty()) json.field("address", process.address);
  json.field("pid", process.pid);
  if (on_database) {
    json.field("host", process.host).field("connections", process.connections);
    write_time(json, "since", process.since);
    write_count(json, "silentMillis", process.silent_ms);
  }
  json.end_object();
}

void write_processes(api::JsonWriter& json, const char* name,
                     const std::vector<ProcessStatus>& processes, bool on_database) {
  json.key(name).begin_array();
  for (const ProcessStatus& process : processes) write_process(json, process, on_database);
  json.end_array();
}

void write_consumers(api::JsonWriter& json, const DirectoryState& standing) {
  const std::optional<ProcessStatus>& owner = standing.status.consumer;
  json.key("consumers").begin_object();
  json.field("running", standing.status.consumers_run);
  json.field("paused", is_paused(standing));
  if (owner) {
    json.key("owner").begin_object();
    if (!owner->address.empty()) json.field("address", owner->address);
    json.field("pid", owner->pid).field("host", owner->host).end_object();
  }
  json.key("pending").begin_object();
  for (const auto& [name, n] : pending_in(standing.state)) json.field(name, n);
  json.end_object().end_object();
}

void write_copies(api::JsonWriter& json, const std::vector<CopyStatus>& copies) {
  json.key("copies").begin_array();
  for (const CopyStatus& copy : copies) {
    json.begin_object().field("name", copy.name).field("address", copy.address);
    json.key("state");
    copy.state.empty() ? json.null() : json.string(copy.state);
    write_count(json, "bytesBehind", copy.bytes_behind);
    write_count(json, "millisBehind", copy.ms_behind);
    json.end_object();
  }
  json.end_array();
}

void write_workers(api::JsonWriter& json, const std::vector<WorkerStatus>& workers) {
  json.key("workers").begin_array();
  for (const WorkerStatus& worker : workers) {
    json.begin_object().field("address", worker.address).field("buckets", worker.buckets);
    json.key("lacking");
    worker.lacking ? json.integer(static_cast<std::int64_t>(*worker.lacking)) : json.null();
    if (!worker.trouble.empty()) json.field("trouble", worker.trouble);
    json.end_object();
  }
  json.end_array();
}

void write_database(api::JsonWriter& json, const DatabaseStatus& database) {
  write_processes(json, "commands", database.commands, true);
  json.key("pins").begin_object().field("count", database.pins.count);
  if (database.pins.count != 0) json.field("lowest", database.pins.lowest);
  if (database.pins.until) json.field("until", *database.pins.until);
  json.end_object();
  json.field("decided", database.decided);
  json.key("postgresql").begin_object();
  json.field("version", database.version).field("role", database.role);
  if (!database.citus.empty()) json.field("citus", database.citus);
  json.field("seesAll", database.sees_all).field("isCopy", database.is_copy);
  json.field("connections", database.connections)
      .field("connectionsMost", database.connections_most);
  json.field("writersWaiting", database.writers_waiting).end_object();
}

void write_reserve(api::JsonWriter& json, const std::optional<store::ReserveStatus>& reserve) {
  json.key("diskReserve");
  if (!reserve) return void(json.null());
  json.begin_object().field("bytes", reserve->bytes).field("bytesFree", reserve->free);
  json.field("reached", reserve->is_reached).end_object();
}

void print_json(Output& out, const store::DataDirectory& directory,
                const DirectoryState& standing) {
  const DirectoryStatus& status = standing.status;
  api::JsonWriter json;
  json.begin_object().field("data", directory.place().text());
  json.field("kind", status.database ? "database" : "folder").field("format", status.format);
  if (status.database) json.field("layout", status.database->layout);
  json.field("uuid", directory.uuid()).field("machine", directory.machine());
  json.field("number", standing.state.version);
  if (status.database) json.field("oldestKept", status.database->oldest_kept);
  json.key("bytes").begin_object().field("users", standing.bytes.users);
  json.field("engine", standing.bytes.engine).field("media", standing.bytes.media).end_object();
  write_consumers(json, standing);
  write_processes(json, "servers", status.servers, status.database.has_value());
  write_copies(json, status.copies);
  if (status.database) {
    if (status.database->layout != "one") write_workers(json, status.workers);
    write_database(json, *status.database);
    json.field("unsafe", directory.place().options().may_lose);
    json.key("warnings").begin_array();
    for (const std::string& warning : standing.warnings) json.string(warning);
    json.end_array();
  } else {
    json.key("map").begin_object().field("bytes", standing.use.map_bytes);
    json.field("bytesUsed", standing.use.map_bytes_used).end_object();
    json.key("readers").begin_object().field("most", standing.use.readers);
    json.field("used", standing.use.readers_used);
    if (const auto& oldest = standing.use.oldest) {
      json.key("oldest").begin_object().field("pid", oldest->pid);
      json.field("command", oldest->command).field("transaction", oldest->transaction);
      json.field("commitsAgo", oldest->commits_ago).field("bytesHeld", oldest->bytes_held);
      json.end_object();
    }
    json.end_object();
    write_reserve(json, status.reserve);
  }
  json.end_object();
  out.document(json);
}

// ---- for people

using StatusRows = std::vector<std::pair<std::string, std::string>>;

std::string length_of(std::int64_t ms) {
  if (ms < 0) ms = 0;
  if (ms < kMinuteMs) return fmt::format("{}.{} s", ms / kSecondMs, ms % kSecondMs / 100);
  return ms < kHourMs ? fmt::format("{} min", ms / kMinuteMs) : fmt::format("{} h", ms / kHourMs);
}

std::string named(const ProcessStatus& process) {
  std::string text = process.pid == 0 ? "another process" : fmt::format("pid {}", process.pid);
  if (!process.host.empty()) text += fmt::format(" at {}", process.host);
  return process.address.empty() ? text : fmt::format("http://{}, {}", process.address, text);
}

std::string told(const ProcessStatus& process) {
  std::string text = named(process);
  if (process.connections == 0) return text;
  text += ", " + counted(process.connections, "connection", "connections");
  if (process.since) text += " since " + iso8601(*process.since);
  if (process.silent_ms) text += fmt::format(", last asked {} ago", length_of(*process.silent_ms));
  return text;
}

std::string told(const CopyStatus& copy) {
  std::string text = copy.name;
  if (!copy.address.empty()) text += " at " + copy.address;
  if (copy.state.empty()) return text + ": this role may not see its progress";
  text += ": " + copy.state;
  if (copy.bytes_behind) {
    const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(*copy.bytes_behind, 0));
    text += fmt::format(", {} behind", counted(bytes, "byte", "bytes"));
  }
  if (copy.ms_behind) text += fmt::format(", {} late", length_of(*copy.ms_behind));
  return text;
}

std::string told(const WorkerStatus& worker) {
  const std::string text =
      fmt::format("{}: {}", worker.address, counted(worker.buckets, "bucket", "buckets"));
  if (!worker.lacking) return fmt::format("{}; it does not answer: {}", text, worker.trouble);
  if (*worker.lacking == 0 && !worker.trouble.empty()) return text + "; " + worker.trouble;
  if (*worker.lacking == 0) return text + ", with everything that was committed";
  return fmt::format(
      "{}, {} of which lack committed changes: the server was restored to an older state, or Citus "
      "lost them while it moved a shard",
      text, *worker.lacking);
}

std::string reserve_in(const std::optional<store::ReserveStatus>& reserve) {
  if (!reserve) return "none";
  return fmt::format("{}, {}: {} free", byte_count(reserve->bytes),
                     reserve->is_reached ? "reached, nothing is added" : "not reached",
                     byte_count(reserve->free));
}

std::string consumers_in(const DirectoryStatus& status) {
  if (status.reserve && status.reserve->is_reached) return "paused: disk reserve";
  if (!status.consumers_run) return "no process is running them";
  return status.consumer ? "run by " + named(*status.consumer) : "run by another process";
}

void add_database(StatusRows& facts, const DatabaseStatus& database) {
  for (const ProcessStatus& command : database.commands) {
    facts.emplace_back("command", told(command));
  }
  facts.emplace_back("writers waiting", std::to_string(database.writers_waiting));
  facts.emplace_back("pins", std::to_string(database.pins.count));
  if (database.pins.count != 0) {
    facts.emplace_back("lowest pin", std::to_string(database.pins.lowest));
    if (database.pins.until) facts.emplace_back("kept until", iso8601(*database.pins.until));
  }
  facts.emplace_back("connections",
                     fmt::format("{} of {}", database.connections, database.connections_most));
}

StatusRows facts_of(const store::DataDirectory& directory, const DirectoryState& standing) {
  const DirectoryStatus& status = standing.status;
  const auto& database = status.database;
  StatusRows facts{{database ? "database" : "folder", safe(directory.place().text())}};
  if (database) {
    facts.emplace_back("PostgreSQL", database->version);
    if (!database->citus.empty()) facts.emplace_back("Citus", safe(database->citus));
    if (directory.place().options().may_lose) {
      facts.emplace_back("durability", "a crash may lose changes, as --unsafe-database allows");
    }
    if (database->is_copy) facts.emplace_back("a copy", "yes, read only");
    facts.emplace_back("layout", database->layout);
  }
  facts.emplace_back("format", std::to_string(status.format));
  facts.emplace_back("uuid", directory.uuid());
  facts.emplace_back("machine", std::to_string(directory.machine()));
  facts.emplace_back("number", std::to_string(standing.state.version));
  if (database && database->layout != "one") {
    facts.emplace_back("decided", std::to_string(database->decided));
  }
  if (database) facts.emplace_back("oldest kept", std::to_string(database->oldest_kept));
  facts.emplace_back("bytes of users", std::to_string(standing.bytes.users));
  facts.emplace_back("bytes of engine", std::to_string(standing.bytes.engine));
  facts.emplace_back("bytes of media", std::to_string(standing.bytes.media));
  facts.emplace_back("consumers", consumers_in(status));
  for (const auto& [name, n] : pending_in(standing.state)) {
    facts.emplace_back("pending for " + name, std::to_string(n));
  }
  if (status.servers.empty()) facts.emplace_back("servers", "none");
  for (const ProcessStatus& server : status.servers) facts.emplace_back("server", told(server));
  for (const CopyStatus& copy : status.copies) facts.emplace_back("copy", safe(told(copy)));
  for (const WorkerStatus& worker : status.workers) {
    facts.emplace_back("worker", safe(told(worker)));
  }
  if (database) {
    if (status.copies.empty()) facts.emplace_back("copies", "none");
    add_database(facts, *database);
  } else {
    facts.emplace_back(
        "map", fmt::format("{} of {} bytes", standing.use.map_bytes_used, standing.use.map_bytes));
    facts.emplace_back("readers",
                       fmt::format("{} of {}", standing.use.readers_used, standing.use.readers));
    if (const auto& oldest = standing.use.oldest) {
      facts.emplace_back("oldest reader",
                         fmt::format("pid {} ({}), of transaction {}, {}, holds {}", oldest->pid,
                                     safe(oldest->command), oldest->transaction,
                                     counted(oldest->commits_ago, "commit ago", "commits ago"),
                                     counted(oldest->bytes_held, "byte", "bytes")));
    }
    facts.emplace_back("disk reserve", reserve_in(status.reserve));
  }
  return facts;
}

// Whether details are missing because the database role may not see them.
bool hides(const DirectoryStatus& status) {
  if (!status.database || status.database->sees_all) return false;
  const auto is_hidden = [](const ProcessStatus& process) { return !process.since; };
  return std::ranges::any_of(status.servers, is_hidden) ||
         std::ranges::any_of(status.database->commands, is_hidden) ||
         std::ranges::any_of(status.copies,
                             [](const CopyStatus& copy) { return copy.state.empty(); });
}

void run_status(Context& context, const NoOptions& /*options*/) {
  const DirectoryState standing = look(context);
  Output& out = context.out();
  if (out.json()) {
    print_json(out, context.directory(), standing);
    return;
  }
  print_facts(out, facts_of(context.directory(), standing));
  for (const std::string& warning : standing.warnings) out.warn(safe(warning));
  if (hides(standing.status)) {
    out.note(
        fmt::format("The role {0} may not see the activity of other roles. `grant "
                    "pg_read_all_stats to {0}` allows it.",
                    safe(standing.status.database->role)));
  }
}

}  // namespace

void add_status(CommandLine& app) {
  app.verb<NoOptions>(app.root(),
                      {"status",
                       "Show the state of the data and the processes that use it: numbers, sizes, "
                       "pending events, servers, copies.",
                       "chirp status\n"
                       "chirp status --json\n"
                       "chirp --data postgresql:///chirp status"},
                      run_status)
      .verb.page();
}

}  // namespace chirp::cli
