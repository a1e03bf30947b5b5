// Users whose card in the engine may differ from their row. Calls use the caller's transaction.
#pragma once

#include "core/model/ids.h"
#include "store/sqlite/connection.h"

namespace chirp::sqlite {

// Returns the new PendingCard::due.
std::uint64_t note_due_card(Connection& connection, UserNumber user);
// For all users from `first` on, by number. Returns the last one's.
std::uint64_t note_due_cards_from(Connection& connection, UserNumber first);

}  // namespace chirp::sqlite
