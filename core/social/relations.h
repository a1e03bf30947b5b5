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

// What one user has set about another.
struct RelationChange {
  User user;
  User other;
  bool changed = false;  // false: it was so before
};

struct RelatedPage {
  std::vector<UserView> users;            // by user number, the order of arrival
  std::optional<UserNumber> next_cursor;  // empty at the end
};

class Relations {
 public:
  Relations(Storage& storage, Accounts& accounts, const Clock& clock);

  // `relation` is kBlock or kMute. A block ends the follows between the two.
  RelationChange set(std::string_view name, Relation relation, std::string_view other);
  RelationChange lift(std::string_view name, Relation relation, std::string_view other);
  // Whom `name` has blocked or muted, from above `after`. A `limit` of 1 to limits::kUserPageMax.
  [[nodiscard]] RelatedPage list(std::string_view name, Relation relation, UserNumber after,
                                 std::uint32_t limit) const;

 private:
  RelationChange write(RelationChange change, const Change& what);

  Storage& storage_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
