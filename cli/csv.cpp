#include "cli/csv.h"

namespace chirp::cli {

std::string csv_row(std::span<const std::string> cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) row += ',';
    const std::string& cell = cells[i];
    // A lone empty cell would be an empty line, which readers pass over.
    const bool bare =
        cell.find_first_of(",\"\r\n") == std::string::npos && !(cells.size() == 1 && cell.empty());
    if (bare) {
      row += cell;
      continue;
    }
    row += '"';
    for (const char c : cell) {
      if (c == '"') row += '"';
      row += c;
    }
    row += '"';
  }
  return row + "\r\n";
}

}  // namespace chirp::cli
