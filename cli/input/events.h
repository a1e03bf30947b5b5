// Who interacted with whom, as text: rows of single interactions with their times (activity), or
// rows that count them (interactions). No row names a post.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "cli/input/bad_lines.h"
#include "cli/input/ids.h"
#include "cli/input/layout.h"
#include "cli/input/lines.h"
#include "cli/input/understood.h"
#include "core/load/source.h"

namespace chirp::cli::input {

enum class EventFormat : std::uint8_t {
  kAuto,
  kActivity,      // `A B time RT|RE|MT`, as SNAP has the Higgs data
  kInteractions,  // `A B` and columns of counts: what they count is in the header, or likes,
                  // retweets, replies
  kPairs,         // `A B`, `A B count` or `A B count time`, of a kind that is told
};

[[nodiscard]] std::optional<EventFormat> event_format_named(std::string_view name);

// Nobody has interacted with anybody more often in one row.
inline constexpr std::uint32_t kInteractionsMax = 1'000'000;

// `like`, `retweet`, `reply` or `mention`.
[[nodiscard]] std::optional<load::EventKind> event_kind_named(std::string_view name);
[[nodiscard]] std::string_view event_kind_name(load::EventKind kind);

// What a cell of a table says: a kind by any of its names, `RT` among them, and how often, up to
// kInteractionsMax.
[[nodiscard]] std::optional<load::EventKind> event_kind_in(std::string_view cell);
[[nodiscard]] std::optional<std::uint32_t> event_count(std::string_view cell);

// What is said of the rows of a load's texts, beside what they say themselves.
struct EventRows {
  EventFormat format = EventFormat::kAuto;
  std::optional<load::EventKind> kind{};  // of each row, which is a pair then
  IdCells ids{};                          // what reads the users' ids
  Layout layout{};                        // the user's description of the columns
};

// Takes the events of one row, and says what is wrong with it, if something is.
using EventSink =
    std::function<std::optional<std::string>(std::span<const load::SourceEvent> events)>;

// Reads all of what `buffer` has open; `name` is for messages. Cells are parted by blanks, tabs,
// `,`, `;` or `|`. Users are numbers, or words where most rows of the text's start name somebody by
// one. A first row whose first two cells are not both numbers is a header, and above words one
// whose third cell is none; of interactions it says what each column counts (`likes`, `retweeted`,
// `reply_to`, …), or its second column does and a column `count` has the number. Throws
// Error{kBadInput} for a header that says neither. Where the rows' kind is said, each row is a
// pair, as many as its third cell says, and a header is one of an edge list. Returns the number of
// rows taken.
std::uint64_t read_events(TextBuffer& buffer, std::string_view name, const EventRows& rows,
                          BadLines& bad, const EventSink& sink,
                          const TellUnderstood& understood = {});

}  // namespace chirp::cli::input
