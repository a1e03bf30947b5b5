// The engine's card of a user, and how it follows the user's row.
//
// The row in the directory is authoritative. It is committed first, together with a note that the
// card is due. The process that made the change then writes the card or, after a crash, the next
// writer does.
#pragma once

#include <optional>
#include <span>

#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::social {

[[nodiscard]] AuthorCard card_of(const User& user);

// The engine's card of a user; empty if it is missing, as after an interrupted sign-up.
[[nodiscard]] std::optional<AuthorCard> stored_card(const RowReader& reader, UserNumber user);
[[nodiscard]] bool is_removed(const std::optional<AuthorCard>& card);

// Writes the cards of `users`, repeatedly until each matches its row. Rows may change meanwhile;
// the check after each write makes sure that the last writer leaves both equal. Skips users without
// a row or marked as removed. A loaded user without a card gets one as a load writes it: without a
// sign-up event and a timeline.
void bring_cards(Storage& storage, const UserRows& directory, const Clock& clock,
                 std::span<const UserNumber> users);

// Notes that the engine's store has these cards. Returns false if that fails; then they are checked
// again later.
bool settle_cards(PendingUserWork& directory, std::span<const PendingCard> settled);

}  // namespace chirp::social
