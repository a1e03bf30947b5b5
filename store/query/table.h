// A virtual table: what it is called, what is in it, and how its rows are read.
//
// A table is read whole, or by one of its paths: the columns whose values are given. Both give rows
// in blocks, the first ones small, so that who wants one row pays for few. What a path gives may be
// more than what was asked for, never less: SQLite looks at each row again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ports/store_state.h"
#include "store/query/sources.h"

struct sqlite3_context;

namespace chirp::query {

// Where a column's value goes. Nothing that is written is NULL.
class Cell {
 public:
  explicit Cell(sqlite3_context* context) : context_(context) {}
  void integer(std::int64_t value);
  void text(std::string_view value);
  void time(Time value);  // ISO 8601
  template <class Tag>
  void id(StrongId<Tag, std::uint64_t> value) {
    if (value.value != 0) integer(static_cast<std::int64_t>(value.value));
  }

 private:
  sqlite3_context* context_;
};

// A value that is looked for: an integer or a text, as the column says.
using Value = std::variant<std::int64_t, std::string>;

enum class Type : std::uint8_t {
  kInteger,
  kText,
  kName,  // a text that compares whatever the case of its ASCII letters
};

struct Column {
  std::string_view name;
  Type type;
  std::string_view what;
};

// The ids that rows are looked for between, both included, and which come first.
struct Walk {
  std::uint64_t first = 0;
  std::uint64_t last = ~std::uint64_t{0};
  Direction direction = Direction::kUp;
};

// Rows of a table, block by block.
class Scan {
 public:
  virtual ~Scan() = default;
  // Puts the next rows in the place of those before, about `most` of them, which may be none;
  // false if there was nothing left to look at.
  virtual bool fill(std::uint32_t most) = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  virtual void write(std::size_t row, std::size_t column, Cell& cell) const = 0;
};

struct Path {
  std::string_view name;             // of the columns, for EXPLAIN QUERY PLAN
  std::vector<std::size_t> columns;  // whose values are given
  double rows;                       // that it gives, about
  bool ordered = false;              // by Table::order
  std::unique_ptr<Scan> (*open)(Sources& from, std::span<const Value> values, const Walk& walk);
};

struct Table {
  std::string_view name;
  std::string_view what;
  std::vector<Column> columns;
  std::string_view key;      // the columns that no two rows have the same
  std::string_view rows;     // Inspection::table_rows has how many, about, by this name
  std::optional<int> order;  // a column of ids by which all rows come, if one is
  std::vector<Path> paths;   // the first one reads all
};

// All tables, in the order in which they are told.
[[nodiscard]] std::span<const Table> tables();

// A scan of rows that `read` adds and `cell` writes.
template <class Row, class Read, class Write>
[[nodiscard]] std::unique_ptr<Scan> scan(Read read, Write write) {
  class Made final : public Scan {
   public:
    Made(Read rows, Write cells) : read_(std::move(rows)), write_(std::move(cells)) {}
    bool fill(std::uint32_t most) override {
      rows_.clear();
      return read_(rows_, most);
    }
    [[nodiscard]] std::size_t size() const override { return rows_.size(); }
    void write(std::size_t row, std::size_t column, Cell& cell) const override {
      write_(rows_[row], column, cell);
    }

   private:
    Read read_;
    Write write_;
    std::vector<Row> rows_;
  };
  return std::make_unique<Made>(std::move(read), std::move(write));
}

// Nothing at all: of who asks for somebody who is not there.
[[nodiscard]] std::unique_ptr<Scan> nothing();

}  // namespace chirp::query
