// What stands around every command: its exit statuses, the environment that it reads, the files
// that it uses. The manual prints them; docs/operations.md has the same in tables.
#pragma once

#include <span>
#include <string_view>

namespace chirp::cli {

// Both in Markdown: what is typed or read as it stands is in backticks.
struct Fact {
  std::string_view name;  // "`NO_COLOR`, `TERM=dumb`"
  std::string_view text;
};

[[nodiscard]] std::span<const Fact> exit_statuses();
[[nodiscard]] std::span<const Fact> environment();
[[nodiscard]] std::span<const Fact> files();

}  // namespace chirp::cli
