#include "cli/input/events.h"

#include <array>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/notations.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

using load::EventKind;
using Cells = std::vector<std::string_view>;

constexpr std::size_t kActivityCells = 4;
// Without a header: A, B, likes, retweets, replies.
constexpr std::size_t kPlainCells = 5;

// Small letters, without `_`, `-` and blanks.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '_' || c == '-' || c == ' ') continue;
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

// What a column of this name counts, or whom it names as who was liked, retweeted, ….
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
  const std::string key = plain(name);
  for (const auto& [known, kind] : kNames) {
    if (known == key) return kind;
  }
  return std::nullopt;
}

std::optional<EventKind> activity_kind(std::string_view cell) {
  const std::string key = plain(cell);
  if (key == "rt") return EventKind::kRepost;
  if (key == "re") return EventKind::kReply;
  if (key == "mt") return EventKind::kMention;
  return std::nullopt;
}

class EventReader {
 public:
  EventReader(TextBuffer& buffer, std::string_view name, EventFormat format, BadLines& bad,
              const EventSink& sink)
      : lines_(buffer), name_(name), format_(format), bad_(bad), sink_(sink) {}

  std::uint64_t read() {
    std::uint64_t last = 0;
    while (const auto line = lines_.next()) {
      if (line->kind == LineKind::kTooLong) {
        reject(line->number, "the line is longer than 1 MiB");
        continue;
      }
      const std::string_view text = trimmed(line->text);
      if (text.empty() || is_comment(text)) continue;
      row(text, line->number);
      last = line->number;
    }
    if (lines_.unended() && last > 1) bad_.note({name_, last}, kUnended);
    return count_;
  }

 private:
  struct Column {
    std::size_t place;
    EventKind kind;
  };

  void row(std::string_view text, std::uint64_t line) {
    if (first_) {
      first_ = false;
      delimiter_ = delimiter_of(text);
      if (delimiter_ == '\t') delimiter_ = ' ';  // blanks and tabs alike
      const Cells cells = cells_of(text, delimiter_);
      if (cells.size() < 2 || !parse_source_id(cells[0]) || !parse_source_id(cells[1])) {
        header(cells, line);
        return;
      }
    }
    const Cells cells = cells_of(text, delimiter_);
    if (format_ == EventFormat::kAuto) settle(cells);
    const auto problem = format_ == EventFormat::kActivity ? activity(cells) : interactions(cells);
    if (problem) {
      reject(line, *problem + fmt::format(", found \"{}\"", printable(text)));
    } else if (const auto refused = sink_(events_)) {
      reject(line, *refused);
    } else {
      ++count_;
    }
  }

  // By the first row of numbers.
  void settle(const Cells& cells) {
    const bool activity = columns_.empty() && cells.size() == kActivityCells &&
                          activity_kind(cells[kActivityCells - 1]);
    format_ = activity ? EventFormat::kActivity : EventFormat::kInteractions;
  }

  // Of activity it may be anything.
  void header(const Cells& cells, std::uint64_t line) {
    if (format_ == EventFormat::kActivity) return;
    const auto of_all = cells.size() >= 2 ? counted_by(cells[1]) : std::nullopt;
    for (std::size_t i = 2; i < cells.size(); ++i) {
      if (const auto kind = counted_by(cells[i])) columns_.push_back({i, *kind});
      if (of_all && plain(cells[i]) == "count") columns_.push_back({i, *of_all});
    }
    if (!columns_.empty()) {
      format_ = EventFormat::kInteractions;
    } else if (format_ == EventFormat::kInteractions || cells.size() != kActivityCells) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}:{}: the header has to say what is counted: a column likes, "
                              "retweets, replies or mentions, or one called liked, retweeted, "
                              "reply_to or mentioned and then count",
                              name_, line));
    }
  }

  static std::optional<std::pair<SourceId, SourceId>> users_of(const Cells& cells) {
    if (cells.size() < 2) return std::nullopt;
    const auto actor = parse_source_id(cells[0]);
    const auto other = parse_source_id(cells[1]);
    if (!actor || !other) return std::nullopt;
    return std::pair{*actor, *other};
  }

  // Fills events_; what is wrong, if something is.
  std::optional<std::string> activity(const Cells& cells) {
    events_.clear();
    const auto users = users_of(cells);
    if (!users || cells.size() != kActivityCells) {
      return "expected two ids (numbers of 63 bits), a time and RT, RE or MT";
    }
    const auto time = parse_when(cells[2]);
    if (!time) return "expected a time (Unix time, ISO 8601) in the third column";
    const auto kind = activity_kind(cells[3]);
    if (!kind) return "expected RT, RE or MT in the fourth column";
    events_.push_back({users->first, users->second, *kind, *time, 1});
    return std::nullopt;
  }

  std::optional<std::string> interactions(const Cells& cells) {
    events_.clear();
    const auto users = users_of(cells);
    if (!users) return "expected two ids (numbers of 63 bits) and counts";
    if (columns_.empty()) {
      if (cells.size() != kPlainCells) {
        return "expected A, B and counts of likes, retweets and replies: without a header these "
               "five columns";
      }
      columns_ = {{2, EventKind::kLike}, {3, EventKind::kRepost}, {4, EventKind::kReply}};
    }
    for (const Column& column : columns_) {
      if (column.place >= cells.size()) {
        return fmt::format("expected a count in column {}", column.place + 1);
      }
      const auto count = count_of(cells[column.place]);
      if (!count) {
        return fmt::format("expected a count from 0 to {} in column {}", kInteractionsMax,
                           column.place + 1);
      }
      if (*count > 0) {
        events_.push_back({users->first, users->second, column.kind, std::nullopt, *count});
      }
    }
    return std::nullopt;
  }

  static std::optional<std::uint32_t> count_of(std::string_view cell) {
    const auto count = parse_source_id(cell);  // `3.0` is 3 here, too
    if (!count || count->value > kInteractionsMax) return std::nullopt;
    return static_cast<std::uint32_t>(count->value);
  }

  void reject(std::uint64_t line, std::string_view what) { bad_.add({name_, line}, what); }

  Lines lines_;
  std::string_view name_;
  EventFormat format_;
  BadLines& bad_;
  const EventSink& sink_;
  char delimiter_ = ' ';
  bool first_ = true;
  std::vector<Column> columns_;  // of interactions
  std::vector<load::SourceEvent> events_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::optional<EventFormat> event_format_named(std::string_view name) {
  if (name == "auto") return EventFormat::kAuto;
  if (name == "activity") return EventFormat::kActivity;
  if (name == "interactions") return EventFormat::kInteractions;
  return std::nullopt;
}

std::uint64_t read_events(TextBuffer& buffer, std::string_view name, EventFormat format,
                          BadLines& bad, const EventSink& sink) {
  return EventReader(buffer, name, format, bad, sink).read();
}

}  // namespace chirp::cli::input
