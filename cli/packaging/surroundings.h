// What all commands share: exit statuses, environment variables, and files. The manual prints them;
// docs/operations.md has the same tables.
#pragma once

#include <span>
#include <string_view>

namespace chirp::cli {

// Both in Markdown, with literal text in backticks.
struct Fact {
  std::string_view name;  // "`NO_COLOR`, `TERM=dumb`"
  std::string_view text;
};

[[nodiscard]] std::span<const Fact> exit_statuses();
[[nodiscard]] std::span<const Fact> environment();
[[nodiscard]] std::span<const Fact> files();

}  // namespace chirp::cli
