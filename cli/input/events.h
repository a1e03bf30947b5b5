// Interactions between users, as text: rows of single interactions with their times (activity), or
// rows that count them (interactions). No row names a post.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "cli/input/ids.h"
#include "cli/input/layout.h"
#include "cli/input/lines.h"
#include "cli/input/understood.h"
#include "core/load/source.h"
#include "core/model/nearest.h"

namespace chirp::cli::input {

enum class EventFormat : std::uint8_t {
  kAuto,
  kActivity,      // `A B time RT|RE|MT`, as in SNAP's Higgs data
  kInteractions,  // `A B` and columns of counts, named in a header; default: likes,
                  // retweets, replies
  kPairs,         // `A B`, `A B count` or `A B count time`, of a given kind
};

inline constexpr std::array<Choice<EventFormat>, 3> kEventFormats{
    {{"auto", EventFormat::kAuto},
     {"activity", EventFormat::kActivity},
     {"interactions", EventFormat::kInteractions}}};

// The largest count in one row.
inline constexpr std::uint32_t kInteractionsMax = 1'000'000;

inline constexpr std::array<Choice<load::EventKind>, load::kEventKinds> kEventKindNames{
    {{"like", load::EventKind::kLike},
     {"retweet", load::EventKind::kRepost},
     {"reply", load::EventKind::kReply},
     {"mention", load::EventKind::kMention}}};
[[nodiscard]] std::string_view event_kind_name(load::EventKind kind);

// Parse cells of a table: a kind by any of its names, including `RT`, and a count of up to
// kInteractionsMax.
[[nodiscard]] std::optional<load::EventKind> event_kind_in(std::string_view cell);
[[nodiscard]] std::optional<std::uint32_t> event_count(std::string_view cell);

// The user's options for the rows of a load's texts.
struct EventRows {
  EventFormat format = EventFormat::kAuto;
  std::optional<load::EventKind> kind{};  // if set, every row is a pair of this kind
  IdCells ids{};                          // reads the users' ids
  TableLayout layout{};                   // the user's description of the columns
};

// Receives the events of one row. Returns what is wrong with them, or empty.
using EventSink =
    std::function<std::optional<std::string>(std::span<const load::SourceEvent> events)>;

// Reads everything in `buffer`; `name` is for messages. Cells are separated by blanks, tabs, `,`,
// `;` or `|`. Users are numbers, or words if most rows at the start of the text have words.
// A first row whose first two cells are not both numbers is a header; above words, one whose third
// cell is not a number. For interactions it names what each column counts (`likes`, `retweeted`,
// `reply_to`, …), or what the second column counts if there is a column `count`. If a kind is
// given, rows are pairs, and the header is one of an edge list. Throws Error{kBadInput} for any
// other header. Returns the number of rows used.
std::uint64_t read_events(TextBuffer& buffer, std::string_view name, const EventRows& rows,
                          BadLines& bad, const EventSink& sink,
                          const TellUnderstood& understood = {});

}  // namespace chirp::cli::input
