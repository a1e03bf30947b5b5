#include "cli/input/named_ties.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/edge_header.h"
#include "cli/input/edges.h"
#include "cli/input/notations.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

using Cells = std::vector<std::string_view>;

constexpr std::array<std::string_view, kTieFields> kFieldNames{"from", "to", "count", "time",
                                                               "kind"};

std::optional<TieField> tie_field(std::string_view name) {
  if (names_follower(name)) return TieField::kFrom;
  if (names_followee(name)) return TieField::kTo;
  const std::string key = plain_name(name);
  if (key == "count" || key == "weight") return TieField::kCount;
  if (key == "time" || key == "timestamp" || key == "createdat") return TieField::kTime;
  if (key == "kind" || key == "type") return TieField::kKind;
  return std::nullopt;
}

// A row by the names of its columns.
class Tie {
 public:
  Tie(const TieLayout& layout, const Cells& cells) : layout_(layout), cells_(cells) {}

  // Empty if no column has it.
  [[nodiscard]] std::string_view cell(TieField field) const {
    const auto& place = layout_.places[static_cast<std::size_t>(field)];
    return place && *place < cells_.size() ? cells_[*place] : std::string_view();
  }

 private:
  const TieLayout& layout_;
  const Cells& cells_;
};

// The rows of a table, each with its two users.
class TieRows {
 public:
  // Takes a row, and says what is wrong with it, if something is.
  using Take = std::function<std::optional<std::string>(SourceId, SourceId, const Tie&)>;

  TieRows(std::string_view name, const TieLayout& layout, const IdCells& ids, BadLines& bad)
      : name_(name), layout_(layout), ids_(ids), bad_(bad) {}

  TiesRead read(TextBuffer& buffer, Unknown unknown, const std::function<void(char)>& begin,
                const Take& take) {
    TiesRead result;
    Lines lines(buffer);
    std::uint64_t last = 0;
    while (const auto line = lines.next()) {
      if (line->kind == LineKind::kTooLong) {
        bad_.add({name_, line->number}, "the line is longer than 1 MiB");
        continue;
      }
      const std::string_view text = trimmed(line->text);
      if (text.empty() || is_comment(text)) continue;
      const Place place{name_, line->number};
      if (std::exchange(last, line->number) == 0) {
        separator_ = layout_.separator.value_or(delimiter_of(text));
        const Cells cells = cells_of(line->text, separator_);
        if (is_header(cells)) {
          bad_.note(place, "the first row is taken for a header and left out");
          continue;
        }
      }
      const Cells cells = cells_of(line->text, separator_);
      if (!begun_ && unknown == Unknown::kSkipped && !names_users(cells)) {
        result.skipped = true;
        return result;
      }
      if (!std::exchange(begun_, true)) {
        words_ = words_ || (ids_.kind() == IdKind::kAuto && names_users(cells) && has_word(cells));
        begin(separator_);
      }
      if (const auto problem = row(cells, take)) {
        bad_.add(place, *problem + fmt::format(", found \"{}\"", printable(text)));
      } else {
        ++result.rows;
      }
    }
    if (lines.unended() && last > 1) bad_.note({name_, last}, kUnended);
    return result;
  }

 private:
  [[nodiscard]] bool is_header(const Cells& cells) const {
    const Tie tie(layout_, cells);
    return names_follower(tie.cell(TieField::kFrom)) && names_followee(tie.cell(TieField::kTo));
  }
  [[nodiscard]] bool has_word(const Cells& cells) const {
    const Tie tie(layout_, cells);
    return !parse_source_id(tie.cell(TieField::kFrom)) || !parse_source_id(tie.cell(TieField::kTo));
  }
  [[nodiscard]] bool names_users(const Cells& cells) const {
    const Tie tie(layout_, cells);
    const auto is_id = [this](std::string_view cell) {
      return parse_source_id(cell) || (ids_.kind() != IdKind::kNumbers && is_plain_word(cell));
    };
    return is_id(tie.cell(TieField::kFrom)) && is_id(tie.cell(TieField::kTo));
  }
  [[nodiscard]] std::optional<SourceId> user(std::string_view cell) const {
    return words_ ? ids_.user(cell) : parse_source_id(cell);
  }

  std::optional<std::string> row(const Cells& cells, const Take& take) const {
    if (cells.size() != layout_.width) {
      return fmt::format("the row has {} cells, and {} columns are named", cells.size(),
                         layout_.width);
    }
    const Tie tie(layout_, cells);
    const auto from = user(tie.cell(TieField::kFrom));
    const auto to = user(tie.cell(TieField::kTo));
    if (!from || !to) {
      return fmt::format("expected two ids ({}) in columns {} and {}",
                         words_ ? "numbers or words" : "numbers of 63 bits",
                         *layout_.places[static_cast<std::size_t>(TieField::kFrom)] + 1,
                         *layout_.places[static_cast<std::size_t>(TieField::kTo)] + 1);
    }
    return take(*from, *to, tie);
  }

  std::string_view name_;
  const TieLayout& layout_;
  const IdCells& ids_;
  BadLines& bad_;
  char separator_ = ' ';
  bool begun_ = false;
  bool words_ = ids_.kind() == IdKind::kWords;
};

void tell(const TellUnderstood& understood, std::string_view format, char separator,
          const TieLayout& layout) {
  if (!understood) return;
  Understood what{
      .format = std::string(format), .separator = separator_name(separator), .columns = {}};
  what.columns.assign(layout.width, "-");
  for (std::size_t i = 0; i < kTieFields; ++i) {
    if (layout.places[i]) what.columns[*layout.places[i]] = kFieldNames[i];
  }
  understood(std::move(what));
}

// What is wrong with the event of a row, or the event.
std::optional<std::string> read_event(const Tie& tie, const TieLayout& layout,
                                      load::SourceEvent& event) {
  if (layout.has(TieField::kKind)) {
    const auto kind = event_kind_in(tie.cell(TieField::kKind));
    if (!kind) return "expected a kind (like, retweet, reply, mention)";
    event.kind = *kind;
  }
  if (layout.has(TieField::kTime)) {
    event.time = parse_when(tie.cell(TieField::kTime));
    if (!event.time) return "expected a time (Unix time, ISO 8601)";
  }
  if (layout.has(TieField::kCount)) {
    const auto count = event_count(tie.cell(TieField::kCount));
    if (!count) return fmt::format("expected a count from 0 to {}", kInteractionsMax);
    event.count = *count;
  }
  return std::nullopt;
}

}  // namespace

TieLayout parse_tie_columns(std::string_view text) {
  TieLayout layout;
  for (const std::string_view name : cells_of(text, ',')) {
    const std::size_t column = layout.width++;
    if (name == "-") continue;
    const auto field = tie_field(name);
    if (!field) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("--columns names from, to, count, time, kind, or - for what is left "
                              "out; \"{}\" is none.",
                              printable(name, 40)));
    }
    auto& place = layout.places[static_cast<std::size_t>(*field)];
    if (place) {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("--columns names {} twice.", kFieldNames[static_cast<std::size_t>(*field)]));
    }
    place = column;
  }
  if (!layout.has(TieField::kFrom) || !layout.has(TieField::kTo)) {
    throw Error(ErrorCode::kInvalidArgument, "--columns has to name from and to.");
  }
  return layout;
}

TiesRead read_named_edges(TextBuffer& buffer, std::string_view name, const TieLayout& layout,
                          Unknown unknown, BadLines& bad, const EdgeSink& sink) {
  std::vector<load::SourceEdge> run;
  const auto flush = [&] {
    if (!run.empty()) sink.edges(run);
    run.clear();
  };
  TieRows rows(name, layout, sink.ids, bad);
  TiesRead result;
  try {
    result = rows.read(
        buffer, unknown,
        [&](char separator) { tell(sink.understood, "table of edges", separator, layout); },
        [&](SourceId from, SourceId to, const Tie&) -> std::optional<std::string> {
          run.push_back({from, to});
          if (run.size() == kEdgesAtOnce) flush();
          return std::nullopt;
        });
  } catch (const Error&) {
    flush();  // what stands before a bad line has been read
    throw;
  }
  flush();
  return result;
}

TiesRead read_named_events(TextBuffer& buffer, std::string_view name, const TieLayout& layout,
                           const EventRows& rows, Unknown unknown, BadLines& bad,
                           const EventSink& sink, const TellUnderstood& understood) {
  TieRows ties(name, layout, rows.ids, bad);
  return ties.read(
      buffer, unknown,
      [&](char separator) { tell(understood, "table of events", separator, layout); },
      [&](SourceId from, SourceId to, const Tie& tie) -> std::optional<std::string> {
        load::SourceEvent event{from, to, rows.kind.value_or(load::EventKind::kLike), std::nullopt,
                                1};
        if (auto problem = read_event(tie, layout, event)) return problem;
        return event.count > 0 ? sink({&event, 1}) : sink({});
      });
}

}  // namespace chirp::cli::input
