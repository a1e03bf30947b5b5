// Goal: rows that are asked for by their keys are found by an index, whatever the planner knows.
// Method: what it says of the statements of each table, in a database that was never analyzed.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/row_reader.h"
#include "core/rules/writing.h"
#include "store/postgres/rows/questions.h"
#include "store/postgres/storage.h"
#include "tests/support/fake_clock.h"
#include "tests/support/pattern.h"
#include "tests/support/postgres_server.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using postgres::Connection;

std::string plan_of(Connection& connection, const std::string& sql) {
  int parameters = 0;
  const Pattern parameter("\\$([0-9]+)");
  for (const Match& match : parameter.all_in(sql)) {
    parameters = std::max(parameters, std::stoi(match[1]));
  }
  std::string nulls;
  for (int i = 0; i < parameters; ++i) nulls += i == 0 ? "null" : ", null";
  connection.script("prepare asked as " + sql);
  const auto lines = connection.run(fmt::format("explain execute asked ({})", nulls));
  connection.script("deallocate asked");
  std::string plan;
  for (int row = 0; row < lines.rows(); ++row) plan += lines.text(row, 0) + "\n";
  return plan;
}

void check_is_by_index(const std::string& plan, const std::string& condition) {
  CAPTURE(plan);
  for (const std::string_view whole : {"Seq Scan", "Bitmap", "Materialize", "Join Filter"}) {
    CHECK(plan.find(whole) == std::string::npos);
  }
  CHECK(Pattern("Index Cond: .*" + condition).is_in(plan));
}

void check_plans(Connection& connection) {
  for (const auto& table : postgres::stored_tables()) {
    if (table.side) continue;
    CAPTURE(table.text.name);
    for (const auto& key : table.text.keys) {
      const std::string is_it = "\\b" + key.name + " = x\\.k";
      check_is_by_index(plan_of(connection, table.sql.find), is_it);
      if (!table.sql.end.empty()) check_is_by_index(plan_of(connection, table.sql.end), is_it);
    }
    check_is_by_index(plan_of(connection, table.sql.up), ">= .*<= ");
    check_is_by_index(plan_of(connection, table.sql.down), ">= .*<= ");
  }
}

}  // namespace

TEST_CASE("postgres: rows are found by the index of their keys, in tables nobody has analyzed") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connection connection(postgres::storage_address(database.url()));
  check_plans(connection);
  const auto storage = postgres::open_storage(database.url());
  const FakeClock clock{kStart};
  std::vector<Change> changes;
  for (std::uint32_t number = 1; number <= 60; ++number)
    changes.emplace_back(PutCard{card(number)});
  for (std::uint32_t i = 0; i < 600; ++i)
    changes.emplace_back(Publish{UserNumber{i % 60 + 1}, "text"});
  storage->write(changes, clock.now());
  check_plans(connection);
}

}  // namespace chirp::test
