// How users are looked for by a part of a name.
//
// A part is in a name if its folded text is in the folded name (search_folded in
// core/model/names.h). Parts of three characters and more are narrowed down by an index of
// trigrams, of the folded username and, behind a line feed, of the folded display name if there is
// one; what it proposes is compared again, so the index decides nothing but speed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/ports/user_directory.h"

namespace chirp::users {

// What a list walks: all names in order, or a few rows that are sorted afterwards.
enum class Walk : std::uint8_t { kNames, kTrigrams, kSignUps };
// Where the part of a name is looked for.
enum class Place : std::uint8_t { kNowhere, kAnywhere, kUsernames, kDisplayNames };

struct Plan {
  Walk walk = Walk::kNames;
  Place place = Place::kNowhere;
  std::optional<std::string> part{};    // folded
  std::optional<std::string> walked{};  // the text whose trigrams are walked, if they are
};

// So many sign-ups at most are found by their times.
inline constexpr std::int64_t kFewSignUps = 5000;

// What a plan asks of the store.
class MatchCounts {
 public:
  virtual ~MatchCounts() = default;
  // Whether more than limits::kMatchCandidatesMax names have all trigrams of a text of three
  // characters at least. Looks at no more.
  [[nodiscard]] virtual bool is_common(std::string_view text) = 0;
  // Whether kFewSignUps at most signed up between the times of the query.
  [[nodiscard]] virtual bool are_few_sign_ups(const UserQuery& query) = 0;
};

// Throws Error{kInvalidArgument} with field `match` for a quick query that nothing finds quickly.
[[nodiscard]] Plan plan_of(const UserQuery& query, MatchCounts& counts);

// What the index of trigrams holds of a user.
[[nodiscard]] std::string searched_text(const User& user);

}  // namespace chirp::users
