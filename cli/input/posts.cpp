#include "cli/input/posts.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/columns.h"
#include "cli/input/encoding.h"
#include "cli/input/json_objects.h"
#include "cli/input/json_values.h"
#include "cli/input/notations.h"
#include "cli/input/table_cells.h"
#include "cli/input/table_rows.h"
#include "core/error.h"
#include "core/load/made_up.h"
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

// The start of a text, enough to tell what it is: its first line at least.
std::string_view head_of(TextBuffer& buffer) {
  while (buffer.unread().size() < kRecordMax &&
         trimmed(buffer.unread()).find('\n') == std::string_view::npos) {
    if (buffer.fill() != TextBuffer::Filled::kMore) break;
  }
  return trimmed(buffer.unread());
}

// Of addresses parted by blanks; what is said is said of the first.
std::vector<load::SourceMedium> media_at(std::string_view addresses, std::string_view alt_text) {
  std::vector<load::SourceMedium> media;
  for (const std::string_view one : cells_of(addresses, ' ')) media.emplace_back().address = one;
  if (alt_text.empty()) return media;
  if (media.empty()) media.emplace_back();
  media.front().alt_text = alt_text;
  return media;
}

}  // namespace

struct PostReader::State {
  PostFormat format;
  BadLines& bad;
  const PostSink& sink;
  IdCells ids;
  JsonObjects objects;
  Layout layout;
  std::string file_author{};  // who wrote what names nobody

  // Of the text being read.
  std::string_view name{};
  Unknown unknown = Unknown::kRefused;
  PostsRead result{};
  bool by_line = false;  // each line is a value of JSON
  bool told = false;     // what it is understood as
  RoundedIds rounded{};
  std::unordered_map<std::uint64_t, std::uint32_t> equal_rows{};  // counts, by made-up id

  PostsRead read(TextBuffer& buffer) {
    ids.begin_text();
    const std::string_view head = head_of(buffer);
    if (head.empty()) return result;
    const bool json = kJsonOpening.find(head.front()) != std::string_view::npos;
    if (format == PostFormat::kCsv || (format == PostFormat::kAuto && !json)) {
      read_table(buffer);
    } else if (unknown == Unknown::kSkipped && !json) {
      result.skipped = true;
    } else if (format == PostFormat::kJsonLines || (head.front() == '{' && are_json_lines(head))) {
      read_lines(buffer);
    } else {
      read_values(buffer);
    }
    return result;
  }

  void read_lines(TextBuffer& buffer) {
    by_line = true;
    Lines lines(buffer);
    while (const auto line = lines.next()) {
      if (line->kind == LineKind::kTooLong) {
        bad.add({name, line->number}, "the line is longer than 1 MiB");
      } else if (!trimmed(line->text).empty() && !take(line->text, line->number)) {
        return;
      }
    }
  }

  void read_values(TextBuffer& buffer) {
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

  // A file's name is nobody's text, so it may be a word with blanks.
  void name_by_file(load::SourcePost& post) const {
    if (file_author.empty() || post.author_id || !post.username.empty()) return;
    post.username = file_author;
    if (post.display_name.empty()) post.display_name = file_author;
    if (!is_username(file_author)) post.author_id = ids.any(file_author);
  }

  // False if the text is to be passed over.
  bool take(std::string_view text, std::uint64_t line, std::size_t column = 0) {
    JsonObject object = objects.read(text, ids, column);
    if (std::holds_alternative<load::SourcePost>(object) ||
        std::holds_alternative<load::SourceUser>(object) ||
        std::holds_alternative<NotForReaders>(object)) {
      understood({.format = by_line ? "JSON, a value a line" : "JSON"});
    }
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
    } else if (const auto* const wrong = std::get_if<Unusable>(&object)) {
      bad.add({name, line + wrong->lines}, wrong->why);
    } else if (std::holds_alternative<NotForReaders>(object)) {
      leave_out_direct(line);
    } else if (unknown == Unknown::kSkipped) {
      result.skipped = result.posts + result.users == 0;
      return !result.skipped;
    } else {
      bad.add({name, line}, "neither a post nor a user: no text, no name");
    }
    return true;
  }

  void leave_out_direct(std::uint64_t line) {
    ++result.direct;
    if (sink.direct) sink.direct({name, line});
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
    const Columns columns =
        width > 0 ? Columns::named(layout.columns) : Columns::of_posts(first->cells, layout.named);
    if (width > 0) {
      if (layout.header == HeaderRow::kYes ||
          (layout.header == HeaderRow::kAuto && is_header(*first, columns))) {
        bad.note({name, line}, "the first row is taken for a header and left out");
        first = rows.next();
      }
      result.skipped = first && unknown == Unknown::kSkipped && !may_be_post(*first, columns);
      if (!first || result.skipped) return;
    } else if (const std::string missing = missing_in(columns); !missing.empty()) {
      result.skipped = unknown == Unknown::kSkipped;
      if (result.skipped) return;
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}:{}: the header has to name id, author or authorId, text and "
                              "createdAt (or their usual other names). It has {}; there is no {}. "
                              "--columns FIELD=COLUMN says which column it is",
                              name, line, names_in(first->cells), missing));
    }
    understood(table(width > 0 ? width : found, columns, rows.separator()));
    if (width == 0) first = rows.next();
    if (!first) return;
    rows.read_from(*std::move(first), name, bad,
                   [&](TableRow& row) { return take_row(row, columns); });
    if (const std::string words = rounded.warning(); !words.empty()) bad.note({name, line}, words);
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

  // Returns what is wrong with the row's number of cells, or empty.
  [[nodiscard]] std::optional<std::string> width_problem(const TableRow& row) const {
    const std::size_t width = layout.columns.size();
    for (std::size_t i = width; width > 0 && i < row.cells.size(); ++i) {
      if (trimmed(row.cells[i]).empty()) continue;
      return fmt::format("the row has {} cells, and {} columns are named", row.cells.size(), width);
    }
    return std::nullopt;
  }

  // False if the cell names no other post though it says something.
  bool read_link(std::string_view cell, SourceId self, std::optional<SourceId>& link) const {
    if (says_nothing(cell)) return true;
    link = ids.link(cell);
    const bool good = link.has_value();
    if (link == self) link.reset();  // nobody answers or repeats their own words
    return good;
  }

  // Makes the id of a row without one from its author, time and text, and from the number of equal
  // rows before it, so that a file gives the same posts under any file name.
  SourceId id_made_of(const TableRow& row, const Columns& columns, Time when) {
    constexpr std::size_t kRemembered = std::size_t{8} << 20;
    std::string_view author = layout.owner;
    for (const std::string_view other :
         {columns.cell(row.cells, Field::kAuthorId), columns.cell(row.cells, Field::kUsername),
          std::string_view(file_author)}) {
      if (trimmed(author).empty()) author = other;
    }
    const std::string_view text = columns.cell(row.cells, Field::kText);
    const SourceId id = load::made_up_post(trimmed(author), when, text, 0);
    if (equal_rows.size() >= kRemembered && !equal_rows.contains(id.value)) return id;
    const std::uint32_t before = equal_rows[id.value]++;
    return before == 0 ? id : load::made_up_post(trimmed(author), when, text, before);
  }

  // Returns what is wrong with the row, or empty.
  std::optional<std::string> take_row(TableRow& row, const Columns& columns) {
    if (auto problem = width_problem(row)) return problem;
    if (row.bad_line != 0 && !are_utf8(row, columns)) {
      row.line = row.bad_line;
      return row.bad_text;
    }
    const auto cell = [&](Field field) { return columns.cell(row.cells, field); };
    const auto when = layout.times.read(cell(Field::kCreatedAt));
    const auto id = columns.has(Field::kId) ? ids.post(cell(Field::kId))
                    : when                  ? std::optional(id_made_of(row, columns, *when))
                                            : std::optional(SourceId{});
    if (!id) {
      return fmt::format("the id \"{}\" is {}", printable(cell(Field::kId), 40),
                         ids.expected_post(cell(Field::kId)));
    }
    if (!when) return layout.times.problem(cell(Field::kCreatedAt));
    rounded.see(cell(Field::kId));
    std::string problem;
    const auto privacy = privacy_of(columns.audience(row.cells, problem));
    if (!problem.empty()) return problem;
    if (!privacy) {
      leave_out_direct(row.line);
      return std::nullopt;
    }
    load::SourcePost post;
    post.id = *id;
    post.created_at = *when;
    post.privacy = *privacy;
    if (const std::string_view author = trimmed(cell(Field::kAuthorId)); !author.empty()) {
      post.author_id = ids.user(author);
      if (!post.author_id) {
        return fmt::format("the author id \"{}\" is {}", printable(author, 40),
                           ids.expected_user(author));
      }
      rounded.see(author);
    }
    post.username = without_at(cell(Field::kUsername));
    post.display_name = std::string(cell(Field::kDisplayName));
    // Lines that are written by hand, or parted by tabs, end in blanks.
    const std::string_view text =
        layout.columns.empty() ? cell(Field::kText) : trimmed(cell(Field::kText));
    const bool escaped = format == PostFormat::kTwitter ||
                         (format == PostFormat::kAuto &&
                          (columns.of_twitter() || is_twitter_link(trimmed(cell(Field::kLink)))));
    post.text = escaped ? html_unescaped(text) : std::string(text);
    post.media = media_at(cell(Field::kMediaUrls), trimmed(cell(Field::kAltTexts)));
    for (const auto& [field, link] : {std::pair(Field::kRepostOf, &post.repost_of),
                                      std::pair(Field::kReplyTo, &post.reply_to)}) {
      if (read_link(cell(field), post.id, *link)) continue;
      return fmt::format("the id \"{}\" of what it {} is {}", printable(cell(field), 40),
                         field == Field::kRepostOf ? "repeats" : "answers",
                         ids.expected_post(cell(field)));
    }
    return put(std::move(post), row.line);
  }
};

PostReader::PostReader(PostFormat format, BadLines& bad, const PostSink& sink, Layout layout)
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
  state_->rounded = {};
  state_->equal_rows.clear();
  return state_->read(buffer);
}

std::optional<PostFormat> post_format_named(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, PostFormat>, 4> kNames{
      {{"auto", PostFormat::kAuto},
       {"jsonl", PostFormat::kJsonLines},
       {"csv", PostFormat::kCsv},
       {"twitter", PostFormat::kTwitter}}};
  for (const auto& [known, format] : kNames) {
    if (name == known) return format;
  }
  return std::nullopt;
}

}  // namespace chirp::cli::input
