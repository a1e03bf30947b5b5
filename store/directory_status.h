// The state of a data directory and the processes that use it, for `chirp status`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/time.h"
#include "store/format_file.h"

namespace chirp::store {

// A process of chirp with the data open. Unknown fields are empty.
struct ProcessStatus {
  std::int64_t pid = 0;
  std::string host;     // the machine it runs on
  std::string address;  // where a server listens, "127.0.0.1:8080"; otherwise empty
  // For a database: its connections, the time of the first, and how long all have been idle, by the
  // database's clock.
  std::uint64_t connections = 0;
  std::optional<Time> since{};
  std::optional<std::int64_t> silent_ms{};
};

// A PostgreSQL server that replicates from the one we asked, as that one reports it.
struct CopyStatus {
  std::string name;  // its application_name
  std::string address;
  std::string state;  // "streaming", "catchup", …; empty if the role may not see it
  std::optional<std::int64_t> bytes_behind{};
  // The delay of its last applied change; also empty if there is nothing to apply.
  std::optional<std::int64_t> ms_behind{};
};

// A server with some of the rows of a distributed database.
struct WorkerStatus {
  std::string address;
  std::uint64_t buckets = 0;  // on this server
  // Buckets that lack published commits, for example after the server was restored to an older
  // state; empty if it does not answer.
  std::optional<std::uint64_t> lacking{};
  std::uint64_t reached = 0;  // the newest commit that it has
  std::string trouble;        // why it does not answer, or what is wrong with it
};

// Commit numbers that are kept for long readers.
struct PinStatus {
  std::uint64_t count = 0;
  std::uint64_t lowest = 0;     // 0 for none
  std::optional<Time> until{};  // when the lowest one expires, unless renewed
};

// Facts about a database only.
struct DatabaseStatus {
  std::string version;  // the server's
  std::string citus;    // its version; empty if not installed
  std::string layout;
  std::string role;
  bool is_copy = false;           // a read-only replica of another server
  bool sees_all = false;          // the role may see sessions and replicas
  std::uint64_t oldest_kept = 0;  // the lowest commit number with kept data
  std::uint64_t decided = 0;      // the newest final commit, published or not
  std::uint64_t connections = 0;  // to this database, by all clients
  std::uint64_t connections_most = 0;
  std::uint64_t writers_waiting = 0;
  PinStatus pins;
  std::vector<ProcessStatus> commands;  // chirp processes that are not servers, except this one
};

// The disk reserve of a folder.
struct ReserveStatus {
  std::uint64_t bytes = 0;
  std::uint64_t free = 0;   // bytes of the file system plus free pages of the engine's file
  bool is_reached = false;  // writes that add are refused, and the consumers pause
};

struct DirectoryStatus {
  std::uint32_t format = kFormatVersion;
  bool consumers_run = false;               // a process has the right to run them
  std::optional<ProcessStatus> consumer{};  // that process, if known
  std::vector<ProcessStatus> servers;
  std::vector<CopyStatus> copies;
  std::vector<WorkerStatus> workers;         // for a database distributed over several servers
  std::optional<DatabaseStatus> database{};  // empty for a folder
  std::optional<ReserveStatus> reserve{};    // empty for a database, or if switched off
};

}  // namespace chirp::store
