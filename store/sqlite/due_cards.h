// Users whose card the engine may not have as the row says it. All within the caller's transaction.
#pragma once

#include "core/model/ids.h"
#include "store/sqlite/connection.h"

namespace chirp::sqlite {

// The DueCard::due that it gets.
std::uint64_t note_due_card(Connection& connection, UserNumber user);
// Of all users from `first` on, in the order of their numbers; the last one's.
std::uint64_t note_due_cards_from(Connection& connection, UserNumber first);

}  // namespace chirp::sqlite
