// What the engine keeps of a user, and how it follows the user's row.
//
// The row in the directory is the user. It is committed first and noted as due with it; the card
// follows, written by whoever made the change or, after a crash, by whoever writes next.
#pragma once

#include <span>

#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::social {

[[nodiscard]] AuthorCard card_of(const User& user);

// Writes the cards of `users`, each until it is what the row says. Rows may change meanwhile, so
// whoever writes a card looks at the row again: who is last leaves both equal. Nobody's card, and
// that of who is marked as removed, stays as it is.
void bring_cards(Storage& storage, const UserRows& directory, const Clock& clock,
                 std::span<const UserNumber> users);

// Notes that the engine has these cards. False if that can't be noted now; they are looked at again
// another time.
bool settle_cards(UserDues& directory, std::span<const DueCard> settled);

}  // namespace chirp::social
