// `chirp query`: read-only SQL over users, posts, follows and related data.
#include "store/query/query.h"

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/config_file.h"
#include "cli/directory/overtime.h"
#include "cli/directory/query_rows.h"
#include "cli/lists/list.h"
#include "cli/table.h"
#include "core/error.h"
#include "store/query/table.h"

namespace chirp::cli {
namespace {

struct QueryOptions {
  std::optional<std::string> statement;
  std::optional<std::string> file;
  std::optional<std::string> seconds;
  std::optional<std::string> memory_mb;
  bool csv = false;
  bool tables = false;
};

constexpr std::size_t kStatementMax = std::size_t{1} << 20;
constexpr std::uint64_t kSecondsMax = 86'400;
constexpr std::uint64_t kMemoryMbMin = 16;
constexpr std::uint64_t kMemoryMbMax = 1 << 20;

std::string_view name_of(query::ColumnType type) {
  return type == query::ColumnType::kInteger ? "integer" : "text";
}

void write_tables(api::JsonWriter& json) {
  json.begin_object().key("tables").begin_array();
  for (const query::QueryTable& table : query::tables()) {
    json.begin_object().field("name", table.name).field("what", table.what);
    json.key("columns").begin_array();
    for (const query::Column& column : table.columns) {
      json.begin_object().field("name", column.name).field("type", name_of(column.type));
      json.field("what", column.what).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

void print_tables(Output& out) {
  if (out.wrote_json([&](api::JsonWriter& json) { write_tables(json); })) return;
  TextTable listed({{"column"}, {"type"}, {"what it is"}});
  for (const query::QueryTable& table : query::tables()) {
    listed.row({std::string(table.name), "table", std::string(table.what)});
    for (const query::Column& column : table.columns) {
      listed.row({fmt::format("{}.{}", table.name, column.name), std::string(name_of(column.type)),
                  std::string(column.what)});
    }
  }
  listed.print(out);
}

std::string statement_of(const QueryOptions& options) {
  if (options.statement && options.file) {
    throw Error(ErrorCode::kInvalidArgument, "Give the statement or --file, not both.");
  }
  const auto& named = options.file ? options.file : options.statement;
  if (!named) {
    throw Error(ErrorCode::kInvalidArgument,
                "Give a statement: chirp query 'SELECT username FROM users LIMIT 5'. `chirp query "
                "--tables` lists tables and columns.");
  }
  if (*named == "-") return read_stdin(kStatementMax);
  return options.file ? read_small_file("--file", *named) : *named;
}

query::Bounds bounds_of(const QueryOptions& options) {
  query::Bounds bounds;
  if (options.seconds) bounds.seconds = parse_number("--seconds", *options.seconds, 1, kSecondsMax);
  if (options.memory_mb) {
    bounds.memory_mb = parse_number("--memory-mb", *options.memory_mb, kMemoryMbMin, kMemoryMbMax);
  }
  return bounds;
}

RowForm form_of(const Output& out, const QueryOptions& options) {
  check_csv(out, options.csv);
  if (options.csv) return RowForm::kCsv;
  if (out.json()) return RowForm::kJson;
  return out.terminal() ? RowForm::kTable : RowForm::kTabs;
}

// Runs the query and prints its rows. Returns the number of rows read from tables.
std::uint64_t print_answer(Context& context, const std::string& statement,
                           const query::Bounds& bounds, RowForm form) {
  store::DataDirectory& directory = context.directory();
  context.out().hold();
  // Users come first: the later snapshot then tells which of them still exist.
  directory.hold_users();
  const auto snapshot = directory.storage().snapshot();
  query::Query query(*snapshot, directory.users(), context.clock(), bounds);
  Overtime overtime(context.out(), query.deadline());
  overtime.during([] {}, [&] { query.ask(statement); });
  print_rows(context.out(), query, form, overtime);
  return query.rows_read();
}

void run_query(Context& context, const QueryOptions& options) {
  Output& out = context.out();
  if (options.tables) return print_tables(out);
  const RowForm form = form_of(out, options);
  const query::Bounds bounds = bounds_of(options);
  const std::string statement = statement_of(options);
  const std::uint64_t read = print_answer(context, statement, bounds, form);
  // Releases the directory before the user reads in a pager.
  context.close();
  out.flush();
  out.detail(fmt::format("{} read from tables", counted(read, "row", "rows")));
}

}  // namespace

void add_query(CommandLine& app) {
  auto [verb, options] = app.verb<QueryOptions>(
      app.root(),
      {"query", "Run a read-only SQL query on users, posts, follows and more.",
       "chirp query --tables\n"
       "chirp query 'SELECT username, followers FROM users JOIN counters ON user = id\n"
       "             ORDER BY followers DESC LIMIT 10'\n"
       "chirp query --csv - < question.sql"},
      run_query);
  verb.page();
  add_text(verb, "SQL", options.statement, "SQL",
           "One SELECT statement; - reads it from standard input");
  add_text(verb, "--file", options.file, "FILE",
           "Read the statement from a file; - for standard input");
  verb.add_flag("--tables", options.tables, "List tables and their columns");
  verb.add_flag("--csv", options.csv, "Print CSV, with a header of column names");
  add_text(verb, "--seconds", options.seconds, "N", "Stop the query after this time (default: 30)");
  add_text(verb, "--memory-mb", options.memory_mb, "N",
           "Stop the query when SQLite needs more memory than this (default: 512)");
}

}  // namespace chirp::cli
