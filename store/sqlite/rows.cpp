#include "store/sqlite/rows.h"

#include <cstddef>
#include <new>
#include <variant>

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/error.h"
#include "store/sqlite/connection.h"
#include "store/sqlite/errors.h"

namespace chirp::sqlite {

namespace {

// The number of a parameter, from 1: `?` has no name.
std::size_t number_of(const char* name, int index) {
  if (name == nullptr) return static_cast<std::size_t>(index);
  std::size_t number = 0;
  for (const char* digit = name + 1; *digit >= '0' && *digit <= '9'; ++digit) {
    number = number * 10 + static_cast<std::size_t>(*digit - '0');
  }
  return number;
}

}  // namespace

Rows::Rows(Connection& connection, sqlite3_stmt* statement, std::span<const users::SqlValue> values)
    : connection_(connection), statement_(statement) {
  const int count = sqlite3_bind_parameter_count(statement);
  for (int index = 1; index <= count; ++index) {
    const std::size_t number = number_of(sqlite3_bind_parameter_name(statement, index), index);
    check(number >= 1 && number <= values.size(), "each parameter of a statement has a value");
    const int code = bind(index, values[number - 1]);
    if (code != SQLITE_OK) connection.fail(code);
  }
}

Rows::~Rows() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

bool Rows::next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) connection_.fail(code);
  return false;
}

bool Rows::run_unless_taken() {
  for (;;) {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_DONE) return true;
    if (code == SQLITE_CONSTRAINT_UNIQUE || code == SQLITE_CONSTRAINT_PRIMARYKEY) return false;
    if (code != SQLITE_ROW) connection_.fail(code);
  }
}

void Rows::check_type(int column, int type) const {
  if (sqlite3_column_type(statement_, column) == type) return;
  throw corrupt(fmt::format("the column {} of a row has another type than it should",
                            sqlite3_column_name(statement_, column)),
                connection_.file());
}

bool Rows::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Rows::integer(int column) const {
  check_type(column, SQLITE_INTEGER);
  return sqlite3_column_int64(statement_, column);
}

std::string Rows::text(int column) const {
  check_type(column, SQLITE_TEXT);
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (text == nullptr) throw std::bad_alloc();
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

int Rows::bind(int index, const users::SqlValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value.get())) {
    return sqlite3_bind_int64(statement_, index, *number);
  }
  const auto* text = std::get_if<std::string_view>(&value.get());
  if (text == nullptr) return sqlite3_bind_null(statement_, index);
  // An empty view may have a null pointer, which SQLite would store as NULL.
  return sqlite3_bind_text64(statement_, index, text->data() == nullptr ? "" : text->data(),
                             text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

}  // namespace chirp::sqlite
