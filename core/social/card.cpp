#include "core/social/accounts.h"

namespace chirp::social {

AuthorCard card_of(const User& user) {
  return {.number = user.number,
          .id = user.id,
          .username = user.username,
          .display_name = user.display_name,
          .source = user.source,
          .picture = user.picture};
}

}  // namespace chirp::social
