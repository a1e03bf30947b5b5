// Tables of edges and of events whose columns somebody names: `--columns -,from,to`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/input/bad_lines.h"
#include "cli/input/edges.h"
#include "cli/input/events.h"
#include "cli/input/lines.h"
#include "cli/input/posts.h"

namespace chirp::cli::input {

enum class TieField : std::uint8_t { kFrom, kTo, kCount, kTime, kKind };
inline constexpr std::size_t kTieFields = 5;

struct TieLayout {
  std::array<std::optional<std::size_t>, kTieFields> places{};  // which column each is
  std::size_t width = 0;                                        // columns that are named
  std::optional<char> separator{};                              // told by the first row if not said

  [[nodiscard]] bool has(TieField field) const {
    return places[static_cast<std::size_t>(field)].has_value();
  }
};

// `-,from,to,weight`: the names of columns. Throws Error{kInvalidArgument} for one that is not
// known, one that is named twice, or without from and to.
[[nodiscard]] TieLayout parse_tie_columns(std::string_view text);

// What a table of ties is taken for.
struct TiesRead {
  std::uint64_t rows = 0;
  bool skipped = false;  // it was none, and was passed over
};

// Reads all of what `buffer` has open, whose first row may be a header with known names, which is
// left out and said. Users are words if those of the first row are, or where that is said. A row of
// fewer cells than are named, or of more, is a bad line.
TiesRead read_named_edges(TextBuffer& buffer, std::string_view name, const TieLayout& layout,
                          Unknown unknown, BadLines& bad, const EdgeSink& sink);
TiesRead read_named_events(TextBuffer& buffer, std::string_view name, const TieLayout& layout,
                           const EventRows& rows, Unknown unknown, BadLines& bad,
                           const EventSink& sink, const TellUnderstood& understood);

}  // namespace chirp::cli::input
