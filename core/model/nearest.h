// Suggestions for a word that is not known.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"

namespace chirp {

// The restricted Damerau-Levenshtein distance in bytes: insertions, deletions, substitutions and
// swaps of neighbours; no byte is edited twice.
[[nodiscard]] std::size_t typing_distance(std::string_view one, std::string_view other);

// Returns the known word nearest to `typed`, ignoring case. Empty if more than a third of the
// longer word differs. The first one wins a tie.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view typed,
                                                      std::span<const std::string_view> known);

// Returns ` Did you mean "push"?` with the leading blank; empty if no word is near.
[[nodiscard]] std::string did_you_mean(std::string_view typed,
                                       std::span<const std::string_view> known);

// Error{kInvalidArgument} for a word that is not one of the choices; `what` is an option or
// setting.
[[nodiscard]] Error no_such_choice(std::string_view what, std::span<const std::string_view> choices,
                                   std::string_view typed);
[[nodiscard]] inline Error no_such_choice(std::string_view what,
                                          std::initializer_list<std::string_view> choices,
                                          std::string_view typed) {
  return no_such_choice(what, std::span(choices.begin(), choices.size()), typed);
}

// A word of an option and what it means.
template <class Meaning>
using Choice = std::pair<std::string_view, Meaning>;

// Returns the meaning of the word among the choices, or throws as above.
template <class Meaning, std::size_t N>
Meaning choice_of(std::string_view what, const std::array<Choice<Meaning>, N>& choices,
                  std::string_view typed) {
  std::array<std::string_view, N> words;
  for (std::size_t i = 0; i < N; ++i) {
    if (choices[i].first == typed) return choices[i].second;
    words[i] = choices[i].first;
  }
  throw no_such_choice(what, words, typed);
}

}  // namespace chirp
