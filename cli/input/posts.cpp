#include "cli/input/posts.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/columns.h"
#include "cli/input/encoding.h"
#include "cli/input/json_values.h"
#include "cli/input/notations.h"
#include "cli/input/other_formats.h"
#include "cli/input/post_rows.h"
#include "cli/input/table_rows.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

constexpr std::string_view kJsonOpening = "{[";

Escapes escapes_of(PostFormat format) {
  switch (format) {
    case PostFormat::kTwitter:
      return Escapes::kHtml;
    case PostFormat::kAuto:
      return Escapes::kByObject;
    case PostFormat::kJsonLines:
    case PostFormat::kCsv:
      break;
  }
  return Escapes::kNone;
}

// The start of a text, long enough to detect its format: at least its first line.
std::string_view head_of(TextBuffer& buffer) {
  while (buffer.unread().size() < kRecordMax &&
         trimmed(buffer.unread()).find('\n') == std::string_view::npos) {
    if (buffer.fill() != TextBuffer::Filled::kMore) break;
  }
  return trimmed(buffer.unread());
}

}  // namespace

struct PostReader::State {
  PostFormat format;
  BadLines& bad;
  const PostSink& sink;
  IdCells ids;
  JsonObjects objects;
  TableLayout layout;
  std::string file_author{};  // author of posts that name none

  // State of the text being read.
  std::string_view name{};
  Unknown unknown = Unknown::kRefused;
  PostsRead result{};
  bool by_line = false;  // each line is a JSON value
  bool told = false;     // whether the format has been reported

  PostsRead read(TextBuffer& buffer) {
    ids.begin_text();
    const std::string_view head = head_of(buffer);
    if (head.empty()) {
      skip("it is empty");
      return result;
    }
    if (const auto other = looks_like(head)) {
      if (skip("it looks like " + *other)) return result;
      throw Error(ErrorCode::kBadInput, fmt::format("{}: this looks like {}.", name, *other));
    }
    const bool json = kJsonOpening.find(head.front()) != std::string_view::npos;
    if (format == PostFormat::kCsv || (format == PostFormat::kAuto && !json)) {
      read_table(buffer);
    } else if (!json && skip("it does not begin like JSON")) {
      return result;
    } else if (format == PostFormat::kJsonLines || (head.front() == '{' && are_json_lines(head))) {
      read_lines(buffer);
    } else {
      read_values(buffer);
    }
    return result;
  }

  // Whether the text is skipped rather than refused.
  bool skip(std::string&& why) {
    result.skipped = unknown == Unknown::kSkipped;
    if (result.skipped) result.why = std::move(why);
    return result.skipped;
  }

  void read_lines(TextBuffer& buffer) {
    by_line = true;
    buffer.allow_pages();
    Lines lines(buffer);
    while (const auto line = lines.next()) {
      if (line->kind == LineKind::kTooLong) {
        bad.add({name, line->number}, too_long("line", buffer.record_max()));
      } else if (!trimmed(line->text).empty() && !take(line->text, line->number)) {
        return;
      }
    }
  }

  void read_values(TextBuffer& buffer) {
    buffer.allow_pages();
    JsonValues values(buffer);
    while (const auto value = values.next()) {
      if (!value->problem.empty()) {
        bad.add({name, value->line}, value->problem);
      } else if (!take(value->text, value->line, value->column)) {
        return;
      }
    }
  }

  // Sets the author's id from the name. A number is an id, as in every file. A name that can't be a
  // username is used as an id too; with --ids words, every name is.
  void name_by_word(load::SourcePost& post) const {
    if (post.author_id || post.username.empty()) return;
    if (const auto id = parse_source_id(post.username)) {
      post.author_id = id;
      post.username.clear();  // the number is not the user's name
      return;
    }
    if (ids.kind() == IdKind::kWords || !is_username(post.username)) {
      post.author_id = ids.user(post.username);
    }
  }

  // A file's name is not part of a text, so it may be a word with blanks.
  void name_by_file(load::SourcePost& post) const {
    if (file_author.empty() || post.author_id || !post.username.empty()) return;
    post.username = file_author;
    if (post.display_name.empty()) post.display_name = file_author;
    if (!is_username(file_author)) post.author_id = ids.any(file_author);
  }

  // False if the text is to be skipped.
  bool take(std::string_view text, std::uint64_t line, std::size_t column = 0) {
    return objects.read(
        text, ids, [&](JsonObject&& object) { return take(std::move(object), line); }, column);
  }
  bool take(JsonObject&& object, std::uint64_t line) {
    if (const auto* const wrong = std::get_if<Unusable>(&object)) {
      bad.add({name, line + wrong->lines}, wrong->why);
      return true;
    }
    if (auto* const user = std::get_if<ProtectedUser>(&object)) {
      if (const auto problem = note(std::move(*user))) bad.add({name, line}, *problem);
      return true;
    }
    if (const auto* const other = std::get_if<Unrelated>(&object)) {
      const bool is_first = result.posts + result.users + result.left_out == 0;
      if (is_first && skip("its first object is not a post or a user; it has " + other->members)) {
        return false;
      }
      if (unknown == Unknown::kSkipped) return true;
      bad.add({name, line},
              fmt::format("not a post or a user: the object has no text and no name{}",
                          other->members.empty() ? "" : "; the object has " + other->members));
      return true;
    }
    understood({.format = by_line ? "JSON, a value a line" : "JSON"});
    if (auto* const post = std::get_if<load::SourcePost>(&object)) {
      if (const auto problem = put(std::move(*post), line)) bad.add({name, line}, *problem);
    } else if (auto* const user = std::get_if<load::SourceUser>(&object)) {
      const auto problem = sink.check_user ? sink.check_user(*user) : std::nullopt;
      if (problem) {
        bad.add({name, line}, *problem);
        return true;
      }
      ++result.users;
      sink.user(std::move(*user));
    } else if (const auto* const deletion = std::get_if<Deletion>(&object)) {
      ++result.left_out;
      if (sink.deletion) sink.deletion(*deletion, {name, line});
    } else {
      leave_out(std::get<LeftOut>(object), line);
    }
    return true;
  }

  // Returns what is wrong with the user, or empty.
  std::optional<std::string> note(ProtectedUser&& user) const {
    if (!sink.protected_user) return std::nullopt;
    load::SourcePost post;  // used to resolve the author as for posts
    post.author_id = user.id;
    post.username = std::move(user.username);
    name_by_file(post);
    name_by_word(post);
    return sink.protected_user({post.author_id, post.username});
  }

  void leave_out(const LeftOut& what, std::uint64_t line) {
    ++result.left_out;
    if (sink.left_out) sink.left_out(what, {name, line});
  }

  void understood(Understood&& what) {
    if (!std::exchange(told, true) && sink.understood) sink.understood(std::move(what));
  }
  [[nodiscard]] static Understood table(std::size_t width, const Columns& columns, char separator) {
    Understood what{.format = "table of posts",
                    .separator = separator_name(separator),
                    .columns = {},
                    .choice = {}};
    for (std::size_t i = 0; i < width; ++i) {
      const auto field = columns.field_of(i);
      what.columns.emplace_back(field ? field_name(*field) : "-");
    }
    return what;
  }

  // Stores the post. Returns what is wrong with it, or empty.
  std::optional<std::string> put(load::SourcePost&& post, std::uint64_t line) {
    name_by_file(post);
    name_by_word(post);
    for (load::SourcePost& inside : post.original) name_by_word(inside);
    auto problem = sink.post(std::move(post), {name, line});
    if (!problem) ++result.posts;
    return problem;
  }

  // Reads a table whose columns are named by its header or by the user.
  void read_table(TextBuffer& buffer) {
    const std::size_t width = layout.columns.size();
    TableStyle style{.separator = layout.separator};
    if (width > 0) {
      // Cells may be quoted only if the separator is a comma or semicolon.
      const std::string_view head = head_of(buffer);
      if (!style.separator) style.separator = separator_in(head.substr(0, head.find('\n')));
      if (style.separator != ',' && style.separator != ';') style.plain_cells = width;
    }
    TableRows rows(buffer, style);
    auto first = rows.next();
    if (!first) return;
    const std::uint64_t line = first->line;
    const std::size_t found = first->cells.size();
    Columns columns = width > 0
                          ? Columns::named(layout.columns,
                                           layout.of_twitter ? Platform::kTwitter : Platform::kAny)
                          : Columns::of_posts(first->cells, layout.named);
    if (width == 0 && file_author.empty() && layout.owner.empty()) columns.name_authors();
    if (width > 0) {
      if (layout.header == HeaderRow::kYes ||
          (layout.header == HeaderRow::kAuto && is_header(*first, columns))) {
        bad.note({name, line}, "the first row is read as a header and skipped");
        first = rows.next();
      }
      if (!first || (!may_be_post(*first, columns) && skip("its first row is not a post"))) return;
    } else if (const std::string missing = missing_in(columns); !missing.empty()) {
      if (skip("as a table of posts it lacks " + missing)) return;
      if (is_data(*first)) {
        throw Error(ErrorCode::kBadInput,
                    fmt::format("{}:{}: the first row looks like a post and not like a header: {}. "
                                "Name the columns in their order, as in --columns "
                                "-,id,createdAt,-,author,text (- ignores a column)",
                                name, line, names_in(first->cells)));
      }
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}:{}: the header has to name id, author or authorId, text and "
                              "createdAt (or a known alternative name). It has {}; there is no {}. "
                              "--columns FIELD=COLUMN names the column",
                              name, line, names_in(first->cells), missing));
    }
    understood(table(width > 0 ? width : found, columns, rows.separator()));
    if (width == 0) first = rows.next();
    if (!first) return;
    // Handwritten and tab-separated lines often end in blanks.
    const bool trims = style.plain_cells > 0;
    PostRows posts(columns, layout, escapes_of(format), ids, file_author, trims);
    rows.read_from(*std::move(first), name, bad, [&](TableRow& row) {
      auto user = posts.protected_author(row);
      auto problem = user ? note(*std::move(user)) : std::nullopt;
      return problem ? problem : take_row(posts.read(row), row.line);
    });
    if (const std::string words = posts.warning(); !words.empty()) bad.note({name, line}, words);
  }

  // Returns the missing fields that a table of posts must have: without ids, authors as well.
  [[nodiscard]] std::string missing_in(const Columns& columns) const {
    std::string missing;
    const auto miss = [&missing](std::string_view what) {
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", what);
    };
    const bool author = columns.has(Field::kAuthorId) || columns.has(Field::kUsername) ||
                        !file_author.empty() || !layout.owner.empty();
    if (!columns.has(Field::kId) && !author) miss("id, author or authorId");
    if (!columns.has(Field::kText)) miss("text");
    if (!columns.has(Field::kCreatedAt)) miss("createdAt");
    return missing;
  }

  // Returns what is wrong with the row, or empty.
  std::optional<std::string> take_row(JsonObject&& row, std::uint64_t line) {
    if (auto* const wrong = std::get_if<Unusable>(&row)) return std::move(wrong->why);
    if (auto* const post = std::get_if<load::SourcePost>(&row)) return put(std::move(*post), line);
    leave_out(std::get<LeftOut>(row), line);
    return std::nullopt;
  }

  // Whether a row has a time in it, and no column name.
  [[nodiscard]] bool is_data(const TableRow& row) const {
    return std::ranges::none_of(row.cells,
                                [](auto cell) { return post_field(cell).has_value(); }) &&
           std::ranges::any_of(row.cells, [&](auto cell) {
             return cell.find_first_not_of("0123456789") != std::string_view::npos &&
                    layout.times.read(cell).has_value();
           });
  }

  [[nodiscard]] bool may_be_post(const TableRow& row, const Columns& columns) const {
    return columns.has(Field::kId)
               ? parse_source_id(columns.cell(row.cells, Field::kId)).has_value()
               : layout.times.read(columns.cell(row.cells, Field::kCreatedAt)).has_value();
  }

  static bool is_header(const TableRow& row, const Columns& columns) {
    const Field field = columns.has(Field::kId) ? Field::kId : Field::kCreatedAt;
    const auto named = post_field(columns.cell(row.cells, field));
    return named && named->field == field;
  }
};

PostReader::PostReader(PostFormat format, BadLines& bad, const PostSink& sink, TableLayout layout)
    : state_(new State{.format = format,
                       .bad = bad,
                       .sink = sink,
                       .ids = sink.ids,
                       .objects = JsonObjects(escapes_of(format), layout.times),
                       .layout = std::move(layout)}) {}
PostReader::~PostReader() = default;

void PostReader::set_author(std::string name) { state_->file_author = std::move(name); }

PostsRead PostReader::read(TextBuffer& buffer, std::string_view name, Unknown unknown) {
  state_->name = name;
  state_->unknown = unknown;
  state_->result = {};
  state_->by_line = false;
  state_->told = false;
  return state_->read(buffer);
}

}  // namespace chirp::cli::input
