// What somebody may have meant by a word that is not known.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"

namespace chirp {

// How many letters it takes to get from one word to the other: each is put in, left out, exchanged,
// or has changed places with its neighbour, and none is touched twice (the restricted
// Damerau-Levenshtein distance). Of bytes.
[[nodiscard]] std::size_t typing_distance(std::string_view one, std::string_view other);

// The known word that is nearest to what was typed, in any case, if it is near: a third of the
// letters of the longer one differ at most. Of equals the first.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view typed,
                                                      std::span<const std::string_view> known);

// ` Did you mean "push"?`, with the blank; empty if nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view typed,
                                       std::span<const std::string_view> known);

// Error{kInvalidArgument} of a word that is none of those that `what` takes: an option, a setting.
[[nodiscard]] Error no_such_choice(std::string_view what, std::span<const std::string_view> choices,
                                   std::string_view typed);
[[nodiscard]] inline Error no_such_choice(std::string_view what,
                                          std::initializer_list<std::string_view> choices,
                                          std::string_view typed) {
  return no_such_choice(what, std::span(choices.begin(), choices.size()), typed);
}

}  // namespace chirp
