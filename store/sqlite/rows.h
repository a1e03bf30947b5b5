// Binds the values of a statement and reads its result.
#pragma once

#include <span>

#include "store/users/sql.h"

struct sqlite3_stmt;

namespace chirp::sqlite {

class Connection;

// One run of a prepared statement, from binding to reset. Parameters are `?1`, `$1::int8` or, in
// order, `?`.
class Rows final : public users::SqlRows {
 public:
  Rows(Connection& connection, sqlite3_stmt* statement, std::span<const users::SqlValue> values);
  ~Rows() override;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  bool next() override;
  // Runs to the end. Returns false, with nothing changed, if a unique value is already taken.
  [[nodiscard]] bool run_unless_taken();

  [[nodiscard]] bool is_null(int column) const override;
  [[nodiscard]] std::int64_t integer(int column) const override;
  [[nodiscard]] std::string text(int column) const override;

 private:
  [[nodiscard]] int bind(int index, const users::SqlValue& value);
  void check_type(int column, int type) const;

  Connection& connection_;
  sqlite3_stmt* statement_;
};

}  // namespace chirp::sqlite
