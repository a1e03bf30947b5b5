// Following: idempotent both ways, nobody follows themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/social/accounts.h"
#include "core/social/suggestions.h"

namespace chirp::social {

struct FollowState {
  UserId follower;
  UserId followee;
  std::optional<Time> since;  // empty: not following
};

struct FollowChange {
  std::uint64_t changed = 0;
  std::vector<FollowState> follows;  // one for each followee given
};

struct FollowEntry {
  AuthorCard user;
  Time since;
};

struct FollowPage {
  std::vector<FollowEntry> follows;       // by user number, the order of arrival
  std::optional<UserNumber> next_cursor;  // empty at the end
  std::int64_t total = 0;
};

struct Relationship {
  bool following = false;
  bool followed_by = false;
  bool blocking = false;
  bool blocked_by = false;
  bool muting = false;
  bool showing_reposts = false;  // follows, and wants their reposts
};

class Follows {
 public:
  Follows(Storage& storage, Accounts& accounts, const Clock& clock);

  // All followees or none: oneself, somebody behind a block (Error{kForbidden}) or more than the
  // setting follow.max allows (LimitExceeded; follows made at the same moment may pass it by one
  // another) throws before anything changes. Without `reposts` a follow that is there keeps its
  // switch.
  FollowChange add(const User& follower, std::span<const User> followees,
                   std::optional<Reposts> reposts = std::nullopt);
  FollowChange remove(const User& follower, std::span<const User> followees);
  [[nodiscard]] Relationship check(const User& user, const User& other) const;
  // The same of several, out of one state and in their order; all is false between oneself.
  [[nodiscard]] std::vector<Relationship> check(const User& user,
                                                std::span<const User> others) const;
  // Users above the cursor `after`. A `limit` of 1 to limits::kUserPageMax.
  [[nodiscard]] FollowPage following(const User& user, UserNumber after, std::uint32_t limit) const;
  [[nodiscard]] FollowPage followers(const User& user, UserNumber after, std::uint32_t limit) const;
  // Whom `user` may want to follow; see core/social/suggestions.h.
  [[nodiscard]] std::vector<Suggestion> suggestions(const User& user, std::uint32_t limit) const {
    return suggestions_in(*storage_.snapshot(), user.number, limit);
  }

 private:
  Storage& storage_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
