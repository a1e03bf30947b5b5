// Read-only SQL on the state of a directory: `SELECT …` from virtual tables (store/query/table.h).
//
// It has its own in-memory connection: no statement reaches a file, and no table contains passwords
// or tokens. A query ends when its time or memory is used up. Not thread-safe; one at a time in a
// process, because SQLite's memory limit is global.
//
//   query::Query query(*snapshot, users, clock, {});
//   query.ask("SELECT username FROM users");
//   while (query.next()) print(query.text(0));
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/snapshot.h"
#include "core/ports/user_directory.h"
#include "store/query/deadline.h"

namespace chirp::query {

struct Bounds {
  std::uint64_t seconds = 30;
  std::uint64_t memory_mb = 512;  // SQLite's memory, including the cache of users.db
};

enum class ValueKind : std::uint8_t { kNull, kInteger, kReal, kText, kBlob };

class Query {
 public:
  // `users` see one state, not newer than the snapshot. All arguments must outlive this.
  Query(const Snapshot& snapshot, const UserRows& users, const Clock& clock, const Bounds& bounds);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // Compiles a statement; call it once. Throws Error{kInvalidArgument} for anything but one SELECT
  // over the tables, with SQLite's message and the position.
  void ask(std::string_view sql);
  [[nodiscard]] std::vector<std::string> columns() const;

  // Moves to the next row; false at the end. Throws as ask(), and Error{kUnavailable} when the time
  // or the memory is used up.
  [[nodiscard]] bool next();
  [[nodiscard]] ValueKind kind(std::size_t column) const;
  [[nodiscard]] std::int64_t integer(std::size_t column) const;
  [[nodiscard]] double real(std::size_t column) const;
  // The bytes of a text or blob, valid until the next row.
  [[nodiscard]] std::string_view bytes(std::size_t column) const;

  [[nodiscard]] const QueryDeadline& deadline() const;
  // Rows read from tables so far.
  [[nodiscard]] std::uint64_t rows_read() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace chirp::query
