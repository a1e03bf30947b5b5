// What the engine keeps of a user, and how it follows the user's row.
//
// The row in the directory is the user. It is committed first and noted as due with it; the card
// follows, written by whoever made the change or, after a crash, by whoever writes next.
#pragma once

#include <optional>
#include <span>

#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::social {

[[nodiscard]] AuthorCard card_of(const User& user);

// What the engine keeps of a user now; empty for nobody, and for whose sign-up was cut short.
[[nodiscard]] std::optional<AuthorCard> stored_card(const RowReader& reader, UserNumber user);
[[nodiscard]] bool is_removed(const std::optional<AuthorCard>& card);

// Writes the cards of `users`, each again until it is what the row says: rows may change meanwhile,
// and looking at the row after each write makes sure that the last writer leaves both equal. The
// card of a user without a row, or marked as removed, stays as it is. A user of a load without a
// card gets one as from the load: without an event of a sign-up and a timeline.
void bring_cards(Storage& storage, const UserRows& directory, const Clock& clock,
                 std::span<const UserNumber> users);

// Notes that the engine's store has these cards. False if that can't be noted now; then they are
// looked at again another time.
bool settle_cards(UserDues& directory, std::span<const DueCard> settled);

}  // namespace chirp::social
