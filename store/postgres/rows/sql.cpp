#include "store/postgres/rows/sql.h"

#include <algorithm>

#include <fmt/format.h>

namespace chirp::postgres {
namespace {

// Joins the text for each column: "a, b".
template <class Each>
std::string listed(const std::vector<Column>& columns, Each each) {
  std::string list;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i != 0) list += ", ";
    list += each(i, columns[i]);
  }
  return list;
}

// The condition on the bucket.
constexpr std::string_view kOfBucket = " /*and t.b = bucket*/";
constexpr std::string_view kNewestOfBucket = " /*and n.b = bucket*/";
constexpr std::string_view kListOfBucket = "/*b, */";
constexpr std::string_view kValueOfBucket = "/*bucket, */";
constexpr std::string_view kColumnOfBucket = "/*, b int4 not null*/";

class Maker {
 public:
  explicit Maker(const TableText& table) : table_(table) {}

  TableSql make() const {
    TableSql sql;
    sql.create = create();
    const std::string columns = table_.columns.empty() ? "" : ", " + named(table_.columns, "t.");
    sql.find =
        fmt::format("select x.i{} from {} {}", columns, unnest(table_.keys, "k", first(), "", ""),
                    table_.seen == Seen::kLog ? logged() : newest());
    sql.up = range("");
    sql.down = range(" desc");
    sql.count = fmt::format("select count(*) from {} t where {}{}", table_.name, seen(table_key()),
                            kOfBucket);
    if (table_.seen == Seen::kLog) {
      sql.insert = insert("");
      return sql;
    }
    sql.end = fmt::format(
        "update {} t set died = $1::int8 from {} where {} and t.born = (select max(n.born) from {} "
        "n"
        " where {}{}) and t.died is null{}",
        table_.name, unnest(table_.keys, "k", 2, "", "", false), matched("t"), table_.name,
        matched("n"), kNewestOfBucket, kOfBucket);
    sql.insert = insert(", born");
    sql.sweep = fmt::format("delete from {} t where died <= $1::int8{}", table_.name, kOfBucket);
    return sql;
  }

 private:
  // The number of the first parameter after those of the visibility.
  [[nodiscard]] std::size_t first() const { return table_.seen == Seen::kLog ? 3 : 2; }
  [[nodiscard]] std::string table_key() const { return "t." + table_.keys.front().name; }
  // Bounds the log by its key. With a known key the condition is on that key, or the planner might
  // scan all rows between the bounds.
  [[nodiscard]] std::string seen(std::string_view key) const {
    if (table_.seen == Seen::kLog) {
      return fmt::format("{0} >= $1::int8 and {0} < $2::int8", key);
    }
    return "t.born <= $1::int8 and (t.died is null or t.died > $1::int8)";
  }
  static std::string named(const std::vector<Column>& columns, std::string_view before) {
    return listed(columns, [&](std::size_t, const Column& column) {
      return fmt::format("{}{}", before, column.name);
    });
  }
  static std::string numbered(const std::vector<Column>& columns, std::string_view before) {
    return listed(columns,
                  [&](std::size_t i, const Column&) { return fmt::format("{}{}", before, i); });
  }
  [[nodiscard]] std::string matched(std::string_view row) const {
    std::string matched;
    for (std::size_t i = 0; i < table_.keys.size(); ++i) {
      matched += fmt::format("{}{}.{} = x.k{}", i == 0 ? "" : " and ", row, table_.keys[i].name, i);
    }
    return matched;
  }
  // Finds the row of each key.
  [[nodiscard]] std::string logged() const {
    return fmt::format("join {} t on {} where {}{}", table_.name, matched("t"), seen("x.k0"),
                       kOfBucket);
  }
  // A snapshot sees one row of a key: the newest born by then. A busy row has many dead versions,
  // so only that one is read.
  [[nodiscard]] std::string newest() const {
    return fmt::format(
        "cross join lateral (select t.* from {} t where {} and t.born <= $1::int8{}"
        " order by t.born desc limit 1) t where t.died is null or t.died > $1::int8",
        table_.name, matched("t"), kOfBucket);
  }
  // Turns arrays into rows, beginning with parameter `from`.
  static std::string unnest(const std::vector<Column>& columns, std::string_view name,
                            std::size_t from, const std::string& more,
                            const std::string& more_names, bool numbered_rows = true) {
    return fmt::format("unnest({}{}){} x({}{}{})",
                       listed(columns,
                              [&](std::size_t i, const Column& column) {
                                return fmt::format("${}::{}[]", from + i, name_of(column.type));
                              }),
                       more, numbered_rows ? " with ordinality" : "", numbered(columns, name),
                       more_names, numbered_rows ? ", i" : "");
  }

  [[nodiscard]] std::string create() const {
    std::vector<Column> columns = table_.keys;
    const bool is_versioned = table_.seen == Seen::kVersioned;
    columns.insert(columns.end(), table_.columns.begin(), table_.columns.end());
    if (is_versioned)
      columns.insert(columns.end(), {{"born", Type::kInt8}, {"died", Type::kInt8, true}});
    // Wide columns first and variable-length ones last, which avoids padding.
    const auto width = [](const Column& column) {
      constexpr std::array kOrder{Type::kInt8, Type::kInt4, Type::kInt2};
      return std::ranges::find(kOrder, column.type) - kOrder.begin();
    };
    std::ranges::stable_sort(columns, {}, width);
    std::string sql = fmt::format(
        "create table if not exists {} ({}{}, primary key ({}{}{}));", table_.name,
        listed(columns,
               [](std::size_t, const Column& column) {
                 return fmt::format("{} {}{}", column.name, name_of(column.type),
                                    column.is_null ? "" : " not null");
               }),
        kColumnOfBucket, kListOfBucket, named(table_.keys, ""), is_versioned ? ", born" : "");
    if (is_versioned) {
      sql +=
          fmt::format(" create index if not exists {0}_died on {0} (died) where died is not null;",
                      table_.name);
    }
    return sql;
  }

  // A lateral subquery per range applies the range's limit. Ranges come in order, one after the
  // other.
  [[nodiscard]] std::string range(std::string_view order) const {
    std::vector<Column> ends = table_.keys;
    ends.insert(ends.end(), table_.keys.begin(), table_.keys.end());
    const std::size_t keys = table_.keys.size();
    const std::size_t limits = first() + 2 * keys;
    const auto half = [&](std::size_t from) {
      return listed(table_.keys,
                    [&](std::size_t i, const Column&) { return fmt::format("x.k{}", from + i); });
    };
    std::vector<Column> all = table_.keys;
    all.insert(all.end(), table_.columns.begin(), table_.columns.end());
    const std::string ordered = listed(table_.keys, [&](std::size_t, const Column& key) {
      return fmt::format("t.{}{}", key.name, order);
    });
    return fmt::format(
        "select x.i, {} from {} cross join lateral (select {} from {} t where ({}) >= ({}) and "
        "({}) "
        "<= ({}) and {}{} order by {} limit x.n) e limit ${}::int8",
        named(all, "e."), unnest(ends, "k", first(), fmt::format(", ${}::int8[]", limits), ", n"),
        named(all, "t."), table_.name, named(table_.keys, "t."), half(0), named(table_.keys, "t."),
        half(keys), seen(table_key()), kOfBucket, ordered, limits + 1);
  }

  [[nodiscard]] std::string insert(std::string_view born) const {
    std::vector<Column> all = table_.keys;
    all.insert(all.end(), table_.columns.begin(), table_.columns.end());
    const bool is_versioned = !born.empty();
    return fmt::format("insert into {} ({}{}{}) select {}{}{} from {}", table_.name, kListOfBucket,
                       named(all, ""), born, kValueOfBucket, numbered(all, "x.k"),
                       is_versioned ? ", $1::int8" : "",
                       unnest(all, "k", is_versioned ? 2 : 1, "", "", false));
  }

  const TableText& table_;
};

}  // namespace

TableSql make_sql(const TableText& table) { return Maker(table).make(); }

InBucket in_bucket(std::string_view sql, std::size_t params) {
  constexpr std::string_view kBucket = "bucket";
  const std::string parameter = fmt::format("${}::int4", params + 1);
  InBucket found;
  std::string& text = found.sql;
  while (!sql.empty()) {
    const std::size_t begin = sql.find("/*");
    text += sql.substr(0, begin);
    if (begin == std::string_view::npos) break;
    sql.remove_prefix(begin + 2);
    std::string_view comment = sql.substr(0, sql.find("*/"));
    sql.remove_prefix(std::min(comment.size() + 2, sql.size()));
    for (std::size_t at = comment.find(kBucket); at != std::string_view::npos;
         at = comment.find(kBucket)) {
      text += comment.substr(0, at);
      text += parameter;
      found.names_bucket = true;
      comment.remove_prefix(at + kBucket.size());
    }
    text += comment;
  }
  return found;
}

}  // namespace chirp::postgres
