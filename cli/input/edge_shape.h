// What a text of edges is, told by how it starts: an edge list with or without a header, an
// adjacency list, and whether its first row only says how much there is.
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

// So much of a text is looked at, however it arrives.
inline constexpr std::size_t kShapeBytes = 65'536;

// What is looked at: the text's first bytes, and whether they are all of it.
struct EdgeHead {
  std::string_view text;
  bool whole = false;
};

struct EdgeShape {
  EdgeFormat format = EdgeFormat::kAuto;  // settled, unless there is no row
  char delimiter = ' ';                   // of CSV
  bool colons = false;      // of an adjacency list: `1: 2 3`, where others have `1 2 3`
  bool lists = false;       // of an adjacency list: `1<tab>2,3,4`
  bool size_line = false;   // the first row says how many nodes and edges there are
  bool undirected = false;  // it says so
  std::string note{};       // what a person should know
  std::string rounded{};    // a warning about ids that a spreadsheet has rounded, or empty
  std::string problem{};    // why it can't be read, if so: a question to whoever loads it
  std::uint64_t line = 0;   // of the first row
  // How many numbers a row of an edge list has, where a row of more makes it doubtful; else 0.
  std::size_t widest = 0;
  bool words = false;   // ids may be words
  bool header = false;  // the first row names known columns, above words
};

// Whether a row is an id, blanks, and ids parted by commas; perhaps: fewer than two ids stand
// there, so that it may be an edge.
enum class ListRow : std::uint8_t { kNo, kPerhaps, kSure };
[[nodiscard]] ListRow list_row(std::string_view row);

// Asks whether rows are edges or lists, after what gives rise to it.
[[nodiscard]] std::string edges_or_lists(std::string_view what);

// `format`, `kind` and `header` are the user's options.
[[nodiscard]] EdgeShape shape_of(const EdgeHead& head, EdgeFormat format, IdKind kind,
                                 HeaderRow header = HeaderRow::kAuto);

// How a settled shape is said, with the first row that is read; `asked` is the format asked for.
[[nodiscard]] Understood understood(const EdgeShape& shape, EdgeFormat asked,
                                    std::span<const std::string_view> first_row);

}  // namespace chirp::cli::input
