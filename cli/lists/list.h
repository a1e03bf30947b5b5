// Lists: the options that each of them takes, and the one way they are printed.
//
//   struct ListOptions { std::string name; ListArguments list; };
//   add_list_arguments(verb, options.list, {kUserPage}, user_fields());
//
//   print_list(context.out(), options.list, List<Item>{shape, page, write, row, {}});
//
// People get a table, or what `print` makes of an item; programs one document of JSON, or CSV. With
// `--all` pages follow one another to the end, each of a state of its own and gone before the next
// is read: nothing is pinned however slow the reader is, and memory holds a page.
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

// How many items a page has, and what else a list calls its cursor.
struct ListPaging {
  PageSize size;
  const char* older_name = nullptr;  // of --cursor, as in `--after`
  const char* cursor = "Go on behind this: a page's nextCursor";
};

struct ListArguments {
  ListPaging paging{kPostPage};
  FieldNames known{};  // of an item
  std::optional<std::string> limit;
  std::optional<std::string> cursor;
  std::optional<std::string> older_cursor;
  std::optional<std::string> fields;
  bool all = false;
  bool csv = false;
};

// `--limit`, `--cursor`, `--all`, and those of add_form_arguments().
void add_list_arguments(Command& verb, ListArguments& arguments, const ListPaging& paging,
                        const FieldNames& known);
// `--csv` and `--fields` alone, for what comes as a whole.
void add_form_arguments(Command& verb, ListArguments& arguments, const FieldNames& known);

// Where to go on, and the option that said so.
struct ListCursor {
  std::string option;
  std::string text;
};
// Throws Error{kInvalidArgument} if both names are used.
[[nodiscard]] std::optional<ListCursor> cursor_of(const ListArguments& arguments);
[[noreturn]] void refuse_cursor(const ListCursor& cursor, std::string_view takes);
// What `parse` makes of a cursor, nothing of none. Throws Error{kInvalidArgument}, which says what
// it `takes`, if it makes nothing of one.
template <class Parse>
auto parsed_cursor(const std::optional<ListCursor>& cursor, Parse parse,
                   std::string_view takes = "what a page gave as nextCursor")
    -> decltype(parse(std::string_view())) {
  if (!cursor) return std::nullopt;
  auto place = parse(std::string_view(cursor->text));
  if (!place) refuse_cursor(*cursor, takes);
  return place;
}

struct ListShape {
  std::string key;                // of the array in JSON
  std::string none;               // what people are told of an empty list
  bool paginated = true;          // JSON has `pagination`
  std::vector<Column> columns{};  // of the table, if it is one
};

// What stands behind the items of a page.
struct ListEnd {
  std::optional<std::string> next{};    // cursor; nothing at the end
  std::optional<std::int64_t> total{};  // items of the whole list
  std::string fields{};                 // further ones of the document, as JSON
  std::string text{};                   // for people, with the items
  std::string note{};                   // for people, before the hint
  std::string hint{};                   // how to go on, if not by `--cursor` and `next`
};

template <class Item>
struct ListPage {
  std::vector<Item> items;
  ListEnd end{};
};

template <class Item>
struct List {
  ListShape shape;
  // The page behind a cursor, or the first one; at most so many items.
  std::function<ListPage<Item>(const std::optional<ListCursor>& cursor, std::uint32_t limit)> page;
  std::function<void(api::JsonWriter&, const Item&)> write;    // as the API has it
  std::function<std::vector<std::string>(const Item&)> row{};  // of the table
  std::function<void(const Item&)> print{};                    // where there is no table
};

// Throws Error{kInvalidArgument} if JSON is asked for beside CSV.
void check_csv(const Output& out, bool csv);
// The fields of CSV, or those chosen by `--fields`; nothing if items go out as they are. Throws
// Error{kInvalidArgument} for arguments that don't go together, and for unknown fields.
[[nodiscard]] std::optional<FieldChoice> chosen_fields(const Output& out,
                                                       const ListArguments& arguments);
// Whether items go out as JSON or CSV.
[[nodiscard]] bool for_programs(const Output& out, const ListArguments& arguments);

class ListPrinter {
 public:
  // Throws Error{kInvalidArgument} for arguments that don't go together, and for unknown fields.
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
  Table table_;
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
