// Finding users by a part of a name.
//
// A part is in a name if its folded text is in the folded name (search_folded in
// core/model/names.h, so letters beyond ASCII have no case either). Parts of three characters and
// more are narrowed down by an index of trigrams; what it proposes is compared again, so the index
// decides nothing but speed. Callers hold the write transaction in which the rows change.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/ids.h"
#include "store/sqlite/connection.h"

namespace chirp::sqlite {

// SQL functions: chirp_folded(text), and of a text and a folded part chirp_has and chirp_begins.
void define_search(Connection& connection);

void index_users_above(Connection& connection, UserNumber number);
void index_user(Connection& connection, UserNumber number);
// While the row still has the names it was indexed with.
void unindex_user(Connection& connection, UserNumber number);
void rebuild_search(Connection& connection);
// Throws Error{kCorrupt} if the index is not that of the rows.
void check_search(Connection& connection);

// The trigrams of a folded part as a query on user_search; empty if it is shorter than that.
[[nodiscard]] std::optional<std::string> trigram_query(std::string_view folded_part);
// Whether more than limits::kMatchCandidatesMax names have these trigrams. Looks at no more.
[[nodiscard]] bool is_common(Connection& connection, std::string_view trigrams);

}  // namespace chirp::sqlite
