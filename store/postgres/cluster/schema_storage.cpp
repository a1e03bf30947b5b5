#include <fmt/format.h>

#include "store/postgres/cluster/schema.h"
#include "store/postgres/rows/edges.h"
#include "store/postgres/rows/keys.h"
#include "store/postgres/rows/pulled.h"
#include "store/postgres/rows/state.h"
#include "store/postgres/rows/timelines.h"

namespace chirp::postgres {
namespace {

// The tables at home, or those of the other servers.
std::string rows_schema(bool at_home) {
  std::string sql;
  for (const StoredTable& table : stored_tables()) {
    if (!table.side && table.is_at_home == at_home) sql += table.sql.create;
  }
  return sql;
}

// As the literal of a bytea.
std::string in_hex(const std::string& bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

std::string pins_schema() {
  return "create table if not exists pins (reader int8 primary key, n int8 not null,"
         " until timestamptz not null);";
}

}  // namespace

std::string home_schema() {
  const std::string commits = fmt::format(
      "create table if not exists commits (n int8 primary key, writer int8 not null,"
      " marks int8 not null, pending int8 not null, at timestamptz not null default now(),"
      " published boolean not null, state bytea not null, touched int8[], journal bytea);"
      " insert into commits (n, writer, marks, pending, published, state)"
      " select 0, 0, 0, 1, true, '\\x{}' where not exists (select 1 from commits);",
      in_hex(packed_state({})));
  return commits + rows_schema(true) + pulled_schema() + pins_schema();
}

std::string node_schema() {
  return rows_schema(false) + edges_schema() + timelines_schema() + keys_schema();
}

std::string applied_schema() {
  return "create table if not exists applied (n int8 not null/*, b int4 not null*/,"
         " constraint applied_once primary key (/*b, */n));"
         " create table if not exists node_floor (floor int8 not null,"
         " only_row bool not null default true check (only_row)/*, b int4 not null*/,"
         " primary key (/*b, */only_row));";
}

}  // namespace chirp::postgres
