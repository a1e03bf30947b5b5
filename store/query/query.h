// SQL over the state of a directory, to read: `SELECT …` over virtual tables (store/query/table.h).
//
// The connection is of its own and in memory; no statement ever reaches a file, and passwords and
// tokens are in no table. A query ends when its time is up, or when it has used up the memory it
// may have. One thread; one at a time in a process, since SQLite bounds the memory of all.
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
  std::uint64_t memory_mb = 512;  // of SQLite, the cache of users.db in it
};

enum class Kind : std::uint8_t { kNull, kInteger, kReal, kText, kBlob };

class Query {
 public:
  // `users` are of one state, which is not of after the snapshot. All must live as long as this.
  Query(const Snapshot& snapshot, const UserRows& users, const Clock& clock, const Bounds& bounds);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // Takes a statement, once. Throws Error{kInvalidArgument} for what is not one SELECT over the
  // tables there are, with what SQLite says and where.
  void ask(std::string_view sql);
  [[nodiscard]] std::vector<std::string> columns() const;

  // The next row; false at the end. Throws as ask(), and Error{kUnavailable} when the time or the
  // memory is used up.
  [[nodiscard]] bool next();
  [[nodiscard]] Kind kind(std::size_t column) const;
  [[nodiscard]] std::int64_t integer(std::size_t column) const;
  [[nodiscard]] double real(std::size_t column) const;
  // The bytes of a text or a blob, until the next row.
  [[nodiscard]] std::string_view bytes(std::size_t column) const;

  [[nodiscard]] const Deadline& deadline() const;
  // How many rows tables have given so far.
  [[nodiscard]] std::uint64_t rows_read() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace chirp::query
