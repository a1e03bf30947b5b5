// A virtual table: its name, its columns, and how its rows are read.
//
// A table is read whole, or by a path, which needs the values of some columns. Rows come in blocks
// that start small, so a query for one row is cheap. A path may return more rows than match, never
// fewer: SQLite checks each row again.
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

// Receives the value of a column. The value is NULL if nothing is written.
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

// A value to look up: an integer or a text, according to the column's type.
using Value = std::variant<std::int64_t, std::string>;
using SoughtValues = std::span<const Value>;

enum class ColumnType : std::uint8_t {
  kInteger,
  kText,
  kName,  // text that compares without ASCII case
};

struct Column {
  std::string_view name;
  ColumnType type;
  std::string_view what;
};

// The range of ids to read, both ends included, and the direction.
struct IdWalk {
  std::uint64_t first = 0;
  std::uint64_t last = ~std::uint64_t{0};
  Direction direction = Direction::kUp;
};

// Rows of a table, block by block.
class Scan {
 public:
  virtual ~Scan() = default;
  // Replaces the block by the next rows, about `most`, possibly none; false at the end.
  virtual bool fill(std::uint32_t most) = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  virtual void write(std::size_t row, std::size_t column, Cell& cell) const = 0;
};

struct Path {
  std::string_view name;             // names its columns in EXPLAIN QUERY PLAN
  std::vector<std::size_t> columns;  // columns whose values it needs
  double rows;                       // estimate of the rows it returns
  bool ordered = false;              // whether its rows come in the order of Table::order
  std::unique_ptr<Scan> (*open)(Sources& from, std::span<const Value> values, const IdWalk& walk);
};

struct QueryTable {
  std::string_view name;
  std::string_view what;
  std::vector<Column> columns;
  std::string_view key;      // the columns of the primary key
  std::string_view rows;     // the table's name in Inspection::table_rows, for the estimated number
  std::optional<int> order;  // the id column that defines the order of rows, if any
  std::vector<Path> paths;   // the first one reads the whole table
};

// All tables, in the order in which they are listed.
[[nodiscard]] std::span<const QueryTable> tables();

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

// An empty scan, as for a user that does not exist.
[[nodiscard]] std::unique_ptr<Scan> nothing();

}  // namespace chirp::query

namespace chirp::query {

[[nodiscard]] std::vector<QueryTable> tables_of_people();   // users, follows, relations, counters
[[nodiscard]] std::vector<QueryTable> tables_of_content();  // posts and their counters
[[nodiscard]] std::vector<QueryTable> tables_of_talk();     // comments, reactions, hashtags

}  // namespace chirp::query
