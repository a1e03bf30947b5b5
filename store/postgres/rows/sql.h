// SQL statements of a table, generated from its description.
//
// Where buckets can move (Citus), rows have their bucket in a column `b`, and each statement names
// one. Those parts of a statement are in comments, which other layouts leave as they are:
//
//   select x.i, t.text from … join posts t on t.id = x.k0 /*and t.b = bucket*/ where …
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/rows/columns.h"

namespace chirp::postgres {

// The rows that a snapshot of number v sees.
enum class Seen : std::uint8_t {
  kVersioned,  // born by v, and not yet dead
  kLog,        // between the two ends of the log in v's state
};

struct TableText {
  std::string name;
  std::vector<Column> keys;
  std::vector<Column> columns;
  Seen seen = Seen::kVersioned;
};

// $1 is the snapshot's number; for the log, $1 and $2 are its ends. Arrays follow.
struct TableSql {
  std::string create;
  std::string find;    // takes keys; returns the key's position, from 1, and its columns
  std::string up;      // takes first keys, last keys, limits and a total limit;
  std::string down;    // returns the range's position, keys and columns
  std::string count;   // number of rows
  std::string end;     // takes the commit's number and keys
  std::string insert;  // takes the commit's number, keys and columns
  std::string sweep;   // deletes rows that died up to $1
};
[[nodiscard]] TableSql make_sql(const TableText& table);

// A statement for layouts with a bucket column: the comment marks are removed, and `bucket` is
// replaced by the parameter after its `params` others.
struct InBucket {
  std::string sql;
  bool names_bucket = false;
};
[[nodiscard]] InBucket in_bucket(std::string_view sql, std::size_t params);

}  // namespace chirp::postgres
