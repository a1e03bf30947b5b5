// Following: repeats are harmless in both directions, and users can't follow themselves.
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
  std::vector<FollowState> follows;  // one for each followee
};

struct FollowEntry {
  AuthorCard user;
  Time since;
};

struct FollowPage {
  std::vector<FollowEntry> follows;       // sorted by user number, the order of arrival
  std::optional<UserNumber> next_cursor;  // empty at the end
  std::int64_t total = 0;
};

struct Relationship {
  bool following = false;
  bool followed_by = false;
  bool blocking = false;
  bool blocked_by = false;
  bool muting = false;
  bool showing_reposts = false;  // follows, and sees their reposts
};

class Follows {
 public:
  Follows(Storage& storage, Accounts& accounts, const Clock& clock);

  // Follows all or none. Throws before any change for the user themselves, a block
  // (Error{kForbidden}), or more follows than the setting follow.max allows (LimitExceeded;
  // concurrent calls may exceed it). Without `reposts`, an existing follow keeps its switch.
  FollowChange add(const User& follower, std::span<const User> followees,
                   std::optional<Reposts> reposts = std::nullopt);
  FollowChange remove(const User& follower, std::span<const User> followees);
  [[nodiscard]] Relationship check(const User& user, const User& other) const;
  // The same for several users, from one state, in the same order. All false for the user
  // themselves.
  [[nodiscard]] std::vector<Relationship> check(const User& user,
                                                std::span<const User> others) const;
  // Users above the cursor `after`. `limit` is 1 to limits::kUserPageMax.
  [[nodiscard]] FollowPage following(const User& user, UserNumber after, std::uint32_t limit) const;
  [[nodiscard]] FollowPage followers(const User& user, UserNumber after, std::uint32_t limit) const;
  // Users that `user` may want to follow; see core/social/suggestions.h.
  [[nodiscard]] std::vector<Suggestion> suggestions(const User& user, std::uint32_t limit) const {
    return suggestions_in(*storage_.snapshot(), user.number, limit);
  }

 private:
  Storage& storage_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
