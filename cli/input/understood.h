// How a reader interprets a text, for a user who tries a load in a dry run.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace chirp::cli::input {

struct Understood {
  std::string format;                  // such as "CSV of posts"
  std::string separator{};             // a character, "tab", "blanks"; empty: no cells
  std::vector<std::string> columns{};  // the field of each; "-": ignored
  std::string choice{};                // an ambiguous decision, and how to choose the other reading

  bool operator==(const Understood&) const = default;
};

// Called once for each text, after its first row has been seen. May be empty.
using TellUnderstood = std::function<void(Understood&&)>;

// The name of a separator.
[[nodiscard]] inline std::string separator_name(char c) {
  return c == '\t' ? "tab" : c == ' ' ? "blanks" : std::string(1, c);
}

}  // namespace chirp::cli::input
