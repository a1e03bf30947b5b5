#include "core/model/nearest.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/model/names.h"

namespace chirp {
namespace {

constexpr std::size_t kLongest = 64;  // longer words match no known word

}  // namespace

std::size_t typing_distance(std::string_view one, std::string_view other) {
  // Rows of the table of distances between prefixes of both words.
  std::vector<std::size_t> before_last(other.size() + 1);
  std::vector<std::size_t> last(other.size() + 1);
  std::vector<std::size_t> row(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t exchanged = last[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, exchanged});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[other.size()];
}

std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> known) {
  if (typed.size() > kLongest) return std::nullopt;
  const std::string word = folded(typed);
  std::optional<std::string_view> best;
  std::size_t least = 0;
  for (const std::string_view candidate : known) {
    const std::size_t distance = typing_distance(word, folded(candidate));
    if (distance * 3 > std::max(word.size(), candidate.size())) continue;
    if (best && distance >= least) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string_view> known) {
  const auto meant = nearest(typed, known);
  return meant ? fmt::format(" Did you mean \"{}\"?", *meant) : "";
}

Error no_such_choice(std::string_view what, std::span<const std::string_view> choices,
                     std::string_view typed) {
  std::string takes;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const char* const before = i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ";
    takes += fmt::format("{}{}", before, choices[i]);
  }
  return Error(ErrorCode::kInvalidArgument,
               fmt::format("{} takes {}, not \"{}\".{}", what, takes, printable(typed),
                           did_you_mean(typed, choices)),
               std::string(what));
}

}  // namespace chirp
