#include "core/social/accounts.h"

namespace chirp::social {

AuthorCard card_of(const User& user) {
  return {user.number, user.id, user.username, user.display_name, user.source, Presence::kPresent};
}

}  // namespace chirp::social
