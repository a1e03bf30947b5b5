// How users are found by parts of their names.
//
// The text to match is split into words at white space. Each word must be in the username or in the
// display name, in any order; all are folded (search_folded in core/model/names.h). A trigram index
// narrows down words of three characters or more. It indexes the folded username and, after a line
// feed, the folded display name if there is one. Its candidates are compared again, so the index
// affects only speed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/user_directory.h"

namespace chirp::users {

class SqlSession;

// The rows that a list walks: all names in order, or a few rows that are sorted afterwards.
enum class ListWalk : std::uint8_t { kNames, kTrigrams, kSignUps };
// Which names are searched.
enum class NameScope : std::uint8_t { kNowhere, kAnywhere, kUsernames, kDisplayNames };

struct Plan {
  ListWalk walk = ListWalk::kNames;
  NameScope place = NameScope::kNowhere;
  std::vector<std::string> words{};   // folded; only one unless kAnywhere
  std::vector<std::string> walked{};  // texts whose trigrams are looked up, for Walk::kTrigrams
};

// Throws Error{kInvalidArgument} with field `match` for a quick query that no index can answer.
[[nodiscard]] Plan plan_of(const UserQuery& query, SqlSession& session);

// Returns the text that the trigram index holds for a user.
[[nodiscard]] std::string searched_text(const User& user);

}  // namespace chirp::users
