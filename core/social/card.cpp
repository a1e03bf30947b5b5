#include "core/social/card.h"

#include <vector>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/ports/rows.h"
#include "core/rules/loads.h"

namespace chirp::social {

AuthorCard card_of(const User& user) {
  return {.number = user.number,
          .id = user.id,
          .username = user.username,
          .display_name = user.display_name,
          .source = user.source,
          .picture = user.picture,
          .presence = user.suspended ? Presence::kSuspended : Presence::kPresent};
}

std::optional<AuthorCard> stored_card(const RowReader& reader, UserNumber user) {
  return reader.find(tables::Cards::Key{user});
}

bool is_removed(const std::optional<AuthorCard>& card) {
  return card && card->presence == Presence::kRemoved;
}

void bring_cards(Storage& storage, const UserRows& directory, const Clock& clock,
                 std::span<const UserNumber> users) {
  std::vector<UserNumber> left(users.begin(), users.end());
  while (!left.empty()) {
    const auto cards = reads::cards(*storage.snapshot(), left);
    std::vector<Change> changes;
    std::vector<AuthorCard> loaded;
    std::vector<UserNumber> written;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (cards[i] && cards[i]->presence == Presence::kRemoved) continue;
      const auto user = directory.find(left[i]);
      if (!user || cards[i] == card_of(*user)) continue;
      if (!cards[i] && user->source) {
        loaded.push_back(card_of(*user));
      } else {
        changes.emplace_back(PutCard{card_of(*user)});
      }
      written.push_back(left[i]);
    }
    if (!changes.empty()) (void)storage.write(changes, clock.now());
    if (!loaded.empty()) {
      storage.decide(clock.now(), Purpose::kRepair,
                     [&](Rows& rows) { return rules::load_cards(rows, loaded) > 0; });
    }
    left = std::move(written);
  }
}

bool settle_cards(PendingUserWork& directory, std::span<const PendingCard> settled) {
  try {
    directory.settle_cards(settled);
    return true;
  } catch (const Error&) {
    return false;  // they stay due and are checked again
  }
}

}  // namespace chirp::social
