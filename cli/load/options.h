// The options that loads share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/input/ids.h"
#include "cli/input/layout.h"

namespace chirp::cli {

// The options that every load takes for its files.
struct LoadInput {
  std::vector<std::string> files;
  std::optional<std::string> max_errors;
  std::string encoding = "utf-8";
  std::optional<std::string> memory;  // for unpacking zst
  bool dry_run = false;
};

// The noun `load`, for adding verbs to it.
Command& load_noun(CommandLine& app);

// FILE, `--encoding`, `--max-errors`, `--memory` and `--dry-run`.
void add_input(Command& verb, LoadInput& input);
// `--memory`.
void add_memory(Command& verb, LoadInput& input);

// The user's options for tables.
struct TableOptions {
  std::optional<std::string> columns;
  std::optional<std::string> separator;
  std::string header = "auto";
  std::optional<std::string> time_format;
  std::optional<std::string> time_zone;

  [[nodiscard]] bool any() const { return columns || separator || header != "auto"; }
};
// Adds `--columns`, `--separator` and `--header`; for tables with times also `--time-format` and
// `--time-zone`. `names` are the columns that such a table may have.
enum class HasTimes : std::uint8_t { kNo, kYes };
void add_table(Command& verb, TableOptions& table, HasTimes times, const std::string& names);
// Returns the layout that the options describe. Throws Error{kInvalidArgument}.
[[nodiscard]] input::TableLayout layout_of(const TableOptions& table, input::TableContent what);
// The same for edges or events, where --format also matters.
[[nodiscard]] input::TableLayout tie_layout(const TableOptions& table, const std::string& format);

// Adds `--ids`, and parses its value.
void add_ids(Command& verb, std::string& ids);
[[nodiscard]] input::IdKind parse_id_kind(const std::string& ids);

}  // namespace chirp::cli
