#include "cli/load/options.h"

#include "core/error.h"
#include "core/model/nearest.h"

namespace chirp::cli {

Command& load_noun(CommandLine& app) {
  return app.noun({"load", "Load graphs, posts, events and archives from files.",
                   "chirp load graph follows.csv.gz --names people.csv\n"
                   "chirp load posts tweets.tar.zst"});
}

void add_input(Command& verb, LoadInput& input) {
  verb.add_option("FILE", input.files, "What to load; - is standard input")->required();
  verb.add_option("--encoding", input.encoding,
                  "Of the files: utf-8, windows-1252, mixed (either), utf-16, or one of `iconv -l`")
      ->option_text("NAME");
  add_text(verb, "--max-errors", input.max_errors, "N", "Pass over up to N bad lines");
  add_memory(verb, input);
  verb.add_flag("--dry-run", input.dry_run, "Say what is understood and would be stored; no more");
}

void add_memory(Command& verb, LoadInput& input) {
  add_text(verb, "--memory", input.memory, "SIZE",
           "Use up to SIZE to unpack zst: 256M, 512M, 1G, 2G (default: 128M)");
}

void add_table(Command& verb, TableOptions& table, HasTimes times, const std::string& names) {
  add_text(verb, "--columns", table.columns, "NAMES",
           "Of a table without a header: " + names + ". Of one with: FIELD=COLUMN, COLUMN=-");
  add_text(verb, "--separator", table.separator, "CHAR", "Of a table's cells: a character, tab");
  verb.add_option("--header", table.header, "Whether a table's first row names its columns")
      ->one_of({"auto", "yes", "no"});
  if (times == HasTimes::kNo) return;
  add_text(verb, "--time-format", table.time_format, "FORMAT",
           "Of times, as strptime has it, and %f: \"%d/%m/%Y %H:%M\"");
  add_text(verb, "--time-zone", table.time_zone, "ZONE",
           "Of times that name none: +02:00; of a name: CEST=+02:00");
}

input::TableLayout layout_of(const TableOptions& table, input::TableContent what) {
  input::TableLayout layout;
  if (table.separator) layout.separator = input::parse_separator(*table.separator);
  layout.header = table.header == "yes"  ? input::HeaderRow::kYes
                  : table.header == "no" ? input::HeaderRow::kNo
                                         : input::HeaderRow::kAuto;
  layout.times = input::Times(table.time_format, table.time_zone);
  const bool by_names = table.columns && table.columns->find('=') != std::string::npos;
  if (table.header == "no" &&
      (by_names || (!table.columns && what == input::TableContent::kPosts))) {
    throw Error(ErrorCode::kInvalidArgument,
                "--header no: without names in the file --columns has to name all of its columns.");
  }
  if (by_names) {
    layout.named = input::parse_named_columns(*table.columns, what);
  } else if (table.columns) {
    layout.columns = input::parse_columns(*table.columns, what);
    layout.of_twitter =
        what == input::TableContent::kPosts && input::has_twitter_column(*table.columns);
  }
  return layout;
}

input::TableLayout tie_layout(const TableOptions& table, const std::string& format) {
  if (table.separator && !table.columns) {
    throw Error(ErrorCode::kInvalidArgument,
                "--separator is of a table whose columns --columns names.");
  }
  if (table.columns && format != "auto") {
    throw Error(ErrorCode::kInvalidArgument,
                "--columns says what each row is: it goes without --format.");
  }
  return layout_of(table, input::TableContent::kTies);
}

void add_ids(Command& verb, std::string& ids) {
  verb.add_option("--ids", ids, "Form of the ids of users and posts (default: auto)")
      ->option_text("auto|numbers|words");
}

input::IdKind parse_id_kind(const std::string& ids) {
  return choice_of("--ids", input::kIdKinds, ids);
}

}  // namespace chirp::cli
