// Detects the format of a text of edges from its start: an edge list with or without a header, or
// an adjacency list, and whether the first row only gives the graph's size.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cli/input/edges.h"
#include "cli/input/ids.h"
#include "cli/input/layout.h"
#include "cli/input/understood.h"

namespace chirp::cli::input {

// The number of bytes examined, in whatever pieces they arrive.
inline constexpr std::size_t kShapeBytes = 65'536;

// The examined bytes, and whether they are the whole text.
struct EdgeHead {
  std::string_view text;
  bool whole = false;
};

struct EdgeShape {
  EdgeFormat format = EdgeFormat::kAuto;  // detected, unless there is no row
  char delimiter = ' ';                   // for CSV
  bool colons = false;                    // adjacency list with colons, `1: 2 3`, not `1 2 3`
  bool lists = false;                     // adjacency list with commas, `1<tab>2,3,4`
  bool size_line = false;                 // the first row has the numbers of nodes and edges
  bool undirected = false;                // the text declares it
  std::string note{};                     // a remark for the user
  std::string rounded{};   // a warning about ids that a spreadsheet has rounded, or empty
  std::string problem{};   // why it can't be read, as a question to the user; or empty
  std::uint64_t line = 0;  // line of the first row
  // The largest number of ids in a row of an edge list if a longer row would be suspicious; else 0.
  std::size_t widest = 0;
  bool words = false;   // ids may be words
  bool header = false;  // the first row has known column names, above words
};

// Whether a row is an id, blanks, and ids separated by commas. kPerhaps: the list has fewer than
// two ids, so the row may be an edge.
enum class ListRow : std::uint8_t { kNo, kPerhaps, kSure };
[[nodiscard]] ListRow list_row(std::string_view row);

// Asks whether rows are edges or lists; `what` is the reason for the question.
[[nodiscard]] std::string edges_or_lists(std::string_view what);

// `format`, `kind` and `header` are the user's options.
[[nodiscard]] EdgeShape shape_of(const EdgeHead& head, EdgeFormat format, IdKind kind,
                                 HeaderRow header = HeaderRow::kAuto);

// Describes a detected format, with the first row that is read. `asked` is the requested format.
[[nodiscard]] Understood understood(const EdgeShape& shape, EdgeFormat asked,
                                    std::span<const std::string_view> first_row);

}  // namespace chirp::cli::input
