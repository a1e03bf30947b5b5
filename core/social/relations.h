// Blocking and muting: repeats are harmless in both directions, and users can't block or mute
// themselves.
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
  std::vector<UserView> users;            // sorted by user number, the order of arrival
  std::optional<UserNumber> next_cursor;  // empty at the end
};

class Relations {
 public:
  Relations(Storage& storage, Accounts& accounts, const Clock& clock);

  // `relation` is kBlock or kMute. A block ends follows in both directions. Returns whether this
  // was a change.
  bool set(const User& user, Relation relation, const User& other);
  bool lift(const User& user, Relation relation, const User& other);
  // The users whom `user` has blocked or muted, above the cursor `after`. `limit` is 1 to
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
