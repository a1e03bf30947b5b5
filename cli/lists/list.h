// Lists: their common options, and how they are printed.
//
//   struct ListOptions { std::string name; ListArguments list; };
//   add_list_arguments(verb, options.list, {kUserPage}, user_fields());
//
//   print_list(context.out(), options.list, List<Item>{shape, page, write, row, {}});
//
// People get a table, or the output of `print`; programs get one JSON document, or CSV. `--all`
// reads all pages, each from its own snapshot, which is released before the next one. So a slow
// reader pins nothing, and memory holds one page.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/lists/fields.h"
#include "cli/output.h"
#include "cli/table.h"
#include "server/json/json_writer.h"

namespace chirp::cli {

// The page sizes of a list, and another name of its cursor.
struct ListPaging {
  PageSize size;
  const char* older_name = nullptr;  // another name of --cursor, such as `--after`
  const char* cursor = "Continue after this: a page's nextCursor";
};

struct ListArguments {
  ListPaging paging{kPostPage};
  FieldNames known{};  // all fields of an item
  std::optional<std::string> limit;
  std::optional<std::string> cursor;
  std::optional<std::string> older_cursor;
  std::optional<std::string> fields;
  bool all = false;
  bool csv = false;
};

// Declares `--limit`, `--cursor`, `--all`, and the options of add_form_arguments().
void add_list_arguments(Command& verb, ListArguments& arguments, const ListPaging& paging,
                        const FieldNames& known);
// Declares only `--csv` and `--fields`, for output that has no pages.
void add_form_arguments(Command& verb, ListArguments& arguments, const FieldNames& known);

// A cursor, and the option that gave it.
struct ListCursor {
  std::string option;
  std::string text;
};
// Throws Error{kInvalidArgument} if both names are used.
[[nodiscard]] std::optional<ListCursor> cursor_of(const ListArguments& arguments);
[[noreturn]] void refuse_cursor(const ListCursor& cursor, std::string_view takes);
// Parses a cursor with `parse`; empty without a cursor. Throws Error{kInvalidArgument}, with the
// text `takes`, if `parse` returns nothing.
template <class Parse>
auto parsed_cursor(const std::optional<ListCursor>& cursor, Parse parse,
                   std::string_view takes = "the nextCursor of a page")
    -> decltype(parse(std::string_view())) {
  if (!cursor) return std::nullopt;
  auto place = parse(std::string_view(cursor->text));
  if (!place) refuse_cursor(*cursor, takes);
  return place;
}

struct ListShape {
  std::string key;                    // of the JSON array
  std::string none;                   // message for people if the list is empty
  bool paginated = true;              // whether JSON has `pagination`
  std::vector<TextColumn> columns{};  // of the table, if there is one
};

// What follows the items of a page.
struct ListEnd {
  std::optional<std::string> next{};    // cursor; empty at the end
  std::optional<std::int64_t> total{};  // number of items in the whole list
  std::string fields{};                 // further fields of the JSON document, as JSON
  std::string text{};                   // for people, after the items
  std::string note{};                   // for people, before the hint
  std::string hint{};                   // how to continue, if not with `--cursor` and `next`
};

template <class Item>
struct ListPage {
  std::vector<Item> items;
  ListEnd end{};
};

template <class Item>
struct List {
  ListShape shape;
  // Returns the page after a cursor, or the first one, with at most `limit` items.
  std::function<ListPage<Item>(const std::optional<ListCursor>& cursor, std::uint32_t limit)> page;
  std::function<void(api::JsonWriter&, const Item&)> write;    // in the API's form
  std::function<std::vector<std::string>(const Item&)> row{};  // cells of the table
  std::function<void(const Item&)> print{};                    // used instead of a table
};

// Throws Error{kInvalidArgument} if both JSON and CSV are requested.
void check_csv(const Output& out, bool csv);
// The fields for CSV, or those of `--fields`; empty if items are printed whole. Throws
// Error{kInvalidArgument} for arguments that exclude one another, and for unknown fields.
[[nodiscard]] std::optional<FieldChoice> chosen_fields(const Output& out,
                                                       const ListArguments& arguments);
// Whether items are printed as JSON or CSV.
[[nodiscard]] bool for_programs(const Output& out, const ListArguments& arguments);

class ListPrinter {
 public:
  // Throws Error{kInvalidArgument} for arguments that exclude one another, and for unknown fields.
  ListPrinter(Output& out, const ListArguments& arguments, ListShape shape);

  [[nodiscard]] std::uint32_t limit() const;
  [[nodiscard]] bool for_programs() const { return cli::for_programs(out_, arguments_); }
  void count() { ++items_; }
  void object(const std::string& json);
  void row(std::vector<std::string> cells);
  void end(const ListEnd& end);

 private:
  void begin();
  void print_table();
  void end_document(const ListEnd& end);
  void say_end(const ListEnd& end);

  Output& out_;
  const ListArguments& arguments_;
  ListShape shape_;
  std::optional<FieldChoice> choice_;
  TextTable table_;
  bool begun_ = false;
  std::uint64_t items_ = 0;
  std::size_t rows_ = 0;  // in the table
};

template <class Item>
void print_list(Output& out, const ListArguments& arguments, const List<Item>& list) {
  ListPrinter printer(out, arguments, list.shape);
  std::optional<ListCursor> cursor = cursor_of(arguments);
  for (;;) {
    const ListPage<Item> page = list.page(cursor, printer.limit());
    for (const Item& item : page.items) {
      printer.count();
      if (printer.for_programs()) {
        api::JsonWriter json;
        list.write(json, item);
        printer.object(json.take());
      } else if (list.row) {
        printer.row(list.row(item));
      } else {
        list.print(item);
      }
    }
    if (!arguments.all || !page.end.next || out.closed()) return printer.end(page.end);
    cursor = ListCursor{"--cursor", *page.end.next};
  }
}

}  // namespace chirp::cli
