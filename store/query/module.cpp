#include "store/query/module.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <sqlite3.h>

namespace chirp::query {
namespace {

// Small, because many queries need only one row.
constexpr std::uint32_t kFirstBlock = 4;
constexpr std::uint32_t kLargestBlock = 1024;
constexpr std::uint32_t kBlockGrowth = 8;

// The plan that xBestIndex passes to xFilter: a path, the bounds and the order.
constexpr int kPathMask = 0xFF;
constexpr int kFromBelow = 0x100;
constexpr int kToAbove = 0x200;
constexpr int kNewestFirst = 0x400;

struct Made {  // the client data of a module
  const QueryTable* table;
  QueryContext* shared;
};

struct OneTable : sqlite3_vtab {
  Made made;
};

struct OneCursor : sqlite3_vtab_cursor {
  std::unique_ptr<Scan> scan;
  std::size_t row = 0;
  std::uint32_t block = kFirstBlock;
  bool over = true;
};

const Made& made_of(sqlite3_vtab* table) { return static_cast<OneTable*>(table)->made; }

// No exception may cross SQLite's frames.
template <class Call>
int guarded(QueryContext& shared, Call&& call) {
  try {
    call();
    return SQLITE_OK;
  } catch (...) {
    shared.failed = std::current_exception();
    return SQLITE_ERROR;
  }
}

std::string declaration_of(const QueryTable& table) {
  std::string columns;
  for (const Column& column : table.columns) {
    const char* type = column.type == ColumnType::kInteger ? "INTEGER"
                       : column.type == ColumnType::kText  ? "TEXT"
                                                           : "TEXT COLLATE NOCASE";
    columns += fmt::format("\"{}\" {}, ", column.name, type);
  }
  return fmt::format("CREATE TABLE t({}PRIMARY KEY({})) WITHOUT ROWID", columns, table.key);
}

int connect(sqlite3* connection, void* made, int, const char* const*, sqlite3_vtab** table,
            char**) {
  const Made& what = *static_cast<Made*>(made);
  int code = SQLITE_OK;
  const int caught = guarded(*what.shared, [&] {
    code = sqlite3_declare_vtab(connection, declaration_of(*what.table).c_str());
    if (code == SQLITE_OK) *table = new OneTable{{}, what};
  });
  return caught == SQLITE_OK ? code : caught;
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<OneTable*>(table);
  return SQLITE_OK;
}

// ---- choosing a path

// The constraints of a query that a path, or a walk along ids, can use.
struct Usable {
  std::vector<int> equal;  // constraint by column; -1: none
  int from = -1;           // constraints on the id column that defines the order; -1: none
  int to = -1;
};

bool names_compare(sqlite3_index_info* info, int constraint) {
  const std::string_view collation = sqlite3_vtab_collation(info, constraint);
  return collation == "BINARY" || collation == "NOCASE";
}

Usable usable_of(const QueryTable& table, sqlite3_index_info* info) {
  Usable usable{std::vector<int>(table.columns.size(), -1)};
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.usable == 0 || constraint.iColumn < 0) continue;
    const auto column = static_cast<std::size_t>(constraint.iColumn);
    switch (constraint.op) {
      case SQLITE_INDEX_CONSTRAINT_EQ:
        if (table.columns[column].type == ColumnType::kInteger || names_compare(info, i)) {
          usable.equal[column] = i;
        }
        break;
      case SQLITE_INDEX_CONSTRAINT_GT:
      case SQLITE_INDEX_CONSTRAINT_GE:
        if (table.order == constraint.iColumn) usable.from = i;
        break;
      case SQLITE_INDEX_CONSTRAINT_LT:
      case SQLITE_INDEX_CONSTRAINT_LE:
        if (table.order == constraint.iColumn) usable.to = i;
        break;
      default:
        break;
    }
  }
  return usable;
}

// The path with the fewest rows.
std::size_t best_path(const QueryTable& table, const Usable& usable) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < table.paths.size(); ++i) {
    const Path& path = table.paths[i];
    const bool possible = std::all_of(path.columns.begin(), path.columns.end(),
                                      [&](std::size_t c) { return usable.equal[c] >= 0; });
    if (possible && (best == 0 || path.rows < table.paths[best].rows)) best = i;
  }
  return best;
}

double rows_of(const Made& made) {
  const auto found = made.shared->rows.find(std::string(made.table->rows));
  constexpr std::uint64_t kUnknown = 1000;
  const std::uint64_t rows = found == made.shared->rows.end() ? kUnknown : found->second;
  return static_cast<double>(std::max<std::uint64_t>(rows, 1));
}

void choose(const Made& made, sqlite3_index_info* info) {
  const QueryTable& table = *made.table;
  const Usable usable = usable_of(table, info);
  const std::size_t at = best_path(table, usable);
  const Path& path = table.paths[at];
  int arguments = 0;
  const auto use = [&](int constraint) {
    info->aConstraintUsage[constraint].argvIndex = ++arguments;
  };
  for (const std::size_t column : path.columns) use(usable.equal[column]);
  info->idxNum = static_cast<int>(at);
  double rows = path.columns.empty() ? rows_of(made) : path.rows;
  std::string how = fmt::format("{}{}", path.columns.empty() ? "" : "by ", path.name);
  constexpr double kCut = 3;  // guess: the selectivity of a bound is not known
  if (path.ordered && usable.from >= 0) {
    use(usable.from);
    info->idxNum |= kFromBelow;
    rows /= kCut;
    how += ", from an id on";
  }
  if (path.ordered && usable.to >= 0) {
    use(usable.to);
    info->idxNum |= kToAbove;
    rows /= kCut;
    how += ", up to an id";
  }
  if (path.ordered && info->nOrderBy == 1 && table.order == info->aOrderBy[0].iColumn) {
    info->orderByConsumed = 1;
    if (info->aOrderBy[0].desc != 0) {
      info->idxNum |= kNewestFirst;
      how += ", newest first";
    }
  }
  if (path.rows == 1 && !path.columns.empty()) info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
  constexpr double kLookUp = 5;
  info->estimatedRows = static_cast<sqlite3_int64>(std::max(rows, 1.0));
  info->estimatedCost = path.columns.empty() ? rows + kLookUp : kLookUp + 2 * rows;
  info->idxStr = sqlite3_mprintf("%s", how.c_str());
  info->needToFreeIdxStr = 1;
}

int best_index(sqlite3_vtab* table, sqlite3_index_info* info) {
  const Made& made = made_of(table);
  return guarded(*made.shared, [&] { choose(made, info); });
}

// ---- reading rows

int open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  return guarded(*made_of(table).shared, [&] { *cursor = new OneCursor; });
}

int close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<OneCursor*>(cursor);
  return SQLITE_OK;
}

// Converts a value to the column's type; empty if it matches no row.
std::optional<Value> value_for(const Column& column, sqlite3_value* value) {
  if (column.type != ColumnType::kInteger) {
    const int type = sqlite3_value_type(value);
    if (type == SQLITE_NULL || type == SQLITE_BLOB) return std::nullopt;
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    if (text == nullptr) throw std::bad_alloc();
    return std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
  }
  switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_value_int64(value)};
    case SQLITE_FLOAT: {
      constexpr double kTooLarge = 9'223'372'036'854'775'808.0;  // 2^63
      const double real = sqlite3_value_double(value);
      const bool integral = std::floor(real) == real && std::abs(real) < kTooLarge;
      return integral ? std::optional<Value>(static_cast<std::int64_t>(real)) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// Ignores a bound that is not an integer, because SQLite checks each row again.
void narrow(IdWalk& walk, int bound, sqlite3_value* value) {
  if (sqlite3_value_type(value) != SQLITE_INTEGER) return;
  const std::int64_t at = sqlite3_value_int64(value);
  const auto id = static_cast<std::uint64_t>(std::max<std::int64_t>(at, 0));
  (bound == kFromBelow ? walk.first : walk.last) = id;
}

std::unique_ptr<Scan> scan_of(const Made& made, int how, sqlite3_value** arguments) {
  const Path& path = made.table->paths[static_cast<std::size_t>(how & kPathMask)];
  std::vector<Value> values;
  for (const std::size_t column : path.columns) {
    auto value = value_for(made.table->columns[column], *arguments++);
    if (!value) return nothing();
    values.push_back(std::move(*value));
  }
  IdWalk walk;
  for (const int bound : {kFromBelow, kToAbove}) {
    if ((how & bound) != 0) narrow(walk, bound, *arguments++);
  }
  if ((how & kNewestFirst) != 0) walk.direction = Direction::kDown;
  return path.open(made.shared->sources, values, walk);
}

// Reads the cursor's next block. Throws once the deadline has passed.
void fill(OneCursor& cursor, QueryContext& shared) {
  cursor.row = 0;
  do {
    shared.deadline.check();
    cursor.over = !cursor.scan->fill(cursor.block);
    shared.read += cursor.scan->size();
    cursor.block = std::min(cursor.block * kBlockGrowth, kLargestBlock);
  } while (!cursor.over && cursor.scan->size() == 0);
}

int filter(sqlite3_vtab_cursor* of, int how, const char*, int, sqlite3_value** arguments) {
  auto& cursor = *static_cast<OneCursor*>(of);
  const Made& made = made_of(of->pVtab);
  return guarded(*made.shared, [&] {
    cursor.block = kFirstBlock;
    cursor.scan = scan_of(made, how, arguments);
    fill(cursor, *made.shared);
  });
}

int next(sqlite3_vtab_cursor* of) {
  auto& cursor = *static_cast<OneCursor*>(of);
  if (++cursor.row < cursor.scan->size()) return SQLITE_OK;
  QueryContext& shared = *made_of(of->pVtab).shared;
  return guarded(shared, [&] { fill(cursor, shared); });
}

int at_end(sqlite3_vtab_cursor* of) { return static_cast<OneCursor*>(of)->over ? 1 : 0; }

int column(sqlite3_vtab_cursor* of, sqlite3_context* context, int column) {
  const auto& cursor = *static_cast<OneCursor*>(of);
  return guarded(*made_of(of->pVtab).shared, [&] {
    Cell cell(context);
    cursor.scan->write(cursor.row, static_cast<std::size_t>(column), cell);
  });
}

// Not supported: the tables have no rowid.
int row_number(sqlite3_vtab_cursor*, sqlite3_int64*) { return SQLITE_ERROR; }

sqlite3_module make_module() {
  sqlite3_module module{};
  // A module without xCreate is usable as a table of the same name.
  module.xConnect = connect;
  module.xDisconnect = disconnect;
  module.xBestIndex = best_index;
  module.xOpen = open;
  module.xClose = close;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = at_end;
  module.xColumn = column;
  module.xRowid = row_number;
  return module;
}

}  // namespace

void add_table(sqlite3* connection, const QueryTable& table, QueryContext& shared) {
  static const sqlite3_module kModule = make_module();
  auto made = std::make_unique<Made>(Made{&table, &shared});
  // SQLite owns it from here, even if this fails.
  const int code =
      sqlite3_create_module_v2(connection, std::string(table.name).c_str(), &kModule,
                               made.release(), [](void* of) { delete static_cast<Made*>(of); });
  if (code != SQLITE_OK) throw std::bad_alloc();
}

}  // namespace chirp::query
