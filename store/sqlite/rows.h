// Binds the values of a statement and reads its result.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3_stmt;

namespace chirp::sqlite {

class Connection;

// One run of a prepared statement, from binding to reset. Values are numbered from 1, columns of a
// row from 0. Throws Error{kCorrupt} if a column has another type than requested.
class Rows {
 public:
  template <class... Values>
  Rows(Connection& connection, sqlite3_stmt* statement, const Values&... values)
      : connection_(connection), statement_(statement) {
    bind_more(values...);
  }
  ~Rows();
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  // Binds the next values, for a statement that takes many rows. Call before the first step.
  template <class... Values>
  void bind_more(const Values&... values) {
    (bind(++bound_, values), ...);
  }

  // Steps to the next row; false at the end.
  bool next();
  // Runs to the end. Returns false, with nothing changed, if a unique value is already taken.
  [[nodiscard]] bool run_unless_taken();

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::optional<std::string> optional_text(int column) const;

 private:
  void bind(int index, std::int64_t value);
  void bind(int index, std::string_view value);
  void bind(int index, std::nullopt_t);
  void bind(int index, const std::string& value) { bind(index, std::string_view(value)); }
  // Ids and numbers: at most 63 bits; larger ones are a program error.
  template <std::integral Integer>
  void bind(int index, Integer value) {
    bind_integer(index, value);
  }
  template <class Value>
  void bind(int index, const std::optional<Value>& value) {
    if (value) {
      bind(index, *value);
    } else {
      bind(index, std::nullopt);
    }
  }
  template <std::integral Integer>
  void bind_integer(int index, Integer value) {
    check_fits(std::in_range<std::int64_t>(value));
    bind(index, static_cast<std::int64_t>(value));
  }
  static void check_fits(bool fits);
  void check_type(int column, int type) const;

  Connection& connection_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

}  // namespace chirp::sqlite
