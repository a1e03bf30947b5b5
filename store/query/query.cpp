#include "store/query/query.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/error.h"
#include "core/model/utf8.h"
#include "store/query/module.h"

namespace chirp::query {
namespace {

constexpr std::string_view kOnlyReads =
    "A query reads the tables that `chirp query --tables` lists, by one SELECT, and does nothing "
    "else.";
constexpr int kOperationsALook = 1000;  // SQLite operations between two checks of the time
constexpr int kValueMax = 16 << 20;     // bytes of one value
constexpr int kStatementMax = 1 << 20;  // bytes

// Limits SQLite's memory while it exists.
class HeapLimit {
 public:
  explicit HeapLimit(std::uint64_t megabytes)
      : soft_(sqlite3_soft_heap_limit64(-1)),
        hard_(sqlite3_hard_heap_limit64(static_cast<sqlite3_int64>(megabytes) << 20)) {}
  ~HeapLimit() {
    sqlite3_hard_heap_limit64(hard_);
    sqlite3_soft_heap_limit64(soft_);
  }
  HeapLimit(const HeapLimit&) = delete;
  HeapLimit& operator=(const HeapLimit&) = delete;

 private:
  sqlite3_int64 soft_;
  sqlite3_int64 hard_;
};

// SQLite's table-valued functions.
constexpr std::array<const char*, 2> kOfValues{"json_each", "json_tree"};

bool is_table(std::string_view name) {
  return std::any_of(tables().begin(), tables().end(),
                     [&](const QueryTable& table) { return table.name == name; }) ||
         std::find(kOfValues.begin(), kOfValues.end(), name) != kOfValues.end();
}

bool is_function(std::string_view name) {
  return name != "load_extension" && name != "icu_load_collation" && name != "sqlite_log" &&
         name != "fts3_tokenizer" && !name.starts_with("rtree") && !name.starts_with("fts5");
}

// SQLite's authorizer callback.
int authorize(void*, int action, const char* first, const char* second, const char*, const char*) {
  const auto text = [](const char* name) { return std::string_view(name == nullptr ? "" : name); };
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
      // Without a column, only the number of rows is read, of a table expression in the statement.
      return is_table(text(first)) || text(second).empty() ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
      return is_function(text(second)) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

Error refused(const std::string& what) {
  return Error(ErrorCode::kInvalidArgument, fmt::format("{}. {}", what, kOnlyReads));
}

// The position in the statement, as `, at line 1, column 8`.
std::string place_in(std::string_view sql, int offset) {
  if (offset < 0 || static_cast<std::size_t>(offset) > sql.size()) return {};
  const std::string_view before = sql.substr(0, static_cast<std::size_t>(offset));
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format(", at line {}, column {}", std::count(before.begin(), before.end(), '\n') + 1,
                     utf8::length(before.substr(line_begin)) + 1);
}

struct Close {
  void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
};
struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

}  // namespace

struct Query::State {
  State(const Snapshot& snapshot, const UserRows& users, const Clock& clock, const Bounds& bounds)
      : memory_mb(bounds.memory_mb),
        limit(bounds.memory_mb),
        shared(snapshot, users, QueryDeadline(clock, bounds.seconds)) {
    open();
  }

  void open();
  void configure();
  void make_tables();
  // Compiles the first statement of `sql`; `rest` becomes the text after it.
  Statement compile(std::string_view sql, std::string_view& rest);
  void expect_nothing(std::string_view rest);
  [[noreturn]] void fail(int code);

  std::uint64_t memory_mb;
  HeapLimit limit;
  QueryContext shared;
  std::unique_ptr<sqlite3, Close> handle;
  std::string sql;
  Statement statement;
};

void Query::State::open() {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(
      ":memory:", &raw,
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY,
      nullptr);
  handle.reset(raw);
  if (code != SQLITE_OK) fail(code);
  configure();
}

void Query::State::configure() {
  sqlite3* const raw = handle.get();
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
  sqlite3_limit(raw, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(raw, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, kValueMax);
  sqlite3_limit(raw, SQLITE_LIMIT_SQL_LENGTH, kStatementMax);
  // Keeps temporary data in memory, which is bounded.
  const int code = sqlite3_exec(raw, "PRAGMA temp_store=MEMORY", nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
  make_tables();
  sqlite3_set_authorizer(raw, authorize, nullptr);
  sqlite3_progress_handler(
      raw, kOperationsALook,
      [](void* deadline) { return static_cast<const QueryDeadline*>(deadline)->over() ? 1 : 0; },
      &shared.deadline);
}

// SQLite creates each table at its first use. The authorizer refuses creation, so each is used once
// before it is set.
void Query::State::make_tables() {
  const auto name = [&](std::string_view table) {
    const std::string first = fmt::format("SELECT 1 FROM {} LIMIT 0", table);
    const int code = sqlite3_exec(handle.get(), first.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
  };
  for (const QueryTable& table : tables()) {
    add_table(handle.get(), table, shared);
    name(table.name);
  }
  for (const char* const table : kOfValues) name(table);
}

void Query::State::fail(int code) {
  if (shared.failed) std::rethrow_exception(std::exchange(shared.failed, nullptr));
  switch (code & 0xff) {
    case SQLITE_INTERRUPT:
      throw shared.deadline.error();
    case SQLITE_NOMEM:
      throw Error(ErrorCode::kUnavailable,
                  fmt::format("The query needs more than {} MB of memory. Ask for less, or say "
                              "--memory-mb.",
                              memory_mb));
    case SQLITE_AUTH:
      throw refused(sqlite3_errmsg(handle.get()));
    default:
      break;
  }
  const int offset = sqlite3_error_offset(handle.get());
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{}{}. `chirp query --tables` lists tables and columns.",
                          sqlite3_errmsg(handle.get()), place_in(sql, offset)));
}

Statement Query::State::compile(std::string_view text, std::string_view& rest) {
  sqlite3_stmt* raw = nullptr;
  const char* tail = text.data();
  const int code =
      sqlite3_prepare_v3(handle.get(), text.data(), static_cast<int>(text.size()), 0, &raw, &tail);
  Statement compiled(raw);
  if (code != SQLITE_OK) fail(code);
  rest = text.substr(static_cast<std::size_t>(tail - text.data()));
  return compiled;
}

// Comments and semicolons may follow.
void Query::State::expect_nothing(std::string_view rest) {
  while (!rest.empty()) {
    sqlite3_stmt* raw = nullptr;
    const char* tail = rest.data();
    const int code = sqlite3_prepare_v3(handle.get(), rest.data(), static_cast<int>(rest.size()), 0,
                                        &raw, &tail);
    const Statement second(raw);
    if (code != SQLITE_OK || raw != nullptr) {
      throw refused(fmt::format("There is a second statement{}",
                                place_in(sql, static_cast<int>(rest.data() - sql.data()))));
    }
    rest.remove_prefix(static_cast<std::size_t>(tail - rest.data()));
  }
}

Query::Query(const Snapshot& snapshot, const UserRows& users, const Clock& clock,
             const Bounds& bounds)
    : state_(std::make_unique<State>(snapshot, users, clock, bounds)) {}

Query::~Query() = default;

void Query::ask(std::string_view sql) {
  check(!state_->statement, "a query takes one statement");
  if (sql.find('\0') != std::string_view::npos) throw refused("There is a NUL in the statement");
  if (sql.size() > kStatementMax) throw refused("The statement is longer than 1 MiB");
  state_->sql = sql;
  std::string_view rest;
  Statement statement = state_->compile(state_->sql, rest);
  if (!statement) throw refused("There is no statement");
  state_->expect_nothing(rest);
  if (sqlite3_column_count(statement.get()) == 0 || sqlite3_stmt_readonly(statement.get()) == 0) {
    throw refused("This is no SELECT");
  }
  if (sqlite3_bind_parameter_count(statement.get()) > 0) {
    throw refused("Nothing gives a value to a parameter (?, :name)");
  }
  state_->statement = std::move(statement);
}

std::vector<std::string> Query::columns() const {
  sqlite3_stmt* const statement = state_->statement.get();
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char* const name = sqlite3_column_name(statement, i);
    if (name == nullptr) throw std::bad_alloc();
    names.emplace_back(name);
  }
  return names;
}

bool Query::next() {
  state_->shared.deadline.check();
  const int code = sqlite3_step(state_->statement.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) state_->fail(code);
  return code == SQLITE_ROW;
}

ValueKind Query::kind(std::size_t column) const {
  switch (sqlite3_column_type(state_->statement.get(), static_cast<int>(column))) {
    case SQLITE_INTEGER:
      return ValueKind::kInteger;
    case SQLITE_FLOAT:
      return ValueKind::kReal;
    case SQLITE_TEXT:
      return ValueKind::kText;
    case SQLITE_BLOB:
      return ValueKind::kBlob;
    default:
      return ValueKind::kNull;
  }
}

std::int64_t Query::integer(std::size_t column) const {
  return sqlite3_column_int64(state_->statement.get(), static_cast<int>(column));
}

double Query::real(std::size_t column) const {
  return sqlite3_column_double(state_->statement.get(), static_cast<int>(column));
}

std::string_view Query::bytes(std::size_t column) const {
  const auto* data = static_cast<const char*>(
      sqlite3_column_blob(state_->statement.get(), static_cast<int>(column)));
  const int size = sqlite3_column_bytes(state_->statement.get(), static_cast<int>(column));
  return {data == nullptr ? "" : data, static_cast<std::size_t>(size)};
}

const QueryDeadline& Query::deadline() const { return state_->shared.deadline; }

std::uint64_t Query::rows_read() const { return state_->shared.read; }

}  // namespace chirp::query
