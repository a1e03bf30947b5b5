// How users are looked for by parts of their names.
//
// What is looked for is cut into words at white space. Each word must be in the username or in the
// display name, in any order, all of them folded (search_folded in core/model/names.h). Words of
// three characters and more are narrowed down by an index of trigrams, of the folded username and,
// behind a line feed, of the folded display name if there is one. What it proposes is compared
// again, so the index decides nothing but speed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/user_directory.h"

namespace chirp::users {

// What a list walks: all names in order, or a few rows that are sorted afterwards.
enum class Walk : std::uint8_t { kNames, kTrigrams, kSignUps };
// Where the words are looked for.
enum class Place : std::uint8_t { kNowhere, kAnywhere, kUsernames, kDisplayNames };

struct Plan {
  Walk walk = Walk::kNames;
  Place place = Place::kNowhere;
  std::vector<std::string> words{};   // folded; one alone unless they are looked for anywhere
  std::vector<std::string> walked{};  // texts whose trigrams are walked, for Walk::kTrigrams
};

// So many sign-ups at most are found by their times.
inline constexpr std::int64_t kFewSignUps = 5000;

// What a plan asks of the store.
class MatchCounts {
 public:
  virtual ~MatchCounts() = default;
  // Whether more than limits::kMatchCandidatesMax names have all trigrams of these texts of three
  // characters at least. Looks at no more.
  [[nodiscard]] virtual bool is_common(const std::vector<std::string>& texts) = 0;
  // Whether kFewSignUps at most signed up between the times of the query.
  [[nodiscard]] virtual bool are_few_sign_ups(const UserQuery& query) = 0;
};

// Throws Error{kInvalidArgument} with field `match` for a quick query that nothing finds quickly.
[[nodiscard]] Plan plan_of(const UserQuery& query, MatchCounts& counts);

// What the index of trigrams holds of a user.
[[nodiscard]] std::string searched_text(const User& user);

}  // namespace chirp::users
