#include "store/query/table.h"

#include <limits>
#include <new>

#include <sqlite3.h>

namespace chirp::query {

void Cell::integer(std::int64_t value) { sqlite3_result_int64(context_, value); }

void Cell::text(std::string_view value) {
  // SQLite treats a null pointer as NULL, but an empty view may have one.
  const char* const text = value.data() == nullptr ? "" : value.data();
  sqlite3_result_text64(context_, text, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Cell::time(Time value) { text(iso8601(value)); }

std::unique_ptr<Scan> nothing() {
  return scan<int>([](std::vector<int>&, std::uint32_t) { return false; },
                   [](int, std::size_t, Cell&) {});
}

std::span<const QueryTable> tables() {
  static const std::vector<QueryTable> kTables = [] {
    std::vector<QueryTable> all = tables_of_people();
    for (QueryTable& table : tables_of_content()) all.push_back(std::move(table));
    for (QueryTable& table : tables_of_talk()) all.push_back(std::move(table));
    return all;
  }();
  return kTables;
}

}  // namespace chirp::query
