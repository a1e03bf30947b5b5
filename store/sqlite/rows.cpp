#include "store/sqlite/rows.h"

#include <new>

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/error.h"
#include "store/sqlite/connection.h"
#include "store/sqlite/errors.h"

namespace chirp::sqlite {

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

std::optional<std::string> Rows::optional_text(int column) const {
  if (is_null(column)) return std::nullopt;
  return text(column);
}

void Rows::bind(int index, std::int64_t value) {
  const int code = sqlite3_bind_int64(statement_, index, value);
  if (code != SQLITE_OK) connection_.fail(code);
}

void Rows::bind(int index, std::string_view value) {
  // An empty view may have a null pointer, which SQLite would store as NULL.
  const char* const text = value.data() == nullptr ? "" : value.data();
  const int code =
      sqlite3_bind_text64(statement_, index, text, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) connection_.fail(code);
}

void Rows::bind(int index, std::nullopt_t) {
  const int code = sqlite3_bind_null(statement_, index);
  if (code != SQLITE_OK) connection_.fail(code);
}

void Rows::check_fits(bool fits) { check(fits, "a number for SQLite has at most 63 bits"); }

}  // namespace chirp::sqlite
