// Finding users by a part of a name.
//
// What users::Plan proposes, asked of FTS5 (store/users/match.h). Callers hold the write
// transaction in which the rows change.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/ids.h"
#include "store/sqlite/connection.h"

namespace chirp::sqlite {

// SQL functions: chirp_folded(text); of a text and folded words, a line feed between them,
// chirp_has; of a text and a folded part chirp_begins.
void define_search(Connection& connection);

void index_users_above(Connection& connection, UserNumber number);
void index_user(Connection& connection, UserNumber number);
// While the row still has the names it was indexed with.
void unindex_user(Connection& connection, UserNumber number);
void rebuild_search(Connection& connection);
// Throws Error{kCorrupt} if the index is not that of the rows.
void check_search(Connection& connection);

// The trigrams of texts of three characters at least as a query on user_search.
[[nodiscard]] std::string trigram_query(const std::vector<std::string>& texts);
// Whether more than limits::kMatchCandidatesMax names have these trigrams. Looks at no more.
[[nodiscard]] bool is_common(Connection& connection, std::string_view trigrams);

}  // namespace chirp::sqlite
