// What a reader takes a text for: told to whoever tries a load before it is done.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace chirp::cli::input {

struct Understood {
  std::string format;       // such as "CSV of posts"
  std::string separator{};  // of cells: a character, "tab", "blanks"; empty if there are none
  std::vector<std::string> columns{};  // what each is read as; "-": left out
  std::string choice{};  // what was chosen where it may be something else, and how to choose that

  bool operator==(const Understood&) const = default;
};

// Called once a text, when its first row has been seen. May be empty.
using TellUnderstood = std::function<void(Understood&&)>;

// A separator in words.
[[nodiscard]] inline std::string separator_name(char c) {
  return c == '\t' ? "tab" : c == ' ' ? "blanks" : std::string(1, c);
}

}  // namespace chirp::cli::input
