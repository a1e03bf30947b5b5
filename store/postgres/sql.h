// The statements of a table, made of its description.
//
// Where buckets move by themselves (Citus), rows say theirs in a column `b`, and a statement asks
// for one of them. What it says of that stands in comments, which other layouts leave as they are:
//
//   select x.i, t.text from … join posts t on t.id = x.k0 /*and t.b = bucket*/ where …
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/columns.h"

namespace chirp::postgres {

// Which rows a snapshot of number v sees.
enum class Seen : std::uint8_t {
  kVersioned,  // those born by v and not died by then
  kLog,        // those between the two ends of the log that v's state says
};

struct TableText {
  std::string name;
  std::vector<Column> keys;
  std::vector<Column> columns;
  Seen seen = Seen::kVersioned;
};

// $1 is the snapshot's number; of the log $1 and $2 are its ends. Behind it come arrays.
struct TableSql {
  std::string create;
  std::string find;    // keys: which of them it is, from 1, and its columns
  std::string up;      // first keys, last keys, limits, then how many in all: which range it is,
  std::string down;    // keys and columns
  std::string count;   // rows
  std::string end;     // $1: the number of the commit; keys
  std::string insert;  // the same; keys and columns
  std::string sweep;   // $1: rows that died up to it go
};
[[nodiscard]] TableSql make_sql(const TableText& table);

// As it is where buckets are told apart: without the marks of its comments, and with the parameter
// behind its `params` ones in the place of `bucket`.
struct InBucket {
  std::string sql;
  bool names_bucket = false;
};
[[nodiscard]] InBucket in_bucket(std::string_view sql, std::size_t params);

}  // namespace chirp::postgres
