// Finds users by part of a name.
//
// Runs the queries of users::Plan on FTS5 (store/users/match.h). Callers hold the write transaction
// that changes the rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/ids.h"
#include "store/sqlite/connection.h"

namespace chirp::sqlite {

// Defines the SQL functions chirp_folded(text), chirp_has(text, folded words separated by line
// feeds) and chirp_begins(text, folded prefix).
void define_search(Connection& connection);

void index_users_above(Connection& connection, UserNumber number);
void index_user(Connection& connection, UserNumber number);
// Call it while the row still has the indexed names.
void unindex_user(Connection& connection, UserNumber number);
void rebuild_search(Connection& connection);
// Throws Error{kCorrupt} if the index does not match the rows.
void check_search(Connection& connection);

// Returns a query on user_search for the trigrams of texts, each of at least three characters.
[[nodiscard]] std::string trigram_query(const std::vector<std::string>& texts);
// Whether more than limits::kMatchCandidatesMax names have these trigrams. Stops counting there.
[[nodiscard]] bool is_common(Connection& connection, std::string_view trigrams);

}  // namespace chirp::sqlite
