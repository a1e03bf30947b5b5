#include "cli/input/events.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/edge_shape.h"
#include "cli/input/edges.h"
#include "cli/input/fields.h"
#include "cli/input/notations.h"
#include "cli/input/table_rows.h"
#include "cli/input/ties.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

using load::EventKind;

constexpr std::size_t kActivityCells = 4;
constexpr std::size_t kPairCells = 3;  // A, B, count
// Without a header: A, B, likes, retweets, replies.
constexpr std::size_t kPlainCells = 5;

// The kind that a column of this name counts, or the kind of interaction whose target it names.
std::optional<EventKind> counted_by(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, EventKind>, 24> kNames{{
      {"like", EventKind::kLike},         {"likes", EventKind::kLike},
      {"liked", EventKind::kLike},        {"favorite", EventKind::kLike},
      {"favorites", EventKind::kLike},    {"favorited", EventKind::kLike},
      {"favourites", EventKind::kLike},   {"retweet", EventKind::kRepost},
      {"retweets", EventKind::kRepost},   {"retweeted", EventKind::kRepost},
      {"repost", EventKind::kRepost},     {"reposts", EventKind::kRepost},
      {"reposted", EventKind::kRepost},   {"rt", EventKind::kRepost},
      {"reply", EventKind::kReply},       {"replies", EventKind::kReply},
      {"replied", EventKind::kReply},     {"replyto", EventKind::kReply},
      {"repliedto", EventKind::kReply},   {"comments", EventKind::kReply},
      {"mention", EventKind::kMention},   {"mentions", EventKind::kMention},
      {"mentioned", EventKind::kMention}, {"mt", EventKind::kMention},
  }};
  return meaning_in(kNames, plain_name(name));
}

std::optional<EventKind> activity_kind(std::string_view cell) {
  const std::string key = plain_name(cell);
  if (key == "rt") return EventKind::kRepost;
  if (key == "re") return EventKind::kReply;
  if (key == "mt") return EventKind::kMention;
  return std::nullopt;
}

class EventReader {
 public:
  EventReader(TextBuffer& buffer, std::string_view name, const EventRows& rows, BadLines& bad,
              const EventSink& sink, const TellUnderstood& understood)
      : buffer_(buffer),
        name_(name),
        format_(rows.kind ? EventFormat::kPairs : rows.format),
        kind_(rows.kind.value_or(EventKind::kLike)),
        ids_(rows.ids),
        ties_(rows.layout, rows.ids),
        times_(rows.layout.times),
        header_row_(rows.layout.header),
        bad_(bad),
        sink_(sink),
        understood_(understood) {}

  std::uint64_t read(std::optional<char> separator) {
    if (!ties_.are_said()) separator = look_at(edges_head(buffer_));
    TableRows rows(buffer_, {.separator = separator, .cells = TableStyle::Cells::kWords});
    rows_ = &rows;
    rows.read(name_, bad_, [this](const TableRow& row) { return take(row); });
    return count_;
  }

 private:
  struct TextColumn {
    std::size_t place;
    EventKind kind;
  };

  // The separator of a text with this first row. Blanks and tabs are alike, unless ids may contain
  // blanks.
  [[nodiscard]] char separator_of(std::string_view row) const {
    const char found = separator_in(row);
    return found == '\t' && ids_.kind() != IdKind::kWords ? ' ' : found;
  }

  static bool names_numbers(Cells cells) {
    return cells.size() >= 2 && parse_source_id(cells[0]) && parse_source_id(cells[1]);
  }

  // Whether the first row of a text of words is a header. Pairs need known names; in other formats,
  // the third cell is not a number or a time.
  [[nodiscard]] bool is_header(Cells cells) const {
    if (cells.size() < 2) return true;
    if (format_ == EventFormat::kPairs) return header_of(cells[0], cells[1]) != Header::kUnknown;
    return cells.size() < 3 || (!parse_source_id(cells[2]) && !times_.read(cells[2]));
  }

  // Returns the separator. Also finds out whether user ids are words: they are if most rows at the
  // beginning of the text have words.
  std::optional<char> look_at(std::string_view head) {
    std::optional<char> separator;
    std::size_t rows = 0;
    std::size_t of_words = 0;
    while (!head.empty()) {
      const std::size_t end = std::min(head.find('\n'), head.size());
      const std::string_view text = trimmed(head.substr(0, end));
      head.remove_prefix(std::min(end + 1, head.size()));
      if (text.empty() || is_comment(text)) continue;
      const bool first = !separator;
      if (first) separator = separator_of(text);
      const auto cells = cells_of(text, *separator);
      if (first && is_header(cells)) continue;
      ++rows;
      if (!names_numbers(cells) && ties_.name_users(cells)) ++of_words;
    }
    if (ids_.kind() == IdKind::kAuto) ties_.set_words(of_words * 2 > rows);
    return separator;
  }

  std::optional<std::string> take(const TableRow& row) {
    if (ties_.are_said()) {
      if (!ties_.begin(row, {name_, row.line}, bad_)) return std::nullopt;
      if (!std::exchange(told_, true) && understood_) {
        understood_(ties_.understood("table of events", rows_->separator()));
      }
    } else if (std::exchange(first_, false) && header_row_ != HeaderRow::kNo) {
      const bool is_one = ties_.words() ? is_header(row.cells) : !names_numbers(row.cells);
      if (is_one || header_row_ == HeaderRow::kYes) {
        return header(row.cells, row.line);
      }
    }
    if (format_ == EventFormat::kAuto && !ties_.are_said()) settle(row.cells);
    events_.clear();
    const auto problem = ties_.are_said()                    ? named(row.cells)
                         : format_ == EventFormat::kPairs    ? pair(row)
                         : format_ == EventFormat::kActivity ? activity(row.cells)
                                                             : interactions(row.cells);
    if (problem) return fmt::format("{}, found \"{}\"", *problem, printable(trimmed(row.text)));
    if (!std::exchange(told_, true) && understood_) tell(row.cells.size());
    auto refused = sink_(events_);
    if (!refused) ++count_;
    return refused;
  }

  void tell(std::size_t width) const {
    static constexpr std::array<std::string_view, load::kEventKinds> kCounts{"likes", "retweets",
                                                                             "replies", "mentions"};
    Understood what{.format = "interactions", .separator = separator_name(rows_->separator())};
    if (format_ == EventFormat::kPairs) {
      what.format = fmt::format("pairs of {}", kCounts[static_cast<std::size_t>(kind_)]);
      what.columns = {"user", "other", "count", "time"};
      what.columns.resize(std::clamp<std::size_t>(width, 2, 4));
    } else if (format_ == EventFormat::kActivity) {
      what.format = "activity";
      what.columns = {"user", "other", "time", "kind"};
    } else {
      what.columns = {"user", "other"};
      what.columns.resize(width, "-");
      for (const TextColumn& column : columns_) {
        what.columns[column.place] = kCounts[static_cast<std::size_t>(column.kind)];
      }
      if (!header_) {
        what.choice =
            "no header: the counts are read as likes, retweets and replies; a header such as "
            "user,other,mentions changes that";
      }
    }
    understood_(std::move(what));
  }

  // Decides the format by the first row of numbers.
  void settle(Cells cells) {
    const bool activity = columns_.empty() && cells.size() == kActivityCells &&
                          activity_kind(cells[kActivityCells - 1]);
    format_ = activity ? EventFormat::kActivity : EventFormat::kInteractions;
  }

  // Returns what is wrong with the header, or empty. A header of activity may contain anything.
  std::optional<std::string> header(Cells cells, std::uint64_t line) {
    refuse_visibility(cells, line);
    if (format_ == EventFormat::kPairs) {
      if (cells.size() >= 2 && header_of(cells[0], cells[1]) == Header::kKnown) return std::nullopt;
      return ties_.expected() + ", or a header such as source,target";
    }
    if (format_ == EventFormat::kActivity) return std::nullopt;
    const auto of_all = cells.size() >= 2 ? counted_by(cells[1]) : std::nullopt;
    for (std::size_t i = 2; i < cells.size(); ++i) {
      if (const auto kind = counted_by(cells[i])) columns_.push_back({i, *kind});
      if (of_all && plain_name(cells[i]) == "count") columns_.push_back({i, *of_all});
    }
    if (!columns_.empty()) {
      header_ = true;
      format_ = EventFormat::kInteractions;
    } else if (format_ == EventFormat::kInteractions || cells.size() != kActivityCells) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}:{}: the header has to say what is counted: a column likes, "
                              "retweets, replies or mentions, or one called liked, retweeted, "
                              "reply_to or mentioned and then count",
                              name_, line));
    }
    return std::nullopt;
  }

  // Posts made from events are public, so the rows must not ask for anything else.
  void refuse_visibility(Cells header, std::uint64_t line) const {
    for (const std::string_view cell : header) {
      const auto name = post_field(cell);
      if (!name || !limits_readers(name->field)) continue;
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}:{}: the header has a column \"{}\", but events are public; "
                              "remove it, and the rows that are not public",
                              name_, line, printable(cell, 40)));
    }
  }

  // Reads a count into `count`. Returns what is wrong with it, or empty.
  static std::optional<std::string> read_count(std::string_view cell, std::size_t column,
                                               std::uint32_t& count) {
    const auto read = event_count(cell);
    count = read.value_or(0);
    if (read) return std::nullopt;
    return fmt::format("expected a count from 0 to {} in column {}", kInteractionsMax, column);
  }
  void put(const std::pair<SourceId, SourceId>& users, EventKind kind, std::optional<Time> time,
           std::uint32_t count) {
    if (count > 0) events_.push_back({users.first, users.second, kind, time, count});
  }

  // Each of these fills events_, or returns an error.
  std::optional<std::string> named(Cells cells) {
    if (auto problem = ties_.width_problem(cells)) return problem;
    const auto users = ties_.users(cells);
    if (!users) return ties_.expected();
    std::optional<EventKind> kind = kind_;
    if (ties_.has(Field::kKind)) kind = event_kind_in(ties_.cell(cells, Field::kKind));
    if (!kind) return "expected a kind (like, retweet, reply, mention)";
    std::optional<Time> time;
    if (ties_.has(Field::kCreatedAt)) {
      time = times_.read(ties_.cell(cells, Field::kCreatedAt));
      if (!time) return times_.problem(ties_.cell(cells, Field::kCreatedAt));
    }
    std::uint32_t count = 1;
    if (const auto place = ties_.place(Field::kCount)) {
      if (auto problem = read_count(cells[*place], *place + 1, count)) return problem;
    }
    put(*users, *kind, time, count);
    return std::nullopt;
  }

  std::optional<std::string> activity(Cells cells) {
    const auto users = ties_.users(cells);
    if (!users || cells.size() != kActivityCells) {
      return ties_.expected() + ", a time and RT, RE or MT";
    }
    const auto time = times_.read(cells[2]);
    if (!time) return times_.problem(cells[2]);
    const auto kind = activity_kind(cells[3]);
    if (!kind) return "expected RT, RE or MT in the fourth column";
    put(*users, *kind, time, 1);
    return std::nullopt;
  }

  // `A B`, optionally with a count: a number, or an attribute as NetworkX writes it.
  std::optional<std::string> pair(const TableRow& row) {
    std::vector<std::string_view> cells(row.cells.begin(), row.cells.end());
    if (const std::size_t brace = row.text.find('{'); brace != std::string_view::npos) {
      cells = cells_of(trimmed(row.text.substr(0, brace)), rows_->separator());
      if (const auto weight = weight_in(row.text.substr(brace))) cells.push_back(*weight);
    }
    const auto users = ties_.users(cells);
    if (!users) return ties_.expected();
    std::optional<Time> time;
    if (cells.size() > kPairCells) time = times_.read(cells[kPairCells]);
    if (cells.size() > kPairCells + 1 || (cells.size() > kPairCells && !time)) {
      return "expected no more than A, B, a count and a time";
    }
    std::uint32_t count = 1;
    if (cells.size() >= kPairCells) {
      if (auto problem = read_count(cells[2], kPairCells, count)) return problem;
    }
    put(*users, kind_, time, count);
    return std::nullopt;
  }

  // The 17 of `{'weight': 17}`; empty if there is no weight.
  static std::optional<std::string_view> weight_in(std::string_view attributes) {
    constexpr std::string_view kWeight = "'weight':";
    const std::size_t at = attributes.find(kWeight);
    if (at == std::string_view::npos) return std::nullopt;
    attributes.remove_prefix(at + kWeight.size());
    return trimmed(attributes.substr(0, attributes.find_first_of(",}")));
  }

  std::optional<std::string> interactions(Cells cells) {
    const auto users = ties_.users(cells);
    if (!users) return ties_.expected() + " and counts";
    if (columns_.empty()) {
      if (cells.size() != kPlainCells) {
        return "expected A, B and counts of likes, retweets and replies: without a header these "
               "five columns";
      }
      columns_ = {{2, EventKind::kLike}, {3, EventKind::kRepost}, {4, EventKind::kReply}};
    }
    for (const TextColumn& column : columns_) {
      if (column.place >= cells.size()) {
        return fmt::format("expected a count in column {}", column.place + 1);
      }
      std::uint32_t count = 0;
      if (auto problem = read_count(cells[column.place], column.place + 1, count)) return problem;
      put(*users, column.kind, std::nullopt, count);
    }
    return std::nullopt;
  }

  TextBuffer& buffer_;
  std::string_view name_;
  EventFormat format_;
  EventKind kind_;  // for pairs
  IdCells ids_;
  TieColumns ties_;
  const Times& times_;
  HeaderRow header_row_;
  TableRows* rows_ = nullptr;
  BadLines& bad_;
  const EventSink& sink_;
  const TellUnderstood& understood_;
  bool told_ = false;  // whether the format has been reported
  bool first_ = true;
  bool header_ = false;              // whether a header names the counts
  std::vector<TextColumn> columns_;  // for interactions
  std::vector<load::SourceEvent> events_;
  std::uint64_t count_ = 0;
};

}  // namespace

namespace {}  // namespace

std::string_view event_kind_name(EventKind kind) {
  return kEventKindNames[static_cast<std::size_t>(kind)].first;
}

std::optional<EventKind> event_kind_in(std::string_view cell) {
  const auto kind = activity_kind(cell);
  return kind ? kind : counted_by(cell);
}

std::optional<std::uint32_t> event_count(std::string_view cell) {
  const auto count = parse_source_id(cell);  // `3.0` is 3 here, as well
  if (!count || count->value > kInteractionsMax) return std::nullopt;
  return static_cast<std::uint32_t>(count->value);
}

std::uint64_t read_events(TextBuffer& buffer, std::string_view name, const EventRows& rows,
                          BadLines& bad, const EventSink& sink, const TellUnderstood& understood) {
  return EventReader(buffer, name, rows, bad, sink, understood).read(rows.layout.separator);
}

}  // namespace chirp::cli::input
