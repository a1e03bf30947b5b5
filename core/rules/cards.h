// Author cards and their indexes.
#pragma once

#include "core/ports/rows.h"

namespace chirp::rules {

// Writes the card and its indexes.
void put_card(Rows& rows, const AuthorCard& card);

}  // namespace chirp::rules
