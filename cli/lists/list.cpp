#include "cli/lists/list.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"
#include "server/json/render_content.h"

namespace chirp::cli {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, message);
}

}  // namespace

void add_form_arguments(Command& verb, ListArguments& arguments, const FieldNames& known) {
  arguments.known = known;
  verb.add_flag("--csv", arguments.csv, "Print CSV, with a header of field names");
  add_text(verb, "--fields", arguments.fields, "NAMES",
           "With --json or --csv: print only these fields, in this order")
      ->listing({known.begin(), known.end()});
}

void add_list_arguments(Command& verb, ListArguments& arguments, const ListPaging& paging,
                        const FieldNames& known) {
  arguments.paging = paging;
  add_limit(verb, arguments.limit, paging.size);
  add_text(verb, "--cursor", arguments.cursor, "CURSOR", paging.cursor);
  if (paging.older_name != nullptr) {
    add_text(verb, paging.older_name, arguments.older_cursor, "CURSOR", "The same as --cursor");
  }
  verb.add_flag("--all", arguments.all, "Print the whole list");
  add_form_arguments(verb, arguments, known);
}

std::optional<ListCursor> cursor_of(const ListArguments& arguments) {
  if (arguments.cursor && arguments.older_cursor) {
    refuse(fmt::format("--cursor and {} are the same option. Give one of them.",
                       arguments.paging.older_name));
  }
  if (arguments.cursor) return ListCursor{"--cursor", *arguments.cursor};
  if (arguments.older_cursor) {
    return ListCursor{arguments.paging.older_name, *arguments.older_cursor};
  }
  return std::nullopt;
}

void refuse_cursor(const ListCursor& cursor, std::string_view takes) {
  refuse(fmt::format("{} takes {}, not \"{}\".", cursor.option, takes, printable(cursor.text)));
}

void check_csv(const Output& out, bool csv) {
  if (csv && out.json()) refuse("Give --csv or --json, not both.");
}

std::optional<FieldChoice> chosen_fields(const Output& out, const ListArguments& arguments) {
  check_csv(out, arguments.csv);
  if (!arguments.csv && !arguments.fields) return std::nullopt;
  if (!for_programs(out, arguments)) refuse("--fields needs --json or --csv.");
  return FieldChoice(arguments.known, arguments.fields);
}

bool for_programs(const Output& out, const ListArguments& arguments) {
  return out.json() || arguments.csv;
}

ListPrinter::ListPrinter(Output& out, const ListArguments& arguments, ListShape shape)
    : out_(out), arguments_(arguments), shape_(std::move(shape)), table_(shape_.columns) {
  choice_ = chosen_fields(out, arguments);
  if (arguments.all && arguments.limit) {
    refuse("--all prints the whole list, and --limit a part of it. Give one of them.");
  }
}

std::uint32_t ListPrinter::limit() const {
  if (arguments_.all) return arguments_.paging.size.most;
  return parse_limit(arguments_.limit, arguments_.paging.size);
}

void ListPrinter::begin() {
  if (std::exchange(begun_, true)) return;
  if (arguments_.csv) {
    out_.print(csv_row(choice_->names()));
  } else {
    out_.print(fmt::format("{{\"{}\":[", shape_.key));
  }
}

void ListPrinter::object(const std::string& json) {
  const bool first = !begun_;
  begin();
  if (arguments_.csv) return out_.print(csv_row(choice_->cells(json)));
  if (!first) out_.print(",");
  out_.print(choice_ ? choice_->chosen(json) : json);
}

void ListPrinter::row(std::vector<std::string> cells) {
  table_.row(std::move(cells));
  if (++rows_ == kTableRows) print_table();
}

void ListPrinter::print_table() {
  table_.print(out_);
  table_ = TextTable(shape_.columns);
  rows_ = 0;
}

void ListPrinter::end(const ListEnd& end) {
  if (for_programs()) begin();
  if (out_.json()) return end_document(end);
  print_table();
  say_end(end);
}

void ListPrinter::end_document(const ListEnd& end) {
  api::JsonWriter json;
  if (shape_.paginated) api::write_pagination(json, end.next);
  if (end.total) json.field("totalCount", std::max<std::int64_t>(*end.total, 0));
  if (!end.fields.empty()) json.fields(end.fields);
  const std::string fields = json.take();
  out_.print(fmt::format("]{}{}}}\n", fields.empty() ? "" : ",", fields));
}

void ListPrinter::say_end(const ListEnd& end) {
  if (!arguments_.csv) out_.print(end.text);
  if (items_ == 0) out_.note(shape_.none);
  if (!end.note.empty()) out_.note(end.note);
  if (!end.hint.empty()) return out_.note(end.hint);
  if (!end.next) return;
  out_.note(end.total ? fmt::format("{} of {} shown. Continue with --cursor {}", items_, *end.total,
                                    *end.next)
                      : fmt::format("There are more: --cursor {}", *end.next));
}

}  // namespace chirp::cli
