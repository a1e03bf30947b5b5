// Blocking and muting: idempotent both ways, nobody blocks or mutes themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/model/relation.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/social/accounts.h"

namespace chirp::social {

struct RelatedPage {
  std::vector<UserView> users;            // by user number, the order of arrival
  std::optional<UserNumber> next_cursor;  // empty at the end
};

class Relations {
 public:
  Relations(Storage& storage, Accounts& accounts, const Clock& clock);

  // `relation` is kBlock or kMute. A block ends the follows between the two.
  // True if that was a change; false if it was so before.
  bool set(const User& user, Relation relation, const User& other);
  bool lift(const User& user, Relation relation, const User& other);
  // Whom `user` has blocked or muted: those above the cursor `after`. A `limit` of 1 to
  // limits::kUserPageMax.
  [[nodiscard]] RelatedPage list(const User& user, Relation relation, UserNumber after,
                                 std::uint32_t limit) const;

 private:
  bool write(const User& user, const User& other, const Change& change);

  Storage& storage_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
