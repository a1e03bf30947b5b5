// Rows of CSV as RFC 4180 has them: commas, CR LF, and quotes around what needs them.
#pragma once

#include <span>
#include <string>

namespace chirp::cli {

[[nodiscard]] std::string csv_row(std::span<const std::string> cells);

}  // namespace chirp::cli
