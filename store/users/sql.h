// Values and rows of SQL statements, on SQLite or PostgreSQL.
//
// One text serves both databases. Parameters have a number from 1 and a type, int8 or text: SQLite
// reads `$1::int8` as a parameter's name.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/error.h"

namespace chirp::users {

// The value of a parameter: a number of at most 63 bits, a text, or null. Refers to the text.
class SqlValue {
 public:
  using Held = std::variant<std::nullopt_t, std::int64_t, std::string_view>;

  template <std::integral Integer>
  SqlValue(Integer number) : held_(static_cast<std::int64_t>(number)) {
    check(std::in_range<std::int64_t>(number), "a number in a statement has at most 63 bits");
  }
  SqlValue(bool) = delete;
  SqlValue(std::string_view text) : held_(text) {}
  SqlValue(const std::string& text) : held_(text) {}
  SqlValue(const char* text) : held_(text) {}
  template <class Value>
  SqlValue(const std::optional<Value>& value) : held_(std::nullopt) {
    if (value) held_ = SqlValue(*value).held_;
  }

  [[nodiscard]] const Held& get() const { return held_; }

 private:
  Held held_;
};

// The rows of a result, one after the other. Columns count from 0. Throws Error{kCorrupt} if a
// column has another type than requested.
class SqlRows {
 public:
  virtual ~SqlRows() = default;

  // Steps to the next row; false at the end.
  virtual bool next() = 0;
  [[nodiscard]] virtual bool is_null(int column) const = 0;
  [[nodiscard]] virtual std::int64_t integer(int column) const = 0;
  [[nodiscard]] virtual std::string text(int column) const = 0;

  [[nodiscard]] std::uint64_t natural(int column) const {
    return static_cast<std::uint64_t>(integer(column));
  }
  [[nodiscard]] std::optional<std::int64_t> optional_integer(int column) const {
    return is_null(column) ? std::nullopt : std::optional(integer(column));
  }
  [[nodiscard]] std::optional<std::string> optional_text(int column) const {
    return is_null(column) ? std::nullopt : std::optional(text(column));
  }
};

}  // namespace chirp::users
