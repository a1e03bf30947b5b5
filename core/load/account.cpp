#include "core/load/account.h"

#include <array>

#include "core/rules/writing.h"
#include "core/social/card.h"

namespace chirp::load {

LoadedUserResult bring_account(Storage& storage, UserDirectory& directory, const Clock& clock,
                               const LoadedUser& account) {
  LoadedUserResult result = directory.load({&account, 1}, clock.now()).front();
  const UserNumber number = result.user.number;
  if (result.change == LoadedUserChange::kRenamed) {
    social::bring_cards(storage, directory, clock, {&number, 1});
  } else {
    // Also for an existing user: an earlier load may have ended before it wrote the card.
    rules::load_cards(storage, std::array{social::card_of(result.user)}, clock.now());
  }
  if (result.change != LoadedUserChange::kThere) {
    (void)social::settle_cards(directory, std::array{PendingCard{result.due, number}});
  }
  return result;
}

}  // namespace chirp::load
