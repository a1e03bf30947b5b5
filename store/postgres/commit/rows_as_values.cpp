#include "store/postgres/commit/rows_as_values.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::postgres {
namespace {

constexpr std::string_view kSelect = " select /*bucket, */";
constexpr std::string_view kFrom = " from unnest(";
constexpr std::string_view kNames = ") x(";

using BoundValue = std::optional<std::string>;

Error of_another_form(std::string_view sql) {
  return {ErrorCode::kInternal, fmt::format("An insert is of a form that is not known: {}", sql)};
}

// Splits at ", ".
std::vector<std::string_view> listed(std::string_view text) {
  constexpr std::string_view kComma = ", ";
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t comma = text.find(kComma);
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + kComma.size());
  }
}

// A column given as an array: its type, and the value for each row.
struct RowColumn {
  std::string type;
  std::vector<BoundValue> values;
};

// A parsed insert statement.
class Insert {
 public:
  Insert(const Write& write) : write_(write) {
    const std::string_view sql = write.sql;
    const std::size_t select = sql.find(kSelect);
    const std::size_t from = sql.find(kFrom, select);
    const std::size_t names = sql.find(kNames, from);
    const std::size_t end = sql.find(')', names + 1);
    if (end == std::string_view::npos) throw of_another_form(sql);
    const auto between = [&](std::size_t begin, std::string_view mark, std::size_t until) {
      return sql.substr(begin + mark.size(), until - begin - mark.size());
    };
    head_ = sql.substr(0, select);
    picked_ = listed(between(select, kSelect, from));
    tail_ = sql.substr(end + 1);
    const auto arrays = listed(between(from, kFrom, names));
    const auto columns = listed(between(names, kNames, end));
    if (arrays.size() != columns.size()) throw of_another_form(sql);
    for (std::size_t i = 0; i < columns.size(); ++i) add_column(columns[i], arrays[i]);
    for (const std::string_view picked : picked_) {
      if (picked.starts_with('(')) parted_ = numbers_in(given(picked.substr(1)));
    }
  }

  // Writes statements of at most kValuesMost rows each.
  void write_into(std::vector<Write>& writes) const {
    for (std::size_t row = 0; row < rows_;) {
      const std::size_t rows = std::min(std::bit_floor(rows_ - row), kValuesMost);
      writes.push_back(of_rows(row, row + rows));
      row += rows;
    }
  }

 private:
  // `array` is "$2::int8[]".
  void add_column(std::string_view name, std::string_view array) {
    const std::size_t colons = array.find("::");
    RowColumn column{std::string(array.substr(colons + 2)), elements_in(given(array))};
    column.type.resize(column.type.size() - 2);
    rows_ = column.values.size();
    columns_.emplace(name, std::move(column));
  }

  // The value of the parameter that a text such as "$2" begins with.
  [[nodiscard]] const std::string& given(std::string_view text) const {
    std::size_t number = 0;
    std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (text.front() != '$' || number == 0 || number > write_.params.values().size()) {
      throw of_another_form(write_.sql);
    }
    return write_.params.values()[number - 1].value();
  }

  [[nodiscard]] const RowColumn& column(std::string_view name) const {
    const auto found = columns_.find(name);
    if (found == columns_.end()) throw of_another_form(write_.sql);
    return found->second;
  }

  [[nodiscard]] Write of_rows(std::size_t row, std::size_t end) const {
    Write write;
    write.sql = fmt::format("{} values ", head_);
    // Values that all rows share become one parameter.
    std::map<std::string_view, std::size_t> shared;
    for (const std::string_view picked : picked_) {
      if (!picked.starts_with('$')) continue;
      write.params.raw(given(picked));
      shared.emplace(picked, write.params.values().size());
    }
    for (bool is_first = true; row < end; ++row, is_first = false) {
      write.sql += is_first ? "(/*bucket" : ", (/*bucket";
      for (const std::string_view picked : picked_) {
        write.sql += picked == picked_.front() ? ", */" : ", ";
        const auto once = shared.find(picked);
        if (once != shared.end()) {
          write.sql += fmt::format("${}{}", once->second, picked.substr(picked.find("::")));
          continue;
        }
        const auto& [type, value] = value_of(picked, row);
        write.params.raw(value);
        write.sql += fmt::format("${}::{}", write.params.values().size(), type);
      }
      write.sql += ')';
    }
    write.sql += tail_;
    return write;
  }

  // Evaluates "x.k0", or "($2::int4[])[x.from_at:x.to_at]", a slice of an array.
  [[nodiscard]] std::pair<std::string, BoundValue> value_of(std::string_view picked,
                                                            std::size_t row) const {
    constexpr std::string_view kRow = "x.";
    if (picked.starts_with(kRow)) {
      const RowColumn& of = column(picked.substr(kRow.size()));
      return {of.type, of.values[row]};
    }
    constexpr std::string_view kPart = "::int4[])[x.";
    const std::size_t part = picked.find(kPart);
    const std::size_t colon = picked.find(":x.", part);
    if (colon == std::string_view::npos) {
      throw of_another_form(write_.sql);
    }
    const std::size_t first = part + kPart.size();
    const std::size_t last = colon + 3;
    const auto at = [&](std::size_t begin, std::size_t end) {
      return static_cast<std::size_t>(
          number_in(column(picked.substr(begin, end - begin)).values[row].value()));
    };
    Array array(Type::kInt4);
    for (std::size_t i = at(first, colon); i <= at(last, picked.size() - 1); ++i) {
      array.number(static_cast<std::int32_t>(parted_.at(i - 1)));
    }
    return {"int4[]", array.done()};
  }

  const Write& write_;
  std::string_view head_;
  std::string_view tail_;
  std::vector<std::string_view> picked_;
  std::map<std::string_view, RowColumn> columns_;
  std::vector<std::int64_t> parted_;  // the array that rows have slices of
  std::size_t rows_ = 0;
};

}  // namespace

std::vector<Write> rows_as_values(const std::vector<Write>& writes) {
  std::vector<Write> all;
  for (const Write& write : writes) {
    const std::string_view sql = write.sql;
    if (sql.starts_with("insert ") && sql.find(kSelect) != std::string_view::npos) {
      Insert(write).write_into(all);
    } else {
      all.push_back(write);
    }
  }
  return all;
}

}  // namespace chirp::postgres
