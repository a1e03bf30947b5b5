// The state of a data directory and the processes that use it, for `chirp status`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/time.h"
#include "store/format_file.h"

namespace chirp::store {

// A process of chirp that has the data open. What is not known is empty.
struct ProcessStatus {
  std::int64_t pid = 0;
  std::string host;     // that it runs on
  std::string address;  // where it listens, "127.0.0.1:8080"; empty for what is no server
  // For a database: its connections, since when it has one, and how long all of them have been
  // idle, by the database's clock.
  std::uint64_t connections = 0;
  std::optional<Time> since{};
  std::optional<std::int64_t> silent_ms{};
};

// A server of PostgreSQL that follows the one that was asked, as that one has it.
struct CopyStatus {
  std::string name;  // its application_name
  std::string address;
  std::string state;  // "streaming", "catchup", …; empty where the role may not see it
  std::optional<std::int64_t> bytes_behind{};
  // How late its last applied change was; empty also while there is nothing to apply.
  std::optional<std::int64_t> ms_behind{};
};

// A server that has some of the rows of a database that is spread over several.
struct WorkerStatus {
  std::string address;
  std::uint64_t buckets = 0;  // that lie there
  // Buckets that lack commits that were published, as where the server was put back to an older
  // state; empty where it does not answer.
  std::optional<std::uint64_t> lacking{};
  std::uint64_t reached = 0;  // the newest commit that it has
  std::string trouble;        // why it does not, or what is wrong with it
};

// Numbers that are kept for long readers.
struct PinStatus {
  std::uint64_t count = 0;
  std::uint64_t lowest = 0;     // 0 for none
  std::optional<Time> until{};  // for how long the lowest is kept, unless it is renewed
};

// Facts about a database only.
struct DatabaseStatus {
  std::string version;  // of the server
  std::string citus;    // its version; empty if there is none
  std::string layout;
  std::string role;
  bool is_copy = false;           // itself a copy of another server, and read only
  bool sees_all = false;          // the role may see what sessions and copies do
  std::uint64_t oldest_kept = 0;  // the lowest number of which something is kept
  std::uint64_t decided = 0;      // the newest commit that is final, published or not
  std::uint64_t connections = 0;  // to this database, everybody's
  std::uint64_t connections_most = 0;
  std::uint64_t writers_waiting = 0;
  PinStatus pins;
  std::vector<ProcessStatus> commands;  // processes that are no servers, but this one
};

// The disk reserve of a folder.
struct ReserveStatus {
  std::uint64_t bytes = 0;
  std::uint64_t free = 0;   // bytes of the file system, and of free pages of the engine's file
  bool is_reached = false;  // nothing is added, and the consumers pause
};

struct DirectoryStatus {
  std::uint32_t format = kFormatVersion;
  bool consumers_run = false;               // somebody has the right to run them
  std::optional<ProcessStatus> consumer{};  // who, where that is known
  std::vector<ProcessStatus> servers;
  std::vector<CopyStatus> copies;
  std::vector<WorkerStatus> workers;         // of a database that is spread over several servers
  std::optional<DatabaseStatus> database{};  // empty for a folder
  std::optional<ReserveStatus> reserve{};    // empty for a database, and where it is off
};

}  // namespace chirp::store
